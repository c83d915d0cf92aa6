// What is thrown and may be caught is not followed.
// expect: add unknown
// gap: 15 calls '__cxa_throw', which is not known
#include <causal.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int n;

static void add(int most) {
  std::lock_guard<std::mutex> guard(lock);
  ATOMIC_BEGIN("add");
  if (n > most) throw most;
  n++;
  ATOMIC_END();
}

static void try_add(int most) {
  try {
    add(most);
  } catch (int) {
    n = 0;
  }
}

int main() {
  std::thread other(try_add, 8);
  try_add(9);
  other.join();
}
