/* file_table.c: a privileged program looks whether a file belongs to the user, and then reads it by its name. Another
 * thread gives the name to a secret file in between: the check was about another file than the use ("time of check to
 * time of use"). Each look at the table holds its lock.
 *
 * Fixed: the lock is held from the check to the read. Transactions: `read_own`, `link_to`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

typedef struct {
  int owner, content;
} File;

enum { USER = 1000, ROOT = 0, DENIED = -1 };

static const File letter = {USER, 1}, secret = {ROOT, 2};
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static const File *table[4] = {&letter}; /* name: file */

static int read_own(int name) {
  int content = DENIED;
  ATOMIC_BEGIN("read_own");
  pthread_mutex_lock(&table_lock);
  const int may = table[name]->owner == USER;
#ifndef FIXED
  pthread_mutex_unlock(&table_lock); /* here the name can be given to another file */
  pthread_mutex_lock(&table_lock);
#endif
  if (may) content = table[name]->content;
  pthread_mutex_unlock(&table_lock);
  ATOMIC_END();
  return content;
}

static void link_to(int name, const File *file) {
  ATOMIC_BEGIN("link_to");
  pthread_mutex_lock(&table_lock);
  table[name] = file;
  pthread_mutex_unlock(&table_lock);
  ATOMIC_END();
}

static void *attacker(void *unused) {
  (void)unused;
  later();
  link_to(0, &secret);
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, attacker, NULL)) return 1;
  printf("content: %d\n", read_own(0));
  pthread_join(other, NULL);
  return 0;
}
