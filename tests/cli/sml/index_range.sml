// an index that is out of range in every run of the statement
// run: -DN=2
int A[3]; bool F[N]; lock L[2];
begin A[3] := A[2]; A[-1] := 1; A[N + 1] := A[N + 2]; x := A[9]; acquire(L[2 * N - 2]) end
|| if (F[N]) { skip }
