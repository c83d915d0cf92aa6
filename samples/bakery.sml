// Lamport's bakery for two threads, two rounds each: who enters draws a number above the other one's, and the lower
// number goes first. CHOOSING says that a thread is about to draw one.
//
// Atomic: while a thread is in its block, it holds the lowest number, and who draws one later gets a higher one.
// Numbers grow while somebody is in the bakery; with two rounds each they stay below 5, although the warning cannot
// know that. Without CHOOSING, both may draw the same number, and both blocks are violated.
// run: -W no-modulo-wrap
// expect: atomic
bool CHOOSING1, CHOOSING2; int[5] NUMBER1, NUMBER2; int DATA;

local int[3] round;
local int[5] other;
while (round < 2) {
  CHOOSING1 := true;
  other := NUMBER2;
  NUMBER1 := other + 1;
  CHOOSING1 := false;
  await (!CHOOSING2);
  await (NUMBER2 = 0 || NUMBER1 <= NUMBER2);
  begin:first
    x := DATA;
    DATA := x + 1
  end;
  NUMBER1 := 0;
  round := round + 1
}
||
local int[3] round;
local int[5] other;
while (round < 2) {
  CHOOSING2 := true;
  other := NUMBER1;
  NUMBER2 := other + 1;
  CHOOSING2 := false;
  await (!CHOOSING1);
  await (NUMBER1 = 0 || NUMBER2 < NUMBER1);
  begin:second
    x := DATA;
    DATA := x + 1
  end;
  NUMBER2 := 0;
  round := round + 1
}
