bool go; int Y;
await (go = true);
begin:never Y := 2; Y := 4 end
|| x := Y - 2
