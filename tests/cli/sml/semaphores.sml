// what is wrong with semaphores and reader-writer locks
sem s = 1, unused = 0; rwlock r, idle; lock l; sem t[2] = 1; bool F;
proc q { skip }
begin
  x := s + r; acquire(s); p(l); v(r); unlock(l); rdlock(s); p(F);
  p(semm); v(tt); rdlock(rr); wrlock(r[0]); p(t); v(t[2]); s := 1; call q
end
|| p := 1; v := p; unlock := v; sem := rdlock   // names elsewhere
