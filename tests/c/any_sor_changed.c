// What a thread was given is changed when it runs.
// expect: make_rows violated
// expect: sweep violated
// race: 40 40
// race: 40 41
// race: 41 41
// race: 47 47
// race: 59 80
// race: 62 80
#define CHANGE() workers[i].to = size
#include "any_sor.h"
