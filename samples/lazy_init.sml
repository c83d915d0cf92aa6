// An object that is made, under a lock, by the first thread that needs it. READY says that it exists.
//
// Atomic: the lock is held from the first read of READY to the last use. double_checked.sml tries to avoid the
// lock.
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
