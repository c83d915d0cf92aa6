/* A static variable of a function is set up once; the twin's own flag says that it is.
 * count 1: \|sig\(&(guard variable for )?use
 * count 1: \|wait\(&(guard variable for )?use
 */
#include "twin.h"

struct Pair {
  int left, right;
  Pair() : left(getpid() > 0), right(getpid() > 0) {}
};

#ifdef TWIN
static bool ready;
static int left, right;
#endif

static int use() {
  ATOMIC_BEGIN("use");
  CORRECT(static Pair pair; const int sum = pair.left + pair.right;)
  BROKEN(if (!ready) ready = true, left = 1, right = 1; const int sum = left + right;)
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) { return use() == 2 ? argument : nullptr; }

static void *second(void *argument) { return use() + use() == 4 ? argument : nullptr; }

int main() {
  run_both();
  return 0;
}
