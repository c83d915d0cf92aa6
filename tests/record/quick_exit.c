/* After _exit the log is there, up to it.
 * exit: 9
 * has: ^T1:work\|w\(shared\)
 * has: ^T0\|w\(shared\)
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int shared;

static void *work(void *argument) {
  shared++;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  shared++;
  printf("%d\n", shared);
  fflush(stdout);
  _exit(9);
  return 0;
}
