// atomic for every N and M: cut-off at 7 threads of each kind
// the chain would need two threads to pass the gate, which is never opened again
int X, O, Y; lock gate;

begin X := 1; y := Y end
||
N * { acquire(gate); x := X; O := 1 }
||
M * { acquire(gate); o := O; Y := 1 }
