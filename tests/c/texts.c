// expect: say atomic
// expect: change violated
// expect: choose violated
// race: 35 35
// race: 35 39
/* More texts than an address may lead to places: all that are constant are one object. A text that may be changed is
 * one of its own. */
#include "causal.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define FOUR(x) x "a", x "b", x "c", x "d"
#define SIXTEEN(x) FOUR(x "a"), FOUR(x "b"), FOUR(x "c"), FOUR(x "d")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *const names[] = {SIXTEEN("a"), SIXTEEN("b"), SIXTEEN("c"), SIXTEEN("d"), SIXTEEN("e")};
static char own[] = "own", other[] = "other";
static size_t length;

static size_t length_of(const char *text) { return strlen(text); }

static void *work(void *argument) {
  const unsigned n = *(unsigned *)argument;
  pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("say");
  length += length_of(names[n]);
  length += length_of("more");
  ATOMIC_END();
  pthread_mutex_unlock(&lock);
  /* what is read there may be what another thread has written */
  char *const text = n ? own : other;
  ATOMIC_BEGIN("change");
  text[0]++;
  ATOMIC_END();
  const char *const which = n > 80 ? names[n % 80] : own;
  ATOMIC_BEGIN("choose");
  printf("%s%s", which, which);
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  static unsigned numbers[2];
  (void)argv;
  numbers[1] = (unsigned)argc % 80;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
