// No handler is on the way of what add() throws; the one there is stands around another call.
// expect: add atomic
#include <causal.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int n;

static void add(int most) {
  ATOMIC_BEGIN("add");
  {
    std::lock_guard<std::mutex> guard(lock);
    if (n > most) throw most;
    n++;
  }
  ATOMIC_END();
}

static int twice(int x) { return 2 * x; }

int main() {
  std::thread other(add, 8);
  int most = 9;
  try {
    most = twice(most);
  } catch (int) {
    most = 0;
  }
  add(most);
  other.join();
}
