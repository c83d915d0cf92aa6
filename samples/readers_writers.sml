// Readers and writers: READERS counts those who read, and a writer waits until there are none.
//
// Atomic, both blocks: while anybody reads, READERS is not 0, and no writer gets past its await; the writer holds the
// lock that a reader needs to be counted. READERS is a number modulo 12: with 12 readers it would be 0 too early.
// run: -W no-modulo-wrap -D R=2 -D W=1
// run: -W no-modulo-wrap -D R=10 -D W=2
// ask: --exclusive=write: holds
// ask: --exclusive=read,write: holds
// ask: --exclusive=read: violated
// expect: atomic
// expect-block: read: atomic
// expect-block: write: atomic
int[12] READERS; lock l; int A, B;

R * {
  while (true) {
    acquire(l)
    READERS := READERS + 1;
    release(l)
    begin:read
      a := A;
      b := B
    end;
    atomic { READERS := READERS - 1 }
  }
}
||
W * {
  while (true) {
    acquire(l)
    await (READERS = 0);
    begin:write
      A := nondet;
      B := nondet
    end;
    release(l)
  }
}
