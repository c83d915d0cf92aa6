// A cache: who does not find a value computes it, without the lock since that takes long, and puts it there.
//
// get is not atomic: between its two critical sections another thread may compute the same value and put it there
// first. Whether that matters depends on the value: it does if the two may differ, or if it is an object that must
// exist only once. The second look in get_once finds out, but is an event of the block like any other, so that block
// is violated, too; what is atomic in it is `put`, the critical section that looks again.
// run: -D N=2
// expect: violated
// expect-block: get: violated
// expect-block: get_once: violated
// expect-block: put: atomic
bool FILLED; int VALUE; lock l;

N * {
  local bool there;
  begin:get
    acquire(l)
    there := FILLED;
    v := VALUE;
    release(l)
    if (!there) {
      v := nondet;
      acquire(l)
      VALUE := v;
      FILLED := true;
      release(l)
    }
  end
}
||
N * {
  local bool there;
  begin:get_once
    acquire(l)
    there := FILLED;
    v := VALUE;
    release(l)
    if (!there) {
      w := nondet;
      begin:put
        acquire(l)
        if (!FILLED) { VALUE := w; FILLED := true }
        v := VALUE;
        release(l)
      end
    }
  end
}
