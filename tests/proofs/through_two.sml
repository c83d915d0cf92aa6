// violated: T1 T2 T3
int X, Y, Z;
begin X := 1; z := Z end || x := X; Y := 1 || y := Y; Z := 1
