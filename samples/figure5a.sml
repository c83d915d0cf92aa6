// Figure 5(a) of "Causal Atomicity" (Farzan, Madhusudan, CAV 2006).
//
// Not atomic: the second thread reads Y without the lock. It can do so between Y := 5 and Y := 3, and then sees
// a value that it never sees if the block runs as a whole. figure5b.sml takes the lock there, too.
// expect: violated
lock l; int Y;

begin
acquire(l)
Y := 5;
Y := 3
release(l)
end
||
x := Y - 2
