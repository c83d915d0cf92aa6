// Two threads that work in phases: each writes its cell, waits for the other one at a barrier, reads the other one's
// cell, and waits again. The barrier turns SENSE around when the second thread arrives.
//
// Each half of a phase is atomic: until the next barrier nobody else touches the cell that is written, and nobody
// writes the one that is read. A block around the barrier itself, `phase`, is not: whatever waits for another thread
// inside a block lets it come in between.
// expect: violated
// expect-block: write: atomic
// expect-block: read: atomic
// expect-block: phase: violated
bool ARRIVED, SENSE; int LEFT, RIGHT;

proc meet {
  mine := !mine;
  atomic { if (ARRIVED) { SENSE := mine }  ARRIVED := !ARRIVED }
  await (SENSE = mine)
}

local bool mine;
while (true) {
  begin:phase
    begin:write LEFT := nondet; LEFT := LEFT + 1 end;
    call meet;
    begin:read r := RIGHT; r := r + RIGHT end
  end;
  call meet
}
||
local bool mine;
while (true) {
  RIGHT := nondet;
  RIGHT := RIGHT + 1;
  call meet;
  l := LEFT;
  call meet
}
