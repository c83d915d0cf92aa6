// What was returned is kept where another thread finds it.
// expect: add violated
// expect: sum violated
// race: 35 35
// race: 39 39
// race: 39 57
// race: 39 58
// race: 40 40
// race: 40 58
#define MADE kept ? kept : (kept = calloc(1, sizeof(struct result)))
#include "result.c"
