// Figure 5(b) of "Causal Atomicity" (Farzan, Madhusudan, CAV 2006).
//
// Atomic: both threads hold the lock while they use Y, so the read comes before both writes or after both.
// expect: atomic
lock l; int Y;

begin
acquire(l)
Y := 5;
Y := 3
release(l)
end
||
acquire(l)
x := Y - 2
release(l)
