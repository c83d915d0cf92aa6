// With two flags it is called twice, at once.
// expect: get violated
// race: 14 14
// race: 14 20
// race: 20 20
#include <causal.h>

#include <mutex>
#include <thread>

static std::once_flag one, other;
static int number;

static void count() { number++; }

static void get(std::once_flag *flag) {
  ATOMIC_BEGIN("get");
  std::call_once(*flag, count);
  std::call_once(*flag, count);
  number++;
  ATOMIC_END();
}

int main() {
  std::thread first(get, &one), second(get, &other);
  first.join();
  second.join();
}
