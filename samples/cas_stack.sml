// A stack whose top is moved by compare-and-swap (Treiber), with two nodes: 0 is the empty stack. Each thread takes the
// top off, works with the node, and puts it back.
//
// Not atomic: a pop that has read TOP and NEXT of that node tries again if TOP has changed, and what it read the first
// time belongs to the block. So does the attempt, if it is marked alone: between the read and the compare-and-swap two
// others may take both nodes and put the first one back (ABA), and then `attempt` sets TOP to a node that somebody
// owns. One event that reads and changes TOP, as in `swap`, is atomic.
// expect: violated
// expect-block: pop: violated
// expect-block: attempt: violated
// expect-block: swap: atomic
int[3] TOP := 2, NEXT1, NEXT2 := 1;

2 * {
  local int[3] top, next;
  local bool done;
  begin:pop
    while (!done) {
      begin:attempt
        top := TOP;
        if (top = 1) { next := NEXT1 } else { next := NEXT2 }
        if (top != 0) { atomic { if (TOP = top) { TOP := next; done := true } } }
      end
    }
  end;
  done := false;
  while (!done) {
    next := TOP;
    if (top = 1) { NEXT1 := next } else { NEXT2 := next }
    begin:swap
      atomic { if (TOP = next) { TOP := top; done := true } }
    end
  }
}
