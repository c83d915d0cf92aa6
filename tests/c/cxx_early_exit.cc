// A constructor ends the process: objects that it has not come to have no destructor run, and those before it have.
// expect: twice atomic
// race: 14 20
#include <causal.h>

#include <pthread.h>

#include <cstdlib>

static int n;

struct First {
  First() {}
  ~First() { n = 3; }
};

static First one;

static void *add(void *unused) {
  n++;
  return unused;
}

struct Second {
  Second() {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, add, nullptr)) std::abort();
    if (std::rand()) std::exit(1);
    pthread_join(thread, nullptr);
  }
  ~Second() { std::abort(); }
};

static Second two;

int main() {
  ATOMIC_BEGIN("twice");
  n++;
  n++;
  ATOMIC_END();
}
