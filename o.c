#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int x;
int seen;
static void *other(void *u) { usleep(50000); seen = x; return u; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x = 1;
  usleep(100000);
  x = 2;
  pthread_join(t, 0);
  printf("%d\n", seen);
}
