// Acquire2 of "Causal Atomicity" (CAV 2006): Acquire1 (see acquire1.sml) with more to do inside the block.
//
// Atomic. The longer block costs next to nothing: its events are not interleaved with those of the waiting
// threads.
//
// N + 1 threads: the block is marked in the first.
// run: -D N=3
// run: -D N=5
// expect: atomic
bool M; int DATA;

local bool f;
while (true) {
  f := true;
  while (f = true) { atomic { f := M; M := true } };
  begin
    x := DATA;
    DATA := x + 1;
    x := DATA;
    DATA := x * 2;
    x := DATA;
    DATA := x - 3
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
    x := DATA;
    DATA := x * 2;
    x := DATA;
    DATA := x - 3;
    M := false
  }
}
