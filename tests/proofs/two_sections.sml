// violated: T1 T2
int X; lock l;
begin acquire(l) x := X; release(l) acquire(l) X := x; release(l) end || acquire(l) X := 3; release(l)
