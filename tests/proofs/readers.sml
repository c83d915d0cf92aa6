// counting: counting (R)
// Who reads counts for one, so R is not 0 meanwhile.
int[3] R; bool W; int X;
  2 * { atomic { await (!W); R := R + 1 }; x := X; R := R - 1 }
||
  atomic { await (R = 0 && !W); W := true }; begin X := 1; X := 2 end; W := false
