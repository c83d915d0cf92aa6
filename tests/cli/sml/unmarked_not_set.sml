int X;
N * { X := 1 }
