// violated: T1 T2
int X; lock l, m;
begin acquire(l) X := 1; X := 2; release(l) end || acquire(m) X := 3; release(m)
