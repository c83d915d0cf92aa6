// Gaps: what is used later, or is of another thread, robust mutexes. Constant text that is kept is none, nor is free().
// expect: n unknown
// gap: 27 gives the library an address that it keeps
// gap: 30 calls 'pthread_mutexattr_setrobust', which is not known
// gap: 35 writes memory of the library
// gap: 36 uses errno of another thread
// race: 24 36
#include "two.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <syslog.h>

extern char **environ;
static pthread_key_t key, other;
static char name[8] = "name";
static int n, *error;

static void forget(void *unused) { (void)unused; }

static void first(void) {
  pthread_mutexattr_t attribute;
  error = &errno;
  pthread_key_create(&key, free);
  pthread_key_create(&other, forget);
  openlog(name, 0, 0);
  openlog("name", 0, 0);
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
}

static void second(void) {
  char **const all = environ;
  getopt(1, all, "a");
  if (error) *error = 1;
  ATOMIC_BEGIN("n");
  n++;
  ATOMIC_END();
}
