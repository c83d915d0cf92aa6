#include <causal.h>
#include <pthread.h>
#include <stddef.h>
int get(void);
void put(int x);
#ifdef INLINE
extern inline __attribute__((gnu_inline)) void put(int x) { (void)x; }
#endif
static void *run(void *unused) {
  ATOMIC_BEGIN(NAME);
  put(get() + 1);
  ATOMIC_END();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
