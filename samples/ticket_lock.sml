// A ticket lock: who enters draws a ticket, in one event, and waits until it is called.
//
// Atomic: only the thread whose ticket is SERVING is in the block, and only that thread calls the next one. Tickets
// are numbers modulo 4, enough for up to four threads: that is the warning, and with five it would be right.
// run: -W no-modulo-wrap -D N=2
// run: -W no-modulo-wrap -D N=4
// expect: atomic
int[4] NEXT, SERVING; int DATA;

N * {
  local int[4] mine;
  while (true) {
    atomic { mine := NEXT; NEXT := NEXT + 1 }
    await (SERVING = mine);
    begin
      x := DATA;
      DATA := x + 1
    end;
    SERVING := mine + 1
  }
}
