// Maps and strings: what the library does to their nodes is read and written as theirs.
// expect: found atomic
// expect: twice violated
#include <causal.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> names;

static void found(const std::string &name) {
  ATOMIC_BEGIN("found");
  {
    std::lock_guard<std::mutex> guard(lock);
    if (names.find(name) == names.end()) names[name] = 1;
  }
  ATOMIC_END();
}

static void twice(const std::string &name) {
  ATOMIC_BEGIN("twice");
  for (int i = 0; i < 2; i++) {
    std::lock_guard<std::mutex> guard(lock);
    names[name]++;
  }
  ATOMIC_END();
}

static void work() {
  found("one");
  twice("two");
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
}
