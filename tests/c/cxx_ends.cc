// What runs behind main, and what runs when a thread ends in the middle, is not in the net.
// expect: add unknown
// gap: 12 runs behind main
// gap: 16 ends its thread, and runs destructors then
// gap: 24 ends its thread, and runs destructors then
#include <causal.h>
#include <pthread.h>

#include <mutex>

static std::mutex lock;
struct Last { ~Last() { std::lock_guard<std::mutex> guard(lock); } };
static Last last;
static int n;

static void *add(void *) {
  std::lock_guard<std::mutex> guard(lock);
  ATOMIC_BEGIN("add");
  n++;
  ATOMIC_END();
  pthread_exit(nullptr);
}

static void end() { pthread_exit(nullptr); }

int main() {
  pthread_t other;
  if (pthread_create(&other, nullptr, add, nullptr)) return 1;
  std::lock_guard<std::mutex> guard(lock);
  n = 0;
  end();
}
