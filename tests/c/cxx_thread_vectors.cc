// Threads in vectors and arrays of C++ are joined by loops over them: what is done behind is behind all that they do.
// races: undecided
// expect: last_one atomic
// expect: emplaced atomic
// expect: pushed atomic
// expect: by_number atomic
// expect: by_iterator atomic
// expect: sized atomic
// expect: in_array atomic
// expect: in_std_array atomic
// expect: if_joinable atomic
// expect: joined_before atomic
#include <causal.h>

#include <array>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;

/* A block that is seen to be split if somebody reads the sum meanwhile. */
#define WORK(name)          \
  static int name##_sum;    \
  static void name(int n) { \
    ATOMIC_BEGIN(#name);    \
    lock.lock();            \
    name##_sum += n;        \
    name##_sum += n;        \
    lock.unlock();          \
    ATOMIC_END();           \
  }

WORK(emplaced)
static int run_emplaced(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(emplaced, i);
  for (auto &x : t) x.join();
  return emplaced_sum;
}

WORK(pushed)
static int run_pushed(int n) {
  std::vector<std::thread> t;
  t.reserve(n);
  for (int i = 0; i < n; i++) t.push_back(std::thread(pushed, i));
  for (std::thread &x : t) x.join();
  return pushed_sum;
}

WORK(by_number)
static int run_by_number(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back([i] { by_number(i); });
  for (size_t i = 0; i < t.size(); i++) t[i].join();
  return by_number_sum;
}

WORK(by_iterator)
static int run_by_iterator(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(by_iterator, i);
  for (auto it = t.begin(); it != t.end(); ++it) it->join();
  return by_iterator_sum;
}

WORK(sized)
static int run_sized(int n) {
  std::vector<std::thread> t(n);
  for (int i = 0; i < n; i++) t[i] = std::thread(sized, i);
  for (auto &x : t) x.join();
  return sized_sum;
}

WORK(in_array)
static int run_in_array(int n) {
  std::thread t[4];
  for (int i = 0; i < 4; i++) t[i] = std::thread(in_array, n);
  for (auto &x : t) x.join();
  return in_array_sum;
}

WORK(in_std_array)
static int run_in_std_array(int n) {
  std::array<std::thread, 4> t;
  for (int i = 0; i < 4; i++) t[i] = std::thread(in_std_array, n);
  for (auto &x : t) x.join();
  return in_std_array_sum;
}

WORK(if_joinable)
static int run_if_joinable(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(if_joinable, i);
  for (auto &x : t)
    if (x.joinable()) x.join();
  return if_joinable_sum;
}

WORK(joined_before)
static int run_joined_before(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(joined_before, i);
  t[0].join();
  for (auto &x : t)
    if (x.joinable()) x.join();
  return joined_before_sum;
}

WORK(last_one)
static int run_last_one(int n) {
  std::vector<std::thread> t;
  t.emplace_back(last_one, n);
  t.back().join();
  return last_one_sum;
}

int main(int argc, char **) {
  return run_last_one(argc) + run_emplaced(argc) + run_pushed(argc) + run_by_number(argc) + run_by_iterator(argc) +
         run_sized(argc) + run_in_array(argc) + run_in_std_array(argc) + run_if_joinable(argc) +
         run_joined_before(argc);
}
