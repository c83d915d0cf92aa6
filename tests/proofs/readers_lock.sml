// counting: counting (R)
// The lock is for counting up, and the writer keeps it.
int[3] R; int X; lock l;
  2 * { acquire(l) R := R + 1; release(l) x := X; R := R - 1 }
||
  2 * { acquire(l) await (R = 0); begin X := 1; X := 2 end; release(l) }
