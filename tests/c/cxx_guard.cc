// Guards of locks in arrays and in vectors, and of a class's own: the lock that is given back is the one that was taken.
// expect: array atomic
// expect: class atomic
// expect: other violated
// expect: scoped atomic
// expect: unique atomic
// race: 74 74
// race: 74 75
// race: 75 75
#include <causal.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr std::size_t N = 20;

std::mutex locks[N];
int counts[N], others[N];

struct Pool {
  std::array<std::mutex, N> locks;
  std::array<int, N> counts;
} pool;

class Stripes {
  std::mutex locks[N];
  long sums[N] = {};

 public:
  void add(std::size_t i) {
    std::lock_guard<std::mutex> guard(locks[i]);
    sums[i]++;
    sums[i]++;
  }
} stripes;

std::size_t any() { return static_cast<std::size_t>(std::rand()) % N; }

void run() {
  std::size_t i = any();
  ATOMIC_BEGIN("scoped");
  {
    std::lock_guard<std::mutex> guard(locks[i]);
    counts[i]++;
    counts[i]++;
  }
  ATOMIC_END();
  i = any();
  ATOMIC_BEGIN("array");
  {
    std::lock_guard<std::mutex> guard(pool.locks[i]);
    pool.counts[i]++;
    pool.counts[i]++;
  }
  ATOMIC_END();
  ATOMIC_BEGIN("class");
  stripes.add(any());
  ATOMIC_END();
  i = any();
  ATOMIC_BEGIN("unique");
  std::unique_lock<std::mutex> lock(locks[i]);
  counts[i]++;
  counts[i]++;
  lock.unlock();
  ATOMIC_END();
  const std::size_t k = any();
  ATOMIC_BEGIN("other");
  {
    std::lock_guard<std::mutex> guard(locks[i]);
    others[k]++;
    others[k]++;
  }
  ATOMIC_END();
}

}  // namespace

int main() {
  std::thread one(run), other(run);
  one.join();
  other.join();
}
