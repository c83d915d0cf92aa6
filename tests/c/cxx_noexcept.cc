// What is thrown in a function that must not throw ends the process, but the lock is given back before that.
// expect: add unknown
// gap: 17 calls '__cxa_throw', which is not known
#include <causal.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int n;

static void add(int most) noexcept {
  ATOMIC_BEGIN("add");
  {
    std::lock_guard<std::mutex> guard(lock);
    n++;
    if (n > most) throw most;
    n++;
  }
  ATOMIC_END();
}

int main() {
  std::thread other(add, 8);
  add(9);
  other.join();
}
