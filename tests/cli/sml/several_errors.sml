// one error does not hide the next one
int Y
bool B;
begin
  Y := 5 +;
  if (Y < 3 { skip }
  while Y { x := ) }
  x := 1 < 2 < 3;
  x := 99999999999999999999;
  aquire(l);
  local bool f;
  atomic { while (x) { skip } acquire(l) begin skip end }
end
end
|| 3 * skip
|| x := a | b }
