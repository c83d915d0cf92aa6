// The Bluetooth driver (see bluetooth.sml), fixed after Chaki and others, "Verifying concurrent
// message-passing C programs with recursive calls" (TACAS 2006). Row "Bluetooth3" of the table in "Causal
// Atomicity" (CAV 2006).
//
// Add counts itself in before it reads FLAG, so the driver cannot be stopped while Add works: the program is
// correct. It is still not causally atomic: Add and Stop take turns at PIO, FLAG and EVENT. That each order
// gives the same result depends on values, which causality does not see; the paper says so, too.
// run: -W no-modulo-wrap
// expect: violated
// expect-block: Add: violated
// expect-block: Stop: violated
bool FLAG, EVENT, STOPPED; int[3] PIO := 1; lock l;

local bool last;
begin:Add
  acquire(l)
  PIO := PIO + 1;
  release(l)
  if (FLAG = false) {
    s := STOPPED          // the work
  }
  acquire(l)
  PIO := PIO - 1;
  last := PIO = 0;
  release(l)
  if (last = true) { EVENT := true }
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
