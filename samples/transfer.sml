// Transfers between two accounts, each with its lock, and an audit that adds them up.
//
// transfer is atomic: it holds both locks from its first access to its last, and takes them in the same order
// everywhere. The audit is not: it reads one account after the other, and a transfer in between makes money
// vanish from its sum.
// expect: violated
// expect-block: transfer: atomic
// expect-block: audit: violated
int A, B; lock lock_a, lock_b;

proc transfer {
  begin:transfer
    acquire(lock_a)
    acquire(lock_b)
    a := A;
    A := a - 10;
    b := B;
    B := b + 10;
    release(lock_b)
    release(lock_a)
  end
}

2 * { while (true) { call transfer } }
||
begin:audit
  acquire(lock_a)
  sum := A;
  release(lock_a)
  acquire(lock_b)
  sum := sum + B;
  release(lock_b)
end
