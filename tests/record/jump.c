/* A longjmp leaves transactions.
 * atomic: outer,inner,after
 * count 4: ^T[01].*\|begin\(outer\)
 * count 4: ^T[01].*\|begin\(inner\)
 * count 4: ^T[01].*\|begin\(after\)
 * count 2: ^T[01].*\|begin\(block\)
 * count 14: ^T[01].*\|end
 * order: begin(outer) begin(inner) end end begin(after) end
 */
#include <causal.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static int shared;

static void inner(jmp_buf back, int depth) {
  shared++;
  if (depth < 3) longjmp(back, depth + 1);
}

static void outer(jmp_buf back, int depth) {
  shared++;
  inner(back, depth);
}

static void after(void) { shared++; }

static void *work(void *argument) {
  jmp_buf back;
  const int n = setjmp(back);
  if (n == 0) ATOMIC_BEGIN("block");
  after();
  if (n == 0) ATOMIC_END();
  if (n < 1) outer(back, 0);
  else if (n < 3) outer(back, 3);
  return argument;
}

int main(void) {
  pthread_t thread;
  work(NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  printf("%d\n", shared);
  return 0;
}
