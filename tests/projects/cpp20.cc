// What C++20 has for threads: jthread and stop tokens, latch, barrier, semaphore, atomic wait, atomic_ref.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

struct Account {
  std::mutex mutex;
  int balance = 0;
  std::string last;
  void deposit(int amount) {
    std::scoped_lock lock(mutex);
    balance += amount;
    last = std::to_string(amount);
  }
};

int main() {
  constexpr int N = 4;
  Account account;
  std::latch ready(N);
  std::barrier phase(N);
  std::counting_semaphore<2> room(2);
  std::atomic<int> turn = 0;
  std::shared_mutex shared;
  std::vector<int> values(N);
  int plain = 0, sum = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < N; i++)
      threads.emplace_back([&, i] {
        ready.arrive_and_wait();
        for (int k = 0; k < 10; k++) account.deposit(k);
        room.acquire();
        std::atomic_ref<int>(plain).fetch_add(1);
        room.release();
        phase.arrive_and_wait();
        for (int now; (now = turn.load()) != i;) turn.wait(now);
        {
          std::unique_lock lock(shared);
          values[i] = i * i;
        }
        turn = i + 1;
        turn.notify_all();
        phase.arrive_and_wait();
        std::shared_lock lock(shared);
        const int all = std::accumulate(values.begin(), values.end(), 0);
        std::atomic_ref<int>(sum) += all;
      });
  }
  std::mutex mutex;
  std::condition_variable_any changed;
  auto counter = std::make_shared<int>(0);
  std::jthread ticking([&, counter](std::stop_token stop) {
    std::unique_lock lock(mutex);
    while (!changed.wait(lock, stop, [&] { return *counter == 3; })) {
      if (stop.stop_requested()) break;
    }
    *counter += 10;
  });
  for (int i = 0; i < 3; i++) {
    std::scoped_lock lock(mutex);
    ++*counter;
    changed.notify_one();
  }
  ticking.join();
  std::printf("%d %d %d %d\n", account.balance, plain, sum, *counter);
  return 0;
}
