// nAcquire1 of "Causal Atomicity" (CAV 2006): Acquire1 (see acquire1.sml) and one more thread, which ignores
// the lock.
//
// Not atomic: the last thread may write DATA between the block's read and its write, and one of the two
// updates is lost.
//
// N + 2 threads: the one with the block, N others that respect the lock, and the one that does not.
// run: -D N=2
// run: -D N=6
// expect: violated
bool M; int DATA;

local bool f;
while (true) {
  f := true;
  while (f = true) { atomic { f := M; M := true } };
  begin
    x := DATA;
    DATA := x + 1
  end;
  M := false
}
||
N * {
  local bool f;
  while (true) {
    f := true;
    while (f = true) { atomic { f := M; M := true } };
    x := DATA;
    DATA := x + 1;
    M := false
  }
}
||
while (true) {
  w := DATA;
  DATA := w + 7
}
