// A simplified Bluetooth driver of Windows NT, after Qadeer and Wu, "KISS: keep it simple and sequential"
// (PLDI 2004). Row "Bluetooth" of the table in "Causal Atomicity" (CAV 2006).
//
// PIO counts the users of the driver, plus one for the driver itself; FLAG tells it to stop, EVENT says that
// there are no users any more.
//
// Not atomic, and a real bug: Add finds FLAG false, and only then counts itself in. In between Stop may have
// set FLAG, counted the driver itself out and finished: then Add uses a driver that is stopped. In
// bluetooth3.sml Add counts first. The warning about PIO is right: with more than two threads inside Add, a
// larger range would be needed.
// run: -W no-modulo-wrap
// expect: violated
// expect-block: Add: violated
// expect-block: Stop: violated
bool FLAG, EVENT, STOPPED; int[3] PIO := 1; lock l;

local bool last;
begin:Add
  if (FLAG = false) {
    acquire(l)
    PIO := PIO + 1;
    release(l)
    s := STOPPED;         // the work: it goes wrong if the driver is stopped
    acquire(l)
    PIO := PIO - 1;
    last := PIO = 0;
    release(l)
    if (last = true) { EVENT := true }
  }
end
||
local bool last;
begin:Stop
  FLAG := true;
  acquire(l)
  PIO := PIO - 1;
  last := PIO = 0;
  release(l)
  if (last = true) { EVENT := true }
  await (EVENT = true);
  STOPPED := true
end
