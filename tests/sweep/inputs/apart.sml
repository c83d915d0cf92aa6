int X; int Y;
begin:x X := 5; a := X end
|| begin:y Y := 2; b := Y end
