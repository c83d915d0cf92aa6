// What hangs in an object is copied to another place there: the last one fills a gap, all move on, or to new memory.
// expect: filled atomic
// expect: grown atomic
// expect: moved atomic
// expect: seen atomic
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
} Vector;
static Vector vectors[N];

static void touch(Item *it) {
  it->value++;
  it->name[0]++;
  it->owner->capacity++;
  it->owner->capacity--;
}

static void push(Vector *v) {
  ATOMIC_BEGIN("grown");
  pthread_mutex_lock(&v->lock);
  if (v->n == v->capacity) {
    Item *data = malloc((v->capacity + 8) * sizeof *data);
    if (v->n) memcpy(data, v->data, v->n * sizeof *data);
    free(v->data);
    v->data = data;
    v->capacity += 8;
  }
  Item *it = &v->data[v->n++];
  it->owner = v;
  it->value = 0;
  it->name = strdup("new");
  touch(it);
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
}

static void fill(Vector *v, size_t i) {
  ATOMIC_BEGIN("filled");
  pthread_mutex_lock(&v->lock);
  if (i < v->n) {
    free(v->data[i].name);
    v->data[i] = v->data[--v->n];
    touch(&v->data[i]);
  }
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
}

static void shift(Vector *v) {
  ATOMIC_BEGIN("moved");
  pthread_mutex_lock(&v->lock);
  if (v->n > 1) {
    free(v->data[0].name);
    memmove(&v->data[0], &v->data[1], --v->n * sizeof v->data[0]);
    touch(&v->data[0]);
  }
  pthread_mutex_unlock(&v->lock);
  ATOMIC_END();
}

/* numbers, and a copy that leads to nothing that hangs there */
typedef struct Cell {
  struct Row *row;
  int value;
} Cell;
static struct Row {
  pthread_mutex_t lock;
  Cell *cells;
  int n;
} rows[N];

static void look(unsigned key) {
  struct Row *r = &rows[key % N];
  ATOMIC_BEGIN("seen");
  pthread_mutex_lock(&r->lock);
  if (!r->cells) {
    r->cells = calloc(N, sizeof *r->cells);
    r->cells[0].row = r;
  }
  Cell copy = r->cells[0];
  r->cells[0].value += copy.value;
  r->cells[0].row->n++;
  r->cells[0].row->n++;
  pthread_mutex_unlock(&r->lock);
  ATOMIC_END();
}

static void work(void) {
  push(&vectors[rand() % N]);
  fill(&vectors[rand() % N], (size_t)rand());
  shift(&vectors[rand() % N]);
  look((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
