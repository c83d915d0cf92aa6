int X;
begin X := 1 end || M * { X := 1 } || N * { X := 2 } || M * { X := 3 } || N * { X := 4 }
