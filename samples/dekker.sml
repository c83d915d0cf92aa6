// Dekker's algorithm: mutual exclusion of two threads with nothing but flags. Row "Dekker" of the table in
// "Causal Atomicity" (CAV 2006).
//
// Atomic: the block is strictly inside the critical section, and only one thread is there at a time. The
// checker can see this because F1, F2 and TURN are bools, whose values it tracks. TURN is false when it is
// the first thread's turn.
// expect: atomic
bool F1, F2, TURN; int DATA;

while (true) {
  F1 := true;
  while (F2 = true) {
    if (TURN = true) {
      F1 := false;
      while (TURN = true) { skip }
      F1 := true
    }
  }
  begin
    x := DATA;
    DATA := x + 1
  end;
  TURN := true;
  F1 := false
}
||
while (true) {
  F2 := true;
  while (F1 = true) {
    if (TURN = false) {
      F2 := false;
      while (TURN = false) { skip }
      F2 := true
    }
  }
  x := DATA;
  DATA := x + 1;
  TURN := false;
  F2 := false
}
