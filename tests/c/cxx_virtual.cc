// A virtual function may be that of each class that an object may be of; that of the base class stops.
// expect: both violated
// expect: good atomic
// race: 24 24
#include <causal.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int guarded, bare;

struct Counter {
  virtual void add() = 0;
};
struct Good : Counter {
  void add() override {
    std::lock_guard<std::mutex> guard(lock);
    guarded++;
  }
};
struct Bad : Counter {
  void add() override {
    bare++;
  }
};

static Good good;
static Bad bad;

static void run(Counter *any) {
  Counter *mine = &good;
  ATOMIC_BEGIN("good");
  mine->add();
  ATOMIC_END();
  ATOMIC_BEGIN("both");
  any->add();
  any->add();
  ATOMIC_END();
}

int main() {
  std::thread other(run, &bad);
  run(&bad);
  other.join();
}
