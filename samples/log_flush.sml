// A server's log: an entry is written into the buffer, and then the buffer goes to the file. The sweeper clears the
// buffer. After samples/bugs/log_flush.c; docs/tutorial.md tells the story.
//
// Not atomic: between the two critical sections of log_entry the sweeper clears what was not yet in the file.
// run: -D N=1
// run: -D N=3
// expect: violated
// expect-block: log_entry: violated
// expect-block: sweep: atomic
int BUFFER, FILE; lock log;

N * {
  begin:log_entry
    acquire(log)
    BUFFER := BUFFER + 1;
    release(log)
    acquire(log)
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
