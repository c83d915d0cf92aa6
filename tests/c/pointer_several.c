// A call through a pointer that may lead to a function that is not defined here, too; or of which nothing is known.
// expect: known unknown
// expect: several unknown
// expect: nobody unknown
// gap: 26 calls one of several functions of the library
// gap: 26 calls 'elsewhere', which is not known
// gap: 29 calls a function of which nothing is known
#include "two.h"

#include <stdint.h>
#include <stdlib.h>

static int n;
extern void elsewhere(void);

static void add(void) { n++; }
static void nothing(void) {}

static void (*const functions[2])(void) = {add, elsewhere};
static void (*const known[2])(void) = {add, nothing};
static void (*hook)(void);

static void first(void) {
  hook = (void (*)(void))(intptr_t)rand();
  ATOMIC_BEGIN("several");
  functions[rand() % 2]();
  ATOMIC_END();
  ATOMIC_BEGIN("nobody");
  if (hook) hook();
  ATOMIC_END();
  ATOMIC_BEGIN("known");
  known[rand() % 2]();
  ATOMIC_END();
}

static void second(void) {}
