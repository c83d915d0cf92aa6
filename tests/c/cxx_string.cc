// What strings throw comes to the handler, though the function that throws is in libstdc++'s library.
// expect: at unknown
// gap: 17 calls 'std::__throw_out_of_range_fmt', which is not known
// race: 15 21
#include <causal.h>

#include <string>
#include <thread>

static int n;
static std::string text;

static void first() {
  ATOMIC_BEGIN("at");
  n = 1;
  try {
    (void)text.at(7);
  } catch (...) { n = 2; }
  ATOMIC_END();
}
static void second() { n = 5; }

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
}
