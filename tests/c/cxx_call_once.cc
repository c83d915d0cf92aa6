// What is called once is over when others go on.
// expect: get atomic
// expect: set violated
// race: 33 33
// race: 33 34
// race: 34 34
#include <causal.h>

#include <mutex>
#include <thread>

static std::once_flag flag;
static int *made;

static void make(int value) {
  made = new int(value);
  ++*made;
}

static void get() {
  ATOMIC_BEGIN("get");
  std::call_once(flag, make, 3);
  const int before = *made, after = *made;
  ATOMIC_END();
  if (before != after) std::terminate();
}

static int later;

static void set() {
  ATOMIC_BEGIN("set");
  std::call_once(flag, make, 3);
  later++;
  later++;
  ATOMIC_END();
}

static void run() {
  get();
  set();
}

int main() {
  std::thread first(run), second(run);
  first.join();
  second.join();
}
