// what is wrong with arrays, indices and 'self'
// run: -DN=2 -DTOO=70000 -DMOST=3
int X, A[3]; bool F[N]; lock L[2], l; int[4] BIG[TOO]; int[5] MANY[MOST];
proc p { A[self] := 1 }
begin
  A := 1; x := A;                         // no index
  X[0] := 1; y[0] := X[1];                // no arrays
  A[X] := 1; A[F[0]] := 1; x := A[A[0]];  // shared
  A[A] := 1;
  acquire(L); acquire(l[0]); acquire(A[0]); L[0] := 1;
  x := L[0]; acquire(M[0]); call p
end
