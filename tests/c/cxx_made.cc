// Blocks in which static objects of functions are made, or looked for: that one is not there yet is no event.
// expect: by_hand violated
// expect: changed violated
// expect: get atomic
// expect: nested atomic
// expect: some atomic
// expect: twice atomic
// race: 70 70
#include <causal.h>

#include <atomic>
#include <mutex>
#include <thread>

struct Config {
  int value;
  explicit Config(int number) : value(number) {}
};

static Config &config() {
  static Config it(3);
  return it;
}

static int inner() {
  static Config it(config().value);
  return it.value;
}

static Config &other() {
  static Config it(4);
  return it;
}

static std::mutex lock;
static std::atomic<char> is_made;
static int made;

static int by_hand() {
  if (!is_made.load()) {
    std::lock_guard<std::mutex> guard(lock);
    if (!is_made.load()) {
      made = 3;
      is_made.store(1);
    }
  }
  return made;
}

static void work(int n) {
  int sum = 0;
  ATOMIC_BEGIN("get");
  sum += config().value;
  ATOMIC_END();
  ATOMIC_BEGIN("twice");
  sum += config().value;
  sum += config().value;
  ATOMIC_END();
  ATOMIC_BEGIN("nested");
  sum += inner();
  ATOMIC_END();
  ATOMIC_BEGIN("some");
  if (n > sum) sum += inner();
  sum += config().value;
  ATOMIC_END();
  ATOMIC_BEGIN("by_hand");
  sum += by_hand();
  ATOMIC_END();
  ATOMIC_BEGIN("changed");
  other().value += sum;
  ATOMIC_END();
}

int main(int argc, char **) {
  std::thread one(work, argc), two(work, argc);
  one.join();
  two.join();
}
