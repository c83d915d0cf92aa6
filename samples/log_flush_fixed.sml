// log_flush.sml with one critical section instead of two.
//
// Atomic: all that log_entry does, it does under the lock, without giving it back in between.
// run: -D N=1
// run: -D N=3
// expect: atomic
// expect-block: log_entry: atomic
// expect-block: sweep: atomic
int BUFFER, FILE; lock log;

N * {
  begin:log_entry
    acquire(log)
    BUFFER := BUFFER + 1;
    FILE := FILE + BUFFER;
    BUFFER := 0;
    release(log)
  end
}
||
begin:sweep
  acquire(log)
  BUFFER := 0;
  release(log)
end
