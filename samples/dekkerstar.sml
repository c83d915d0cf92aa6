// Dekker* of "Causal Atomicity" (CAV 2006): Dekker's algorithm (see dekker.sml) with a block in both threads.
//
// Both are atomic.
// expect: atomic
// expect-block: first: atomic
// expect-block: second: atomic
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
  begin:first
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
  begin:second
    x := DATA;
    DATA := x + 1
  end;
  TURN := false;
  F2 := false
}
