// Memory that is filled by functions of the library before others can know of it, or later.
// expect: filled atomic
// expect: later violated
// expect: told violated
// race: 50 52
// race: 63 69
// race: 64 69
// race: 69 69
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  char name[16];
} Node;

typedef struct {
  pthread_mutex_t lock;
  Node *head;
} Bucket;
static Bucket table[N], later[N], told[N];

static void add(unsigned key) {
  Bucket *b = &table[key % N];
  Node *n = malloc(sizeof *n);
  ATOMIC_BEGIN("filled");
  strcpy(n->name, "new");
  snprintf(n->name, sizeof n->name, "%u", key);
  pthread_mutex_lock(&b->lock);
  n->next = b->head;
  b->head = n;
  for (Node *i = b->head; i; i = i->next) i->name[0]++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* once it is in the list */
static void add_first(unsigned key) {
  Bucket *b = &later[key % N];
  Node *n = malloc(sizeof *n);
  ATOMIC_BEGIN("later");
  pthread_mutex_lock(&b->lock);
  n->next = b->head;
  b->head = n;
  for (Node *i = b->head; i; i = i->next) i->name[0]++;
  pthread_mutex_unlock(&b->lock);
  strcpy(n->name, "new");
  ATOMIC_END();
}

/* once another variable has its address */
static Node *_Atomic seen;
static void add_told(unsigned key) {
  Bucket *b = &told[key % N];
  Node *n = malloc(sizeof *n);
  ATOMIC_BEGIN("told");
  if (key % 3) seen = n;
  strcpy(n->name, "new");
  strcpy(n->name, "old");
  pthread_mutex_lock(&b->lock);
  b->head = n;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
  if (seen) seen->name[0]++;
}

static void work(void) {
  add((unsigned)rand());
  add_first((unsigned)rand());
  add_told((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
