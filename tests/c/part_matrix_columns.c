// What is written by rows is added to by columns.
// expect: multiply violated
// race: 23 24
// race: 24 24
#define WRONG
#include "part_matrix.c"
