// Static objects are destroyed when main returns, the last one first; those of functions may be at any time then.
// expect: add atomic
// expect: late violated
// race: 17 37
#include <causal.h>

#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> numbers;
static int n;

struct Log {
  int lines = 0;
  ~Log() { n = lines; }
};

static Log &log() {
  static Log log;
  return log;
}

static void add() {
  ATOMIC_BEGIN("add");
  {
    std::lock_guard<std::mutex> guard(lock);
    numbers.push_back(1);
    numbers.push_back(2);
  }
  ATOMIC_END();
}

static void late() {
  ATOMIC_BEGIN("late");
  n++;
  ATOMIC_END();
}

int main() {
  std::thread one(add), two(add);
  std::thread(late).detach();
  one.join();
  two.join();
  return log().lines;
}
