// violated: T1 T2
// A thread meets its own copies.
int X;
2 * { begin x := X; X := x + 1 end }
