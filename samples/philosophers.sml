// Three philosophers, each with a fork on either side.
//
// eat is atomic: both forks are held during all of it. That they may all starve, each with the left fork in hand, is
// another question: `causalcheck --deadlock samples/philosophers.sml` shows how. Let the last one take the right fork
// first, and they eat.
// expect: atomic
// expect-block: eat: atomic
// ask: --deadlock: violated
lock f1, f2, f3; int PLATE1, PLATE2, PLATE3;

while (true) {
  acquire(f1) acquire(f2)
  begin:eat PLATE1 := PLATE1 + 1; PLATE2 := PLATE2 + 1 end;
  release(f2) release(f1)
}
||
while (true) {
  acquire(f2) acquire(f3)
  begin:eat2 PLATE2 := PLATE2 + 1; PLATE3 := PLATE3 + 1 end;
  release(f3) release(f2)
}
||
while (true) {
  acquire(f3) acquire(f1)
  begin:eat3 PLATE3 := PLATE3 + 1; PLATE1 := PLATE1 + 1 end;
  release(f1) release(f3)
}
