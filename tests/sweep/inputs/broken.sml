int X;
begin:torn X := 1; X := y
||
y := X
