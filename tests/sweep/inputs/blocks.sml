lock l; int Y;
begin:split Y := 5; Y := 3 end;
begin:whole acquire(l); Y := 1; release(l) end
|| x := Y - 2
