// A configuration that many read and few change, under a reader-writer lock.
//
// read is atomic, since a reader keeps writers out, and so is change. toggle is not: it gives the lock back between
// reading and writing.
// run: -D READERS=3
// expect: violated
// expect-block: read: atomic
// expect-block: change: atomic
// expect-block: toggle: violated
rwlock r; int HOST, PORT; bool ON;

READERS * { while (nondet) { begin:read rdlock(r); h := HOST; q := PORT; unlock(r) end } }
||
begin:change wrlock(r); HOST := 1; PORT := 2; unlock(r) end
||
2 * {
  begin:toggle
    rdlock(r); on := ON; unlock(r);
    wrlock(r); ON := !on; unlock(r)
  end
}
