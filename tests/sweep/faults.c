#include "tests/sweep/faults.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *piece, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *piece, size_t size);

static FaultKind armed;
static uint64_t when;
static uint64_t *counter;

void fault_arm(FaultKind kind, uint64_t nth, uint64_t *count) {
  armed = kind;
  when = nth;
  counter = count;
}

static void send_signal(void) {
  struct sigaction action;
  if (sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler != SIG_DFL) raise(SIGTERM);
}

static bool fails(void) {
  if (!counter) return false;
  const uint64_t n = ++*counter;
  if (armed == FAULT_SIGNAL && n == when) send_signal();
  return (armed == FAULT_ONCE && n == when) || (armed == FAULT_FROM && n >= when);
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *piece, size_t size) { return fails() ? NULL : __real_realloc(piece, size); }
