// Peterson's mutual exclusion of two threads: each says that it wants to enter, and then gives way.
//
// Atomic: who waits sees WANTS of the other thread fall, or LAST become the other one, and so the blocks never
// overlap. LAST must be written after WANTS; swap the two assignments of a thread, and both blocks are violated.
// expect: atomic
// ask: --exclusive=first,second: holds
// ask: --deadlock: holds
bool WANTS1, WANTS2; int[2] LAST; int DATA;

while (true) {
  WANTS1 := true;
  LAST := 0;
  await (!WANTS2 || LAST = 1);
  begin:first
    x := DATA;
    DATA := x + 1
  end;
  WANTS1 := false
}
||
while (true) {
  WANTS2 := true;
  LAST := 1;
  await (!WANTS1 || LAST = 0);
  begin:second
    x := DATA;
    DATA := x + 1
  end;
  WANTS2 := false
}
