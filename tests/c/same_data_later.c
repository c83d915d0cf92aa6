// Main reads it anew.
// expect: bin violated
// race: 32 56
// race: 34 56
// race: 36 36
// race: 36 37
// race: 37 37
#define LATER \
  if (fread(data, 1, n, stdin) != n) return 3
#include "same_data.c"
