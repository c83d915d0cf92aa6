// Threads call what a pointer to a member function leads to.
// expect: add atomic
// expect: chosen violated
// race: 23 25
#include <causal.h>

#include <mutex>
#include <thread>

class Counter {
public:
  void add(int more) {
    ATOMIC_BEGIN("add");
    {
      std::lock_guard<std::mutex> guard(lock);
      n += more;
      n += more;
    }
    ATOMIC_END();
  }
  void locked() {
    std::lock_guard<std::mutex> guard(lock);
    m++;
  }
  void plain() { m++; }
  void twice(void (Counter::*it)()) {
    ATOMIC_BEGIN("chosen");
    (this->*it)();
    (this->*it)();
    ATOMIC_END();
  }

private:
  std::mutex lock;
  int n = 0, m = 0;
};

static Counter counter;

int main() {
  std::thread first(&Counter::add, &counter, 1), second(&Counter::twice, &counter, &Counter::plain);
  counter.twice(&Counter::locked);
  counter.add(3);
  first.join();
  second.join();
}
