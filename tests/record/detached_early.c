/* detached_early.c: a thread is detached before it has begun; another one has its handle later, and that one is joined.
 * count 40: ^T0[^|]*\|join\(T[0-9]*:stays\)\|
 * not: ^T0[^|]*\|join\(T[0-9]*:gone\)\|
 */
#include <pthread.h>
#include <unistd.h>

static void *gone(void *argument) { return argument; }
static void *stays(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 40; i++) {
    if (pthread_create(&thread, NULL, gone, NULL)) return 3;
    pthread_detach(thread);
    usleep(1000);
    if (pthread_create(&thread, NULL, stays, NULL)) return 3;
    if (pthread_join(thread, NULL)) return 3;
  }
  return 0;
}
