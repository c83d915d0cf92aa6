/* later.h: what keeps the threads of these programs apart. Each mistake needs two threads within a few microseconds of
 * each other; here one of them comes a tenth of a second later, and so nothing goes wrong. It does not wait for anything:
 * that the first thread is done by then is luck, as it has been for years in programs with such a mistake. */
#ifndef LATER_H
#define LATER_H

#include <time.h>

static inline void later(void) {
  const struct timespec time = {0, 100 * 1000000};
  nanosleep(&time, NULL);
}

#endif
