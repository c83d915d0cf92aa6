/* hashtable.c: an iterator over a hash table, while another thread removes a key: `hashtable [KEYS [MILLISECONDS]]`;
 * after section 6 of L. Wang and S. Stoller, "Run-Time Analysis for Atomicity" (RV 2003), on JDK 1.4's Hashtable.
 *
 * Iterators are fail-fast: `next` gives up if the table has changed since the iterator began; otherwise it takes the
 * next entry. A removed entry loses its value. Each step holds the table's lock, so there is no race; but `next`
 * releases it between the check and the step. If `remove` comes in just then, `next` returns the value of a removed
 * entry: NULL, which no entry of the table has.
 *
 * Transactions: `next` and `remove_key`. The second thread sleeps before it removes, so nothing goes wrong, and the
 * recorded run is serializable. Other runs of the two threads are not: tracepredict --sync=locks and tracecheck
 * --analysis=blocks find them. */
// expect: serializable
// other runs: violated
// run: 10 30
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUCKETS = 8 };

typedef struct Entry {
  unsigned key;
  const char *value;
  struct Entry *next;
} Entry;

typedef struct {
  pthread_mutex_t lock;
  Entry *buckets[BUCKETS];
  unsigned n_changes;
} Table;

typedef struct {
  Table *table;
  unsigned n_changes; /* of the table, when the iterator began */
  unsigned bucket;
  Entry *entry;       /* the one that comes next; NULL: the first of the next bucket */
} Iterator;

static Table table = {.lock = PTHREAD_MUTEX_INITIALIZER};
static long milliseconds = 100;

static void put(Table *t, unsigned key, const char *value) {
  Entry *entry = malloc(sizeof *entry);
  if (!entry) abort();
  pthread_mutex_lock(&t->lock);
  *entry = (Entry){key, value, t->buckets[key % BUCKETS]};
  t->buckets[key % BUCKETS] = entry;
  t->n_changes++;
  pthread_mutex_unlock(&t->lock);
}

static void remove_key(Table *t, unsigned key) {
  ATOMIC_BEGIN("remove_key");
  pthread_mutex_lock(&t->lock);
  Entry **at = &t->buckets[key % BUCKETS];
  while (*at && (*at)->key != key) at = &(*at)->next;
  if (*at) {
    t->n_changes++;
    (*at)->value = NULL;
    *at = (*at)->next; /* iterators may still have the entry: it is not freed */
  }
  pthread_mutex_unlock(&t->lock);
  ATOMIC_END();
}

static Iterator iterate(Table *t) {
  pthread_mutex_lock(&t->lock);
  const Iterator it = {t, t->n_changes, 0, t->buckets[0]};
  pthread_mutex_unlock(&t->lock);
  return it;
}

static int is_changed(const Iterator *it) {
  pthread_mutex_lock(&it->table->lock);
  const int changed = it->table->n_changes != it->n_changes;
  pthread_mutex_unlock(&it->table->lock);
  return changed;
}

/* The value of the entry that comes next; *more becomes 0 where there is none. */
static const char *step(Iterator *it, int *more) {
  pthread_mutex_lock(&it->table->lock);
  while (!it->entry && ++it->bucket < BUCKETS) it->entry = it->table->buckets[it->bucket];
  const char *value = it->entry ? it->entry->value : NULL;
  *more = it->entry != NULL;
  if (it->entry) it->entry = it->entry->next;
  pthread_mutex_unlock(&it->table->lock);
  return value;
}

/* The next value; *more becomes 0 at the end, and if the table was changed. */
static const char *next(Iterator *it, int *more) {
  const char *value = NULL;
  ATOMIC_BEGIN("next");
  if (is_changed(it)) *more = 0;
  else value = step(it, more);
  ATOMIC_END();
  return value;
}

static void *read_all(void *unused) {
  Iterator it = iterate(&table);
  int more = 1, n = 0, n_null = 0;
  (void)unused;
  for (;;) {
    const char *value = next(&it, &more);
    if (!more) break;
    n++;
    n_null += value == NULL;
  }
  printf("%d values, %d of them NULL\n", n, n_null);
  return NULL;
}

static void *remove_one(void *unused) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  (void)unused;
  nanosleep(&time, NULL);
  remove_key(&table, 3);
  return NULL;
}

static void free_all(Table *t) {
  for (unsigned i = 0; i < BUCKETS; i++)
    while (t->buckets[i]) {
      Entry *entry = t->buckets[i];
      t->buckets[i] = entry->next;
      free(entry);
    }
}

int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 20;
  pthread_t reader, remover;
  if (argc > 2) milliseconds = strtol(argv[2], NULL, 10);
  for (unsigned key = 0; key < n; key++) put(&table, key, "value");
  if (pthread_create(&reader, NULL, read_all, NULL) || pthread_create(&remover, NULL, remove_one, NULL)) return 1;
  pthread_join(reader, NULL);
  pthread_join(remover, NULL);
  free_all(&table);
  return 0;
}
