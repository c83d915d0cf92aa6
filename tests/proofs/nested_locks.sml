// movers: two-phase locking (l, m), for any number of copies
int X, Y; lock l, m;
2 * { begin acquire(l) X := 1; acquire(m) Y := 1; release(m) release(l) end }
||
acquire(l) X := 2; release(l)
||
acquire(m) Y := 2; release(m)
