// counting: counting (R)
// 20 readers and 2 writers.
int[21] R; bool W; int X;
  20 * { atomic { await (!W); R := R + 1 }; x := X; R := R - 1 }
||
  2 * { atomic { await (R = 0 && !W); W := true }; begin X := 1; X := 2 end; W := false }
