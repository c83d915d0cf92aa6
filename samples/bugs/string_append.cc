/* string_append.cc: a string is appended to another one. Its length is read first, to make room, and its characters are
 * copied later. Each step holds its lock; if it is cut short in between, characters are copied that it no longer has.
 *
 * Fixed: both strings are locked together. Transactions: `append`, `clear`. */
#include "later.h"

#include <causal.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

class Text {
public:
  explicit Text(const char *from) : length(std::strlen(from)) { std::memcpy(at, from, length + 1); }

  void append(Text &other) {
    ATOMIC_BEGIN("append");
#ifdef FIXED
    std::scoped_lock both(lock, other.lock);
    copy(other, other.length);
#else
    std::lock_guard<std::mutex> mine(lock);
    other.lock.lock();
    const std::size_t n = other.length;
    other.lock.unlock(); /* here the other string can change */
    other.lock.lock();
    copy(other, n);
    other.lock.unlock();
#endif
    ATOMIC_END();
  }

  void clear() {
    ATOMIC_BEGIN("clear");
    lock.lock();
    length = 0;
    at[0] = '\0';
    lock.unlock();
    ATOMIC_END();
  }

  const char *text() const { return at; }

private:
  void copy(const Text &other, std::size_t n) {
    std::memcpy(at + length, other.at, n);
    length += n;
    at[length] = '\0';
  }

  std::mutex lock;
  char at[32];
  std::size_t length;
};

static Text greeting("hello, "), name("world");

static void rename_later() {
  later();
  name.clear();
}

int main() {
  std::thread other(rename_later);
  greeting.append(name);
  other.join();
  std::printf("%s\n", greeting.text());
}
