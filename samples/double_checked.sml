// The object of lazy_init.sml with "double-checked locking": the lock is only taken if READY is not yet set.
//
// It does what it should, since every access is an event of its own here (in C, READY would have to be atomic).
// But it is not causally atomic: a thread may find READY false, and before it gets the lock another one makes
// the object. Both reads of READY belong to the block, and the other thread's READY := true lies between
// them. A block around the use alone would be atomic.
// run: -D N=2
// run: -D N=4
// expect: violated
// expect-block: get: violated
// expect-block: use: atomic
bool READY; int OBJECT; lock l;

N * {
  begin:get
    if (READY = false) {
      acquire(l)
      if (READY = false) {
        OBJECT := 42;
        READY := true
      }
      release(l)
    }
    begin:use
      object := OBJECT;
      object := object + OBJECT
    end
  end
}
