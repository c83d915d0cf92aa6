// 'self' and a number of threads that is left open
// run: --any-number
int A[3], B[K]; proc p { A[self] := M }
N * { begin call p end } || M * { begin x := M + 1; x := A[M] end } || call p
