// Figure 7 of "Causal Atomicity" (Farzan, Madhusudan, CAV 2006), which writes '=' for ':='.
//
// Atomic, although there are races on both variables: the reads of T1 and T3 come before or after the writes,
// but nothing leads from one of them back into the block. Checkers that classify statements by the races on
// them call this block not atomic.
// expect: atomic
int X, Y;

t = X
||
begin
X = 1
Y = 1
end
||
r = Y
