// atomic for every N: backward coverability
// a semaphore, built of a counter, whose value no thread alone knows
int[3] S := 1; int X;

N * {
  while (true) {
    atomic { await (S > 0); S := S - 1 };
    begin x := X; X := x + 1 end;
    S := S + 1
  }
}
