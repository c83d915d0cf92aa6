/* Freed memory is free: what comes to the same place is another object.
 * count 3: free\(heap\.c:[0-9]+:main\(24\)(#[23])?\)
 * has: ^T1:work\|w\(heap\.c:[0-9]+:main\(24\)\)
 * has: ^T3:work\|w\(heap\.c:[0-9]+:main\(24\)#3\)
 * not: 0x
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *argument) {
  long *shared = argument;
  for (int i = 0; i < 20; i++) {
    long *own = malloc(24);
    *own = i;
    *shared += *own;
    free(own);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  long sum = 0;
  for (int i = 0; i < 3; i++) {
    long *shared = malloc(24);
    *shared = 1;
    pthread_create(&thread, NULL, work, shared);
    pthread_join(thread, NULL);
    sum += *shared;
    free(shared);
  }
  printf("%ld\n", sum);
  return 0;
}
