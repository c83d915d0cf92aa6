int Y;
Y := 1 || x := Y
