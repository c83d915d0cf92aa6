// pairs: pairs of threads (F0, F1, TURN)
// Who goes on has found the other one's flag and the turn at one moment: values one at a time do not tell.
bool F0, F1, TURN; int X;
  while (true) { F0 := true; TURN := true; await (!F1 or !TURN); begin x := X; X := x + 1 end; F0 := false }
||
  while (true) { F1 := true; TURN := false; await (!F0 or TURN); x := X; X := x + 1; F1 := false }
