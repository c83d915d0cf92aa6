int X; lock l;
if (X = 0) { acquire(l) }
acquire(l)
begin X := 1 end
release(l)
