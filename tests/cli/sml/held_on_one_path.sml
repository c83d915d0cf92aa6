int X; lock l;
if (X = 0) { acquire(l) }
acquire(l)
X := 1
release(l)
