// run: --any-number
int gap;
gap calls f : which is not known;
begin gap := 1 end
||
N * { gap := 2 }
