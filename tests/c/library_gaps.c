// What is used later, or is a lock that somebody leaves behind, is a gap; text that is constant, and free, are none.
// expect: n unknown
// gap: 23 gives the library an address that it keeps
// gap: 24 gives the library an address that it keeps
// gap: 27 calls 'pthread_mutexattr_setrobust', which is not known
// gap: 32 writes memory of the library
#include "two.h"

#include <getopt.h>
#include <stdlib.h>
#include <syslog.h>

extern char **environ;
static pthread_key_t key, other;
static char name[8] = "name";
static int n;

static void forget(void *unused) { (void)unused; }

static void first(void) {
  pthread_mutexattr_t attribute;
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
  ATOMIC_BEGIN("n");
  n++;
  ATOMIC_END();
}
