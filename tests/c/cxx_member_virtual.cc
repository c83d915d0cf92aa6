// What a pointer to a virtual member function leads to hangs on the object. An address with a mark is no such pointer.
// expect: add violated
// expect: tagged violated
// race: 39 39
// race: 39 40
// race: 40 40
#include <causal.h>

#include <cstdint>
#include <mutex>
#include <thread>

static std::mutex lock;
static int n, one, two;

struct Counter {
  virtual ~Counter() = default;
  virtual void add() {
    std::lock_guard<std::mutex> guard(lock);
    n++;
  }
  void both() {
    ATOMIC_BEGIN("add");
    add();
    add();
    ATOMIC_END();
  }
};

struct Words {
  std::uintptr_t at, more;
};

static Words mark(int *place, bool marked) { return Words{reinterpret_cast<std::uintptr_t>(place) + marked, 0}; }

static void tagged(Words words) {
  int *const place = words.at & 1 ? reinterpret_cast<int *>(words.at - 1) : reinterpret_cast<int *>(words.at);
  ATOMIC_BEGIN("tagged");
  ++*place;
  ++*place;
  ATOMIC_END();
}

int main(int argc, char **) {
  Counter counter;
  std::thread first(&Counter::both, &counter), second(&Counter::add, &counter);
  std::thread third([=] { tagged(mark(argc > 1 ? &one : &two, argc > 2)); });
  tagged(mark(&one, argc > 3));
  first.join();
  second.join();
  third.join();
}
