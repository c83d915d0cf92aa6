// What runs before main is a part of it, and so is what runs behind it: no thread that was joined is there then, but
// where main returns early, for want of a thread, c2net does not know that there is none.
// expect: calls violated
// race: 11 28
// race: 19 28
#include "two.h"

static int n;

static void nothing(void) {}
static void add(void) { n++; }
static void (*handler)(void) = nothing;
static void (*other)(void) = nothing;

__attribute__((constructor(300))) static void later(void) { other = handler; }

__attribute__((constructor(200))) static void earlier(void) { handler = add; }

__attribute__((destructor)) static void last(void) { n = 3; }

static void first(void) {
  ATOMIC_BEGIN("calls");
  other();
  other();
  ATOMIC_END();
}

static void second(void) { n = 1; }
