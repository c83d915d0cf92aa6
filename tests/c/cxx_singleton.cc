// A static object of a function is made once, while the others wait.
// expect: made atomic
// expect: use atomic
// expect: torn violated
// race: 34 34
// race: 34 35
// race: 35 35
#include <causal.h>

#include <thread>

struct Pair {
  int a, b;
  Pair() {
    ATOMIC_BEGIN("made");
    a = 1;
    b = 2;
    ATOMIC_END();
  }
};

static Pair &pair() {
  static Pair pair;
  return pair;
}

static void use() {
  Pair &p = pair();
  ATOMIC_BEGIN("use");
  const int sum = p.a;
  (void)sum;
  ATOMIC_END();
  ATOMIC_BEGIN("torn");
  p.b++;
  p.b++;
  ATOMIC_END();
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
}
