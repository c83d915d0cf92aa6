// movers: two-phase locking (M as a lock)
// Who does not hold M would release it, if only D were true. Values say that it never is; only then M is a lock.
bool M, D; int X;
  atomic { await (!M); M := true }; begin X := 1; X := 2 end; M := false
||
  atomic { await (!M); M := true }; X := 3; M := false;
  if (D) { M := false }
||
  D := false
