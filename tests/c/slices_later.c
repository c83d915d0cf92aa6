// What has been copied is changed.
// expect: scale violated
// race: 27 27
#define FILL args[t] = (Arg){.from = t * share, .to = (t + 1) * share, .data = data}, args[t].to++
#include "slices.c"
