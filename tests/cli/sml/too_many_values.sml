int[100] A, B; int[5000] C;
begin
  A := B;
  A := A * B
end
|| begin B := A; C := nondet end || x := C
