// movers: two-phase locking (M as a lock), for any number of copies
// A test-and-set flag is as good as a lock.
bool M; int X;
2 * {
  local bool f;
  while (true) {
    f := true;
    while (f) { atomic { f := M; M := true } }
    begin x := X; X := x + 1 end;
    M := false
  }
}
