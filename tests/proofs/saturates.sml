// none: T1 T2
// The smallest atomic block here that nothing proves: N is no counter, as a step may leave it as it is, and where a third
// thread is no pair knows.
int[3] N; int X;
await (N = 2); begin X := 1; X := 2 end
|| x := X; atomic { if (N < 2) { N := N + 1 } }
|| x := X; atomic { if (N < 2) { N := N + 1 } }
