// Acquire1* of "Causal Atomicity" (CAV 2006): Acquire1 (see acquire1.sml) with the block marked in every one
// of its N threads.
//
// Atomic for the same reason. All copies are one block of the source, and get one line in the verdict.
// run: -D N=4
// run: -D N=30
// expect: atomic
bool M; int DATA;

N * {
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
}
