// Several mutexes at once: std::lock takes them in turns, and what fails is no event.
// expect: locks atomic
// expect: one_only violated
// expect: scoped atomic
#include <causal.h>

#include <mutex>
#include <thread>

static std::mutex a, b, c;
static int n, m;

static void add() {
  n++;
  m++;
  n++;
}

static void scoped() {
  std::scoped_lock all(a, b, c);
  ATOMIC_BEGIN("scoped");
  add();
  ATOMIC_END();
}

static void locks() {
  ATOMIC_BEGIN("locks");
  std::unique_lock<std::mutex> first(b, std::defer_lock), second(a, std::defer_lock);
  std::lock(first, second);
  add();
  if (second.owns_lock()) second.unlock();
  first.unlock();
  ATOMIC_END();
}

static void one_only() {
  ATOMIC_BEGIN("one_only");
  a.lock();
  a.unlock();
  std::scoped_lock both(a, b);
  ATOMIC_END();
}

static void run() {
  scoped();
  locks();
  one_only();
}

int main() {
  std::thread other(run);
  run();
  other.join();
}
