/* With entries of functions: a block that its function has left by a return, and an ATOMIC_END in another function.
 * atomic: work
 * stderr: left without its ATOMIC_END; it was ended there: 'left' at left.c:14:[0-9]*:leave by T1, its function returned$
 * stderr: ATOMIC_END without an ATOMIC_BEGIN in the same call: at left.c:21:[0-9]*:work by T1$
 */
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

static int shared;

static void leave(void) {
  ATOMIC_BEGIN("left");
  shared++;
}

static void *work(void *argument) {
  leave();
  shared++;
  ATOMIC_END();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  shared++;
  return 0;
}
