/* Writers' locks and readers' locks; those of one reader within another are left out.
 * count 10: \|acq\(&lock\)
 * count 10: \|rel\(&lock\)
 * count 20: \|sacq\(&lock\)
 * count 21: \|srel\(&lock\)
 * count 1: T0\|stry\(&lock\)
 */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long shared;

static void *write_it(void *argument) {
  (void)argument;
  for (int i = 0; i < 10; i++) {
    pthread_rwlock_wrlock(&lock);
    shared++;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

static void *read_it(void *argument) {
  long seen = 0, *result = argument;
  for (int i = 0; i < 10; i++) {
    pthread_rwlock_rdlock(&lock);
    if (pthread_rwlock_tryrdlock(&lock) == 0) pthread_rwlock_unlock(&lock);
    if (shared < seen) seen = -1;
    else seen = shared;
    pthread_rwlock_unlock(&lock);
  }
  *result = seen >= 0;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  long good[2];
  pthread_create(&threads[0], NULL, write_it, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i + 1], NULL, read_it, &good[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%ld %ld %ld %d\n", shared, good[0], good[1], pthread_rwlock_tryrdlock(&lock));
  pthread_rwlock_unlock(&lock);
  return 0;
}
