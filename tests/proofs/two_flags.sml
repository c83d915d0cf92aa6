// pairs: pairs of threads (F, G)
// The smallest block here that pairs prove: if T1 has found that G is false, T2 has yet to look at F.
bool F, G; int X;
F := true; await (!G); begin X := 1; X := 2 end || G := true; await (!F); x := X
