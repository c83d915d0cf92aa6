// an index that may be out of range
// run: -DN=3
int A[3]; bool F[N]; lock L[2];
proc next { F[self + 1] := true }
N * {
  local int[5] i;
  begin
    if (self < 2) { call next }       // never out of range
    call next;                        // is, in the last copy
    i := nondet; A[i] := A[i + 1];    // told once
    A[k] := 1; k := 0                 // not known: any element
  end
}
|| acquire(L[self]); release(L[self]); local_index := 7; A[local_index] := N
