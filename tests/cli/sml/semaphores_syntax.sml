sem s; sem a = -1; sem b = 70000; sem[2] c = 3; sem[x] d = 1; sem[0] g = 0; rwlock q[2]; rwlock; semaphore z = 1;
sem ok = 1; rwlock r;
begin atomic { p(ok); rdlock(r) } p ok; unlock r; p(); v(ok end
