/* word_count.c: two threads count words, each word under the lock of its bucket; the count is read in one critical
 * section and written in another one. Of many words only one that both threads count at the same time is counted
 * wrongly, and in each run the words come in another order.
 *
 * Fixed: one critical section. Transaction: `count`. */
#include "later.h"
#include "shuffle.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { WORDS = 40, BUCKETS = 8 };

static pthread_mutex_t locks[BUCKETS];
static int counts[WORDS];

static void count(int word) {
  pthread_mutex_t *lock = &locks[word % BUCKETS];
  ATOMIC_BEGIN("count");
  pthread_mutex_lock(lock);
  const int n = counts[word];
#ifndef FIXED
  pthread_mutex_unlock(lock); /* here the same word can be counted */
  pthread_mutex_lock(lock);
#endif
  counts[word] = n + 1;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
}

static void count_all(void) {
  int words[WORDS];
  shuffle(words, WORDS);
  for (int i = 0; i < WORDS; i++) count(words[i]);
}

static void *reader(void *unused) {
  (void)unused;
  later();
  count_all();
  return NULL;
}

int main(void) {
  pthread_t other;
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&locks[i], NULL);
  if (pthread_create(&other, NULL, reader, NULL)) return 1;
  count_all();
  pthread_join(other, NULL);
  int sum = 0;
  for (int i = 0; i < WORDS; i++) sum += counts[i];
  printf("%d words\n", sum);
  return 0;
}
