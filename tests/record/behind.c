/* What lies behind a block is not called after it, also where no other block begins in between.
 * has: \|w\(behind\.c:[0-9]+:main\(33\)\+16\)
 * has: \|w\(0x[0-9a-f]+\)
 * not: main\(33\)\+3[4-9]
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static char *block;
static volatile size_t behind = 36; /* the allocator gives a little more than was asked for */

static void *work(void *argument) {
  block[16] = 1;
  if (malloc_usable_size(block) > behind) block[behind] = 2;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  block = malloc(33);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  free(block);
  return 0;
}
