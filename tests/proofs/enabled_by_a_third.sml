// violated: T1 T2
// With T1 and T2 alone the block is atomic: T2 needs T3. So the threads of a chain prove nothing.
bool F; int X;
begin X := 1; X := 2 end || await (F); t := X || F := true
