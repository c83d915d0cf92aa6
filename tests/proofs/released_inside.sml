// movers: two-phase locking (M as a lock), for any number of copies
// The release enters, for the others look at M while it is set; but nothing leaves before it.
bool M; int X;
2 * {
  local bool f;
  while (true) {
    f := true;
    while (f) { atomic { f := M; M := true } }
    begin x := X; X := x + 1; M := false end
  }
}
