/* cache.cc: what is not in a cache is computed and put there. Each method of the cache holds its lock, but between the
 * test and the insertion it is free: two threads both miss, and the key is there twice.
 *
 * Fixed: one method that tests and inserts. Transaction: `square`. */
#include "later.h"

#include <causal.h>

#include <cstdio>
#include <mutex>
#include <thread>

class Cache {
public:
  bool find(int key, int *value) {
    std::lock_guard<std::mutex> guard(lock);
    return find_locked(key, value);
  }

  void insert(int key, int value) {
    std::lock_guard<std::mutex> guard(lock);
    insert_locked(key, value);
  }

  int find_or_insert(int key, int (*compute)(int)) {
    std::lock_guard<std::mutex> guard(lock);
    int value;
    if (!find_locked(key, &value)) insert_locked(key, value = compute(key));
    return value;
  }

private:
  bool find_locked(int key, int *value) const {
    for (int i = 0; i < n; i++) {
      if (keys[i] != key) continue;
      *value = values[i];
      return true;
    }
    return false;
  }

  void insert_locked(int key, int value) {
    keys[n] = key;
    values[n++] = value;
  }

  std::mutex lock;
  int n = 0, keys[8], values[8];
};

static Cache cache;

static int compute(int key) { return key * key; }

static int square(int key) {
  int value;
  ATOMIC_BEGIN("square");
#ifdef FIXED
  value = cache.find_or_insert(key, compute);
#else
  if (!cache.find(key, &value)) { /* from here on another thread may insert it */
    value = compute(key);
    cache.insert(key, value);
  }
#endif
  ATOMIC_END();
  return value;
}

static void client() {
  later();
  std::printf("%d\n", square(8));
}

int main() {
  std::thread other(client);
  const int value = square(7);
  other.join();
  std::printf("%d\n", value);
}
