// environment: the environment: no chain through other threads comes back
// The smallest block that moving steps does not prove: a chain may leave at X and one may enter at Y, but not the same one.
// Figure 7 of "Causal Atomicity".
int X, Y;
t := X || begin X := 1; Y := 1 end || r := Y
