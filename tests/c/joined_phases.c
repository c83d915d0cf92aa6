// Others, created behind the joins, meet none of those, and put their handles into the same table.
// expect: show atomic
// expect: sum atomic
#define MORE                              \
  static void *show(void *argument) {     \
    ATOMIC_BEGIN("show");                 \
    argument = total + total ? &n : NULL; \
    ATOMIC_END();                         \
    return argument;                      \
  }
#ifndef FIRST_END
#define FIRST_END n
#endif
#define BETWEEN                                                       \
  for (int i = 0; i < FIRST_END; i++) pthread_join(threads[i], NULL); \
  for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, show, NULL)
#include "joined.c"
