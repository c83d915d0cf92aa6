// Acquire1 (see acquire1star.sml) with the release inside the block, and more to do after it.
//
// Not atomic: once M is false, another thread may come in and change DATA before the block reads it again.
// (Were M := false the last event of the block, the block would still be atomic: no event of it would come
// after those of the others.)
// run: -D N=2
// run: -D N=4
// expect: violated
bool M; int DATA;

N * {
  local bool f;
  while (true) {
    f := true;
    while (f = true) { atomic { f := M; M := true } };
    begin
      x := DATA;
      DATA := x + 1;
      M := false;
      report := DATA
    end
  }
}
