// violated: T1 T2
// Two rounds of the loop write M, and what happens between them is in the block.
bool M; int X;
2 * {
  local bool f;
  while (true) {
    begin
      f := true;
      while (f) { atomic { f := M; M := true } }
      x := X; X := x + 1
    end;
    M := false
  }
}
