/* unmarked.c: a seat is looked for under the lock, and taken under it again. No transaction is marked: `reserve` is
 * one.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 10, sold;

static __attribute__((noinline)) void reserve(void) {
  pthread_mutex_lock(&lock);
  const int left = seats;
  pthread_mutex_unlock(&lock);
  if (!left) return;
  pthread_mutex_lock(&lock);
  seats--;
  sold++;
  pthread_mutex_unlock(&lock);
}

static void *client(void *unused) {
  nanosleep(&(struct timespec){0, 100 * 1000000}, NULL);
  reserve();
  return unused;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  reserve();
  pthread_join(other, NULL);
  printf("sold: %d\n", sold);
  return 0;
}
