// An exchange that is not looked at, that leaves the lock free, or that is undone, keeps nobody out.
// expect: flag violated
// expect: once violated
// expect: patient violated
// race: 20 22
// race: 22 22
// race: 27 27
// race: 32 32
#include "two.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int word;
static atomic_bool begun;
static int a, b, c;

static void both(void) {
  if (atomic_flag_test_and_set(&flag)) a = 0;
  ATOMIC_BEGIN("flag");
  a++, a++;
  ATOMIC_END();
  atomic_flag_clear(&flag);
  while (atomic_exchange(&word, 0)) {}
  ATOMIC_BEGIN("patient");
  b++, b++;
  ATOMIC_END();
  atomic_store(&word, 0);
  if (!atomic_exchange(&begun, true)) {
    ATOMIC_BEGIN("once");
    c++, c++;
    ATOMIC_END();
  }
}

static void first(void) { both(); }

static void second(void) {
  atomic_store(&begun, false);
  both();
}
