/* The program's files have the numbers that they have without the recorder. A program that closes all files, as daemons do, closes the log's too;
 * then its own files stay as they are, and the log goes on.
 * count 100000: T1:work\|w\(x\)
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS = 100000, FILES = 1010 };

static volatile int x;

static void *work(void *argument) {
  for (int i = 0; i < STEPS; i++) x = i;
  return argument;
}

int main(void) {
  pthread_t thread;
  struct stat status;
  FILE *own[FILES];
  int n = 0;
  const int first = dup(STDERR_FILENO);
  printf("%d\n", first);
  for (int i = STDERR_FILENO + 1; i < 4096; i++) close(i);
  while (n < FILES && (own[n] = tmpfile())) n++;
  for (int i = 0; i < STEPS; i++) x += i;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  for (int i = 0; i < n; i++)
    if (fstat(fileno(own[i]), &status) || status.st_size) printf("file %d is not empty\n", fileno(own[i]));
  printf("%d\n", x);
  return 0;
}
