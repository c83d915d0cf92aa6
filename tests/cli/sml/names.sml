// the same errors as names, which are looked at once the grammar is right
int Y, Y; lock l, l2;
bool l := true;
proc Y { skip }
proc p { call q }
proc p { skip }
proc r { call s }
proc s { if (x) { call r } }
local bool f, Y; local int[3] f;
begin
  acquire(m)
  release(Y)
  l2 := 2;
  p := 3;
  x := l2 + p;
  call nope;
  call Y;
end
|| local bool f; f := 1
