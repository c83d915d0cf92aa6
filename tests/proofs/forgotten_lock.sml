// violated: T1 T2
int X; lock l;
begin acquire(l) X := 1; X := 2; release(l) end || x := X
