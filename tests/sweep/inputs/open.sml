int[3] S := 1; int X;
N * { atomic { await (S > 0); S := S - 1 }; begin:one x := X; X := x + 1 end; S := S + 1 }
|| begin:two X := 1; X := 2 end
