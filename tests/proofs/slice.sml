// violated: T1 T2
// T3 and T4 are nowhere on a chain that comes back, and change nothing that T1 or T2 see but the lock.
int X, Y; lock l;
begin acquire(l) X := 1; release(l) X := 2 end || x := X || acquire(l) Y := 1; release(l) || y := Y
