// Main reads it anew.
// expect: bin violated
// race: 33 54
// race: 34 34
// race: 34 35
// race: 34 54
// race: 35 35
// race: 35 54
// race: 36 54
#define LATER \
  if (fread(data, 1, n, stdin) != n) return 3
#include "same_data.c"
