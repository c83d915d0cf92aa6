// One thread begins with the other page.
// expect: step violated
// race: 23 24
#define WRONG
#include "part_pages.c"
