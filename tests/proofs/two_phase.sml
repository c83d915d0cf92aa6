// movers: two-phase locking (l)
int X; lock l;
  begin acquire(l) X := 1; X := 2; release(l) end
||
  acquire(l) X := 3; release(l)
