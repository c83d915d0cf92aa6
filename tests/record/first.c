/* The first thread ends before the others, and is joined as they are.
 * count 1: T1:work\|join\(T0\)
 * count 1: T1:work\|w\(a\)
 * count 1: T1:work\|fork\(T2:other\)
 * count 1: T1:work\|exit
 */
#include <pthread.h>
#include <stdio.h>

static int a, b;
static pthread_t first;

static void *other(void *argument) {
  b = a + b;
  return argument;
}

static void *work(void *argument) {
  pthread_t thread;
  pthread_join(first, NULL);
  a++;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  printf("%d\n", b);
  return argument;
}

int main(void) {
  pthread_t thread;
  a = b = 1;
  first = pthread_self();
  pthread_create(&thread, NULL, work, NULL);
  pthread_exit(NULL);
}
