// what may not stand in an atomic may not be called there either
lock l;
proc inner { acquire(l) release(l) }
proc outer { skip call inner }
begin
  atomic { x := 1; call outer }
end
