// movers: reduction: its steps can be moved together
// Nobody looks at X before F is set, and nobody touches it afterwards but to read it: values protect it.
bool F; int X;
begin X := 1; X := 2 end; F := true || await (F); x := X
