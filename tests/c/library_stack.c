// Addresses that the library knows of its own: of stacks, and what comes with a signal.
// expect: other unknown
// expect: sent unknown
// expect: stack unknown
// gap: 27 gives the library an address that it keeps
// gap: 35 accesses memory that is not known
// gap: 43 accesses memory that is not known
// race: 35 43
#define _GNU_SOURCE
#include "two.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static long sent, stack, other, own;

#define TWICE(x)    \
  ATOMIC_BEGIN(#x); \
  x++;              \
  x++;              \
  ATOMIC_END()

static void first(void) {
  union sigval value;
  value.sival_ptr = &sent;
  sigqueue(getpid(), SIGUSR1, value);
  TWICE(sent);

  pthread_attr_t attribute;
  pthread_getattr_np(pthread_self(), &attribute);
  void *from = &own;
  size_t size;
  if (rand()) pthread_attr_getstack(&attribute, &from, &size);
  ++*(long *)from;
  TWICE(stack);
}

static void second(void) {
  stack_t old;
  old.ss_sp = &own;
  if (rand()) sigaltstack(NULL, &old);
  ++*(long *)old.ss_sp;
  TWICE(other);
}
