begin
  acquire(l)
end
