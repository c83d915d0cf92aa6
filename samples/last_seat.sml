// Two clients and one seat: each looks whether a seat is free, and books it later.
//
// Atomic, and wrong: the lock is held during all of each block, but between looking and booking the other client may
// take the seat. What must hold is said by the assertion, and `causalcheck --assert` shows a run in which it does not.
// Put the look under the same lock as the booking, and it never fails.
// expect: atomic
// ask: --assert: violated
// ask: --deadlock: holds
int[2] FREE := 1; lock desk;

2 * {
  local int[2] f;
  acquire(desk) f := FREE; release(desk)
  if (f > 0) {
    begin:book
      acquire(desk)
      assert(FREE > 0);
      FREE := FREE - 1;
      release(desk)
    end
  }
}
