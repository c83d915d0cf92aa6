// An object that the first thread that asks for it makes, under a lock. READY says that it is there.
//
// Atomic: the lock is held from the first look at READY to the last use. See double_checked.sml for the way
// around the lock.
// run: -D N=2
// run: -D N=4
// expect: atomic
bool READY; int OBJECT; lock l;

N * {
  begin:get
    acquire(l)
    if (READY = false) {
      OBJECT := 42;
      READY := true
    }
    object := OBJECT;
    release(l)
  end
}
