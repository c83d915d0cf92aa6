// The chain goes from the first thread to the last one, and comes back by the one between.
int X, Y, Z;
begin X := 1; z := Z end
|| y := Y; Z := y
|| x := X; Y := x
