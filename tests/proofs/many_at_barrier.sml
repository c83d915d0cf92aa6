// counting: counting (N)
int[21] N; int X;
20 * { x := X; N := N + 1; await (N = 20) } || await (N = 20); begin X := 1; X := 2 end
