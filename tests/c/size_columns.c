// Rows of a length that is known; each thread has those that are as many behind its last one as there are threads.
// expect: scale atomic
#define SIZE size_t
#ifndef ROWS
#define ROWS unsigned
#endif
#ifndef LAST
#define LAST 639
#endif
#define LOOP(i) \
  SIZE i = me;  \
  i < (ROWS)n;  \
  i += threads
#define SCALE(i) \
  for (SIZE k = 0; k <= LAST; k++) data[i * 640 + k] += 1
#include "stride.c"
