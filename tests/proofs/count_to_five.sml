// violated with N = 5
// as long as there are fewer than five to count, the last thread waits for ever
int[6] C; int X;

begin X := 1; X := 2 end
||
N * { C := C + 1 }
||
await (C = 5); X := 3
