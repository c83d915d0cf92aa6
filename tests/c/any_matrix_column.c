// Columns instead of rows, of which each thread has all.
// expect: multiply violated
// race: 16 16
// race: 16 17
// race: 17 17
#define ROW(i, j) ((j)*m)
#include "any_matrix.c"
