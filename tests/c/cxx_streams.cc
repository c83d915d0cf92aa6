// What is written to a stream is read; a function that a stream calls is not followed.
// expect: count unknown
// gap: 19 calls a function by way of a stream
// race: 14 24
// race: 15 25
#include <causal.h>

#include <iostream>
#include <thread>

static char text[8] = "text";
static int number;

static void say() { std::cout << text << std::hex << 'x' << 1.5 << true << std::endl; }
static void count() { std::cout << number; }
static std::ostream &odd(std::ostream &out) { return out; }

// its place is that of the function
static void told() {
  std::cout << odd;
}

static void second() {
  text[1] = 'a';
  number = 1;
}

int main() {
  std::thread other(second);
  say();
  ATOMIC_BEGIN("count");
  count();
  ATOMIC_END();
  told();
  other.join();
}
