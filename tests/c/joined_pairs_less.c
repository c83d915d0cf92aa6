// Only half of them are joined.
// expect: sum violated
// race: 25 55
// race: 25 56
#define MADE 2
#define BETWEEN \
  for (int i = 0; i < n; i++) pthread_create(&threads[2 * i + 1], NULL, run, NULL)
#define JOINS \
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL)
#include "joined_back.c"
