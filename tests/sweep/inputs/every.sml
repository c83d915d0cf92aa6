lock l;
int X;
N * { begin acquire(l); X := X + 1; X := 2; release(l) end }
