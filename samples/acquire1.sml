// Acquire1 of "Causal Atomicity" (CAV 2006): a lock that is taken by busy waiting on a flag.
//
// Atomic: the thread that finds M false and sets it, in one event, is alone until it sets M to false. The flag
// is a bool, so the checker knows its value; were M an int, any thread could leave its loop at any time, and
// the block would not be atomic.
//
// N + 1 threads: the block is marked in the first; the N others are the same, without the mark.
// run: -D N=3
// run: -D N=29
// expect: atomic
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
