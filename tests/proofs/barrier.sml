// counting: counting (N)
// The smallest atomic block here that the environment does not prove: that both others have counted up is known of the
// two together only.
int[3] N; int X;
await (N = 2); begin X := 1; X := 2 end || x := X; N := N + 1 || x := X; N := N + 1
