// A row goes on into the next one.
// expect: scale violated
// race: 40 40
#define LAST 640
#include "size_columns.c"
