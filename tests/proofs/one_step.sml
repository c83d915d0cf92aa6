// movers: reduction: its steps can be moved together
// No lock is needed for one step that others see.
int X, Y;
begin X := 1; y := Y end || X := 2; y := Y
