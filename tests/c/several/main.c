// Two files with variables of one name, each its own.
#include <pthread.h>
#include "causal.h"
#include "store.h"
static int own;
static void *work(void *unused) {
  (void)unused;
  ATOMIC_BEGIN("add");
  const int was = get();
  put(was + 1);
  ATOMIC_END();
  own++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
