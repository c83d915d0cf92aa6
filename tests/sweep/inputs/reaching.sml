lock a, b; bool F[2]; int[3] N;
begin:A acquire(a) acquire(b) N := 1; release(b) release(a) end
||
begin:B acquire(b) acquire(a) N := 2; release(a) release(b) end
||
assert(F[0] = F[1]); assert(N != 2)
||
F[0] := true; fork w; join w
||
thread w { assert(true) }
