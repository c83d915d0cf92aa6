// Not all threads of these vectors have been joined where their sum is read.
// races: undecided
// expect: given_away violated
// expect: in_place violated
// expect: but_one violated
// expect: but_first violated
// expect: let_go violated
// expect: moved violated
// expect: taken_out violated
// expect: one_more violated
// expect: left_early violated
// expect: or_else violated
// expect: all_detached violated
// expect: elsewhere violated
#include <causal.h>

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::thread other;

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

WORK(but_one)
static int run_but_one(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(but_one, i);
  for (size_t i = 0; i + 1 < t.size(); i++) t[i].join();
  const int sum = but_one_sum;
  t.back().join();
  return sum;
}

WORK(but_first)
static int run_but_first(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(but_first, i);
  for (size_t i = 1; i < t.size(); i++) t[i].join();
  const int sum = but_first_sum;
  t[0].join();
  return sum;
}

WORK(let_go)
static int run_let_go(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(let_go, i);
  t[0].detach();
  for (auto &x : t)
    if (x.joinable()) x.join();
  return let_go_sum;
}

WORK(moved)
static int run_moved(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(moved, i);
  std::thread first = std::move(t[0]);
  for (auto &x : t)
    if (x.joinable()) x.join();
  const int sum = moved_sum;
  first.join();
  return sum;
}

WORK(taken_out)
static int run_taken_out(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(taken_out, i);
  t.back().detach();
  t.pop_back();
  for (auto &x : t) x.join();
  return taken_out_sum;
}

WORK(one_more)
static int run_one_more(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(one_more, i);
  for (auto &x : t) x.join();
  t.emplace_back(one_more, n);
  const int sum = one_more_sum;
  t.back().join();
  return sum;
}

WORK(left_early)
static int run_left_early(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(left_early, i);
  for (auto &x : t) {
    if (left_early_sum > 3) std::_Exit(left_early_sum);
    x.join();
  }
  return 0;
}

WORK(or_else)
static int run_or_else(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(or_else, i);
  t[0].join();
  for (auto &x : t) {
    if (x.joinable()) x.join();
    else or_else_sum++;
  }
  return 0;
}

WORK(all_detached)
static int run_all_detached(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(all_detached, i);
  for (auto &x : t) x.detach();
  return all_detached_sum;
}

WORK(elsewhere)
static int run_elsewhere(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(elsewhere, i);
  for (auto &x : t) other.swap(x);
  for (auto &x : t)
    if (x.joinable()) x.join();
  return elsewhere_sum;
}

static void let_it_go(std::thread &x) { x.detach(); }

WORK(given_away)
static int run_given_away(int n) {
  std::vector<std::thread> t;
  for (int i = 0; i < n; i++) t.emplace_back(given_away, i);
  let_it_go(t[0]);
  for (auto &x : t)
    if (x.joinable()) x.join();
  return given_away_sum;
}

/* The place is looked up when the thread is there, and counts. */
static int run_in_place() {
  std::thread t[2];
  int k = 0;
  t[k] = std::thread([&k] {
    ATOMIC_BEGIN("in_place");
    lock.lock();
    k++;
    k--;
    lock.unlock();
    ATOMIC_END();
  });
  t[0].join();
  return 0;
}

int main(int argc, char **) {
  return run_in_place() + run_given_away(argc) + run_but_one(argc) + run_but_first(argc) + run_let_go(argc) +
         run_moved(argc) + run_taken_out(argc) + run_one_more(argc) + run_left_early(argc) + run_or_else(argc) +
         run_all_detached(argc) + run_elsewhere(argc);
}
