// what is wrong with assertions
int X; bool F;
begin assert(F = tru); atomic { assert(F) } assert F; assert(); asert(F); assert(F && end
||
assert := 1; x := assert; assert(x = 1); assert[0] := 1
