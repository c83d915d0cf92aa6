/* Small stacks: of a thread, and of a handler of signals, whose code is far from the rest, so that the recorder has to look at the modules.
 * has: T1:work\|w\(x\)
 * has: T0\|w\(x\)\|.*:away
 * stderr: the log has no transactions
 */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

enum { USED = 6000, BELOW = 32768, STACK = 8192 };

__asm__(".section .away,\"ax\"\n.space 3000000\n.text");

static volatile int x;
static char stack[BELOW + STACK];

__attribute__((section(".away"))) static void away(int number) { x += number; }

static void *work(void *argument) {
  volatile char used[USED];
  for (int i = 0; i < USED; i += 100) used[i] = 0;
  away(used[0]);
  x = 1;
  return argument;
}

int main(void) {
  const struct sigaction action = {.sa_handler = away, .sa_flags = SA_ONSTACK};
  const stack_t small = {.ss_sp = stack + BELOW, .ss_size = STACK};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  pthread_create(&thread, &attributes, work, NULL);
  pthread_join(thread, NULL);
  sigaltstack(&small, NULL);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  for (int i = 0; i < BELOW; i++)
    if (stack[i]) return 1;
  printf("%d\n", x - SIGUSR1);
  return 0;
}
