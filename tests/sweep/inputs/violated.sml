lock l; int Y;
begin acquire(l) Y := 5; Y := 3 release(l) end
|| x := Y - 2
