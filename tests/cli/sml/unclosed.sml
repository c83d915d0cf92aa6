// what is open at the end of a thread is told with its beginning
while (x) {
  begin:B
    if (x) {
      skip
|| begin skip
|| /* and this has no end
