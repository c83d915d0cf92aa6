// Acquire1 (see acquire1star.sml) with the block begun too early: before the loop that takes the lock.
//
// Not atomic: while a thread waits inside its block, others take and release the lock. Its own attempts to get
// M lie before and after theirs, so the block as a whole cannot be moved to one side of them.
// run: -D N=2
// run: -D N=4
// expect: violated
bool M; int DATA;

N * {
  local bool f;
  while (true) {
    begin
      f := true;
      while (f = true) { atomic { f := M; M := true } };
      x := DATA;
      DATA := x + 1
    end;
    M := false
  }
}
