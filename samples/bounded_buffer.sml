// A bounded buffer of two items with semaphores: empty and full count, m guards the buffer.
//
// store, under m alone, is atomic. put is not: between its p(empty) and its v(full) other threads use the semaphores,
// each of which orders all that is done with it.
// expect: violated
// expect-block: store: atomic
// expect-block: take: atomic
// expect-block: put: violated
sem[2] empty = 2, full = 0; sem m = 1; int BUFFER;

2 * {
  begin:put
    p(empty);
    begin:store p(m); b := BUFFER; BUFFER := b + 1; v(m) end;
    v(full)
  end
}
||
2 * {
  p(full);
  begin:take p(m); b := BUFFER; BUFFER := b - 1; v(m) end;
  v(empty)
}
