// Threads, locks and condition variables of C++ are those of POSIX; what the streams do is no access.
// expect: put atomic
// expect: take violated
// expect: twice violated
// race: 27 33
// race: 32 33
// race: 33 33
#include <causal.h>

#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static int n, bare;

static void put(int more) {
  ATOMIC_BEGIN("put");
  {
    std::lock_guard<std::mutex> guard(lock);
    n += more;
    changed.notify_one();
  }
  ATOMIC_END();
  if (bare) std::cout << "bare " << bare << '\n';
}

static void twice() {
  ATOMIC_BEGIN("twice");
  int old = bare;
  bare = old + 1;
  ATOMIC_END();
}

int main() {
  std::thread other([] {
    ATOMIC_BEGIN("take");
    {
      std::unique_lock<std::mutex> guard(lock);
      while (n == 0) changed.wait(guard);
      n--;
    }
    ATOMIC_END();
    twice();
  });
  std::thread third(put, 3);
  twice();
  other.join();
  third.join();
}
