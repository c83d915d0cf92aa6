// counting: counting (C)
// C gets no further than 2: the fourth thread waits for one more than all others can count; then so does the last one,
// as the fourth one does not count.
int[6] C; int X;
await (C = 2); begin X := 1; X := 2 end || x := X; C := C + 1 || x := X; C := C + 1
|| await (C = 4); C := C + 1 || await (C = 3); x := X; C := C + 1
