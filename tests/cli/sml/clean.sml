// nothing to say about this one: symbols, either granularity's words, a lock held across a call
// run: --granularity=access --encoding=paper -D N=2
bool F; int[3] C; lock l;
proc work { C := (C + 1) % 3; if (F ∨ C ≥ 2 ∧ ¬ (C ≠ 2)) { F := false } else { skip } }
N * {
  begin:B
    acquire(l)
    call work;
    release(l)
  end
}
|| await (F || C == 0); F := true
