// declarations that the grammar does not know; what the names mean is then not looked at
int Y, Y; lock l, l2;
bool l := true;
int[0] Z; int[65536] W; int[2] V := 5, U := -1;
proc Y { skip }
proc p { call q }
proc p { skip }
proc r { call s }
proc s { if (x) { call r } }
local bool f, Y; local int[3] f; local int k;
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
