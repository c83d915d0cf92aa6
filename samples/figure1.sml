// Figure 1 of "Causal Atomicity" (Farzan, Madhusudan, CAV 2006): the program that has the trace shown there.
//
// Both blocks are causally atomic: what follows B in another thread (x := X) never leads back into B, and the
// same holds for C. But the program is not serializable: if each block sees what the other one's helper
// wrote, B would have to come before C and C before B. So `causalcheck` says atomic, and `causalcheck
// --notion=serializable` says violated.
// expect: atomic
// expect-block: B: atomic
// expect-block: C: atomic
int X, Y, Z, T;

begin:B
  X := 1;
  t := T
end
||
x := X;
Y := 1
||
begin:C
  Z := 1;
  y := Y
end
||
z := Z;
T := 1
