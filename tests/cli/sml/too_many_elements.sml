// too many combinations of elements for one event
int A[100], B[100];
3 * { begin A[i] := B[j]; A[i] := A[i] + B[i]; A[i] := A[j] + B[k]; i := j; k := self; j := k end }
