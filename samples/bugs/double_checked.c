/* double_checked.c: a configuration is made when it is first asked for. To spare the lock the pointer is tested without
 * it first; but the pointer is set before the fields are. Another thread sees the pointer, and reads fields that nobody
 * has written. This is a data race, too.
 *
 * Fixed: pthread_once. Transaction: `capacity`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

typedef struct {
  int rows, columns;
} Config;

static Config the_config;
static Config *config;

static void make_config(void) {
  config = &the_config; /* from here on others take it for made */
  config->rows = 24;
  config->columns = 80;
}

#ifdef FIXED
static Config *get_config(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_config);
  return config;
}
#else
static Config *get_config(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (!config) {
    pthread_mutex_lock(&lock);
    if (!config) make_config();
    pthread_mutex_unlock(&lock);
  }
  return config;
}
#endif

static int capacity(void) {
  ATOMIC_BEGIN("capacity");
  const Config *c = get_config();
  const int n = c->rows * c->columns;
  ATOMIC_END();
  return n;
}

static void *client(void *unused) {
  (void)unused;
  later();
  printf("%d\n", capacity());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  const int n = capacity();
  pthread_join(other, NULL);
  printf("%d\n", n);
  return 0;
}
