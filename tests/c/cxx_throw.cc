// What is thrown and never caught ends the process. A destructor gives the lock back.
// expect: add atomic
#include <causal.h>

#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int n;

static void add(int most) {
  ATOMIC_BEGIN("add");
  {
    std::lock_guard<std::mutex> guard(lock);
    if (n > most) throw std::runtime_error("too many");
    n++;
  }
  ATOMIC_END();
}

int main() {
  std::thread other(add, 8);
  add(9);
  other.join();
}
