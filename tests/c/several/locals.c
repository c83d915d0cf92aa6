/* Local variables have the name that they have in the source, and that of their function. */
#include <causal.h>

#include <pthread.h>

static void *add(void *n) {
  ATOMIC_BEGIN("add");
  ++*(int *)n;
  ATOMIC_END();
  return NULL;
}

static void start(int passed) {
  pthread_t thread;
  pthread_create(&thread, NULL, add, &passed);
  passed++;
  pthread_join(thread, NULL);
}

int main(void) {
#ifdef PASSED
  start(0);
#else
  int own = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &own);
  own++;
#endif
  return 0;
}
