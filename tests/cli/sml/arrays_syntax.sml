int WIDE[70000]; int A[3]; lock L[2];
local bool G[2];
A[2 := 1; A[] := 1; self := 1; x := self[0]; acquire(L[0); x := A[1
