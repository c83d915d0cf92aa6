/* After a crash the log is there, up to it.
 * status: 139
 * has: ^T1:work\|w\(shared\)
 * has: ^T0\|w\(shared\)
 */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *work(void *argument) {
  shared++;
  return argument;
}

int main(void) {
  pthread_t thread;
  volatile int *volatile nowhere = NULL;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  shared++;
  printf("%d\n", shared);
  fflush(stdout);
  *nowhere = 1;
  return 0;
}
