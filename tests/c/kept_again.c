// What hangs in an object is made longer there: text, and arrays that grow.
// expect: named atomic
// expect: pushed atomic
// expect: split atomic
// expect: summed atomic
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct {
  struct Vector *owner;
  int value;
  char *name;
} Item;

typedef struct Vector {
  pthread_mutex_t lock;
  Item *data;
  size_t n, capacity;
  char *name;
} Vector;
static Vector vectors[N];

static int keep_room(Vector *v) {
  if (v->n < v->capacity) return 1;
  const size_t capacity = v->capacity ? 2 * v->capacity : 8;
  Item *data = realloc(v->data, capacity * sizeof *data);
  if (!data) return 0;
  v->data = data;
  v->capacity = capacity;
  return 1;
}

static void push(Vector *v, int value) {
  ATOMIC_BEGIN("pushed");
  pthread_mutex_lock(&v->lock);
  if (keep_room(v)) {
    Item *it = &v->data[v->n++];
    it->owner = v;
    it->value = value;
    it->name = strdup("new");
  }
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
}

static int sum(Vector *v) {
  int all = 0;
  ATOMIC_BEGIN("summed");
  pthread_mutex_lock(&v->lock);
  for (size_t i = 0; i < v->n; i++) {
    all += v->data[i].value++;
    v->data[i].name[0] = 'a';
    v->data[i].owner->name = NULL;
  }
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
  return all;
}

static void rename_it(Vector *v, const char *name) {
  ATOMIC_BEGIN("named");
  pthread_mutex_lock(&v->lock);
  v->name = realloc(v->name, strlen(name) + 1);
  strcpy(v->name, name);
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
}

/* before it hangs there */
static void split(Vector *v) {
  char *name = malloc(10);
  name[0] = 's';
  ATOMIC_BEGIN("split");
  pthread_mutex_lock(&v->lock);
  free(v->name);
  v->name = realloc(name, 20);
  v->name[0] = 'S';
  v->name[0]++;
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
}

static void work(void) {
  push(&vectors[rand() % N], rand());
  sum(&vectors[rand() % N]);
  rename_it(&vectors[rand() % N], "name");
  split(&vectors[rand() % N]);
}

static void first(void) { work(); }
static void second(void) { work(); }
