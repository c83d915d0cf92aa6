// A thread alone could take the lock a second time; with the lock it never gets there. (Once: "the net is not 1-safe".)
lock m;
release(m);
||
acquire(m);
acquire(m);
begin
end;
release(m);
release(m);
