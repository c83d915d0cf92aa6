// A vector's own handlers are for what its elements throw; that there is not enough memory does not happen.
// expect: add atomic
#include <causal.h>

#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int total;

static void add(int n) {
  ATOMIC_BEGIN("add");
  {
    std::lock_guard<std::mutex> guard(lock);
    total += n;
    total += n;
  }
  ATOMIC_END();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(add, i);
  for (auto &thread : threads) thread.join();
}
// races: undecided
