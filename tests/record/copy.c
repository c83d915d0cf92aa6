/* Copies over shared memory are accesses, and come out as they should; so do the heap's functions.
 * flags: -fno-builtin
 * has: ^T1:work\|w\(to
 * has: ^T0\|r\(to
 * has: ^T1:work\|r\(from
 * has: ^T1:work\|w\(text
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char from[3000], to[3000], text[40];

static void *work(void *argument) {
  memcpy(to, from, sizeof to);
  memmove(to + 700, to, 1500);
  memmove(to, to + 100, 1500);
  memset(to + 2000, 'x', 700);
  strcpy(text, "one");
  strcat(text, " two");
  strncpy(text + 10, "three", 10);
  return argument;
}

int main(void) {
  pthread_t thread;
  unsigned sum = 0;
  for (int i = 0; i < 3000; i++) from[i] = (char)(i % 101);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  for (int i = 0; i < 3000; i++) sum = sum * 31 + (unsigned char)to[i];
  printf("%u %s %s %d %d %zu\n", sum, text, text + 10, strcmp(text, "one") > 0, memcmp(to, from, 5) != 0, strlen(text));
  char *grown = malloc(10);
  strcpy(grown, "grown");
  for (size_t n = 20; n < 100000; n *= 3) grown = realloc(grown, n);
  void *aligned;
  if (posix_memalign(&aligned, 256, 100) || (unsigned long)aligned % 256) return 1;
  int *zeros = calloc(50, sizeof *zeros);
  printf("%s %d\n", grown, zeros[49]);
  free(grown), free(aligned), free(zeros);
  return 0;
}
