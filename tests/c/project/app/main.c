#include "store.h"
#include <pthread.h>
#include "causal.h"
static void *work(void *unused) {
  (void)unused;
  ATOMIC_BEGIN(NAME);
  LOCK();
  const int was = get();
#ifdef FAST
  fast(was);
#endif
  put(was + 1);
  UNLOCK();
  ATOMIC_END();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
