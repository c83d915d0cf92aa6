lock l; int Y;
begin:set acquire(l); Y := 5; Y := 3; release(l) end
|| acquire(l); x := Y - 2; release(l)
