/* loops.c: what loops access, in whatever steps, with calls and other accesses in between, is in the log as it was done.
 * count 1200: ^T1:[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*loops.c:32:
 * count 1: ^T1:[^|]*\|w\(row\[1199\]\)\|[^:]*loops.c:32:
 * count 1200: ^T1:[^|]*\|r\(row\[[0-9]*\]\)\|[^:]*loops.c:36:
 * count 1200: ^T1:[^|]*\|w\(back\[[0-9]*\]\)\|[^:]*loops.c:36:
 * count 600: ^T1:[^|]*\|w\(pairs\[[0-9]*\]\.b\)\|[^:]*loops.c:43:
 * count 1: ^T1:[^|]*\|w\(pairs\[7\]\.b\)\|[^:]*loops.c:43:
 * count 1200: ^T1:[^|]*\|w\(total\)\|[^:]*loops.c:(42|44):
 * count 200: ^T1:[^|]*\|r\(row\[[0-9]*\]\)\|[^:]*loops.c:51:
 * count 1: ^T1:[^|]*\|r\(row\[599\]\)\|[^:]*loops.c:51:
 * not: ^T1:[^|]*\|r\(row\[598\]\)\|[^:]*loops.c:51:
 * count 600: ^T1:[^|]*\|w\(grid\[[0-9]*\]\)\|[^:]*loops.c:58:
 * count 1: ^T1:[^|]*\|w\(grid\[5\]\)\|[^:]*loops.c:58:
 * count 2: ^T1:[^|]*\|w\(grid\[60\]\)\|[^:]*loops.c:58:
 * count 300: ^T1:[^|]*\|w\(row\[[0-9]*[02468]\]\)\|[^:]*loops.c:65:
 * count 300: ^T1:[^|]*\|r\(grid\[[0-9]*[13579]\]\)\|[^:]*loops.c:66:
 */
#include <pthread.h>

enum { N = 1200, PAIRS = 600 };

static volatile int row[N], grid[N], total;
static volatile char back[N];
static volatile struct {
  char a;
  short b;
} pairs[PAIRS];

static __attribute__((noinline)) int twice(int i) { return 2 * i; }

static void fill(void) {
  for (int i = 0; i < N; i++) row[i] = i;
}

static void turn(void) {
  for (int i = N; i-- > 0;) back[N - 1 - i] = (char)row[i];
}

/* Each time round there is a call, which makes no difference, and one variable comes twice. */
static void add_up(void) {
  for (int i = 0; i < PAIRS; i++) {
    total += 1;
    pairs[i].b = (short)twice(i);
    total += i;
  }
}

/* Each third, from the end. */
static int every_third(void) {
  int sum = 0;
  for (int i = PAIRS - 1; i > 0; i -= 3) sum += row[i];
  return sum;
}

/* The same loop, each time elsewhere. */
static void begin_again(void) {
  for (int k = 0; k < 20; k++)
    for (int i = 0; i < 30; i++) grid[k * k * 37 % 400 + i] = i;
}

/* By turns: what comes each time goes on in equal steps, what comes after it is not the same code. */
static void take_turns(void) {
  for (int i = 0; i < PAIRS; i++) {
    back[i] = 0;
    if (i % 2 == 0) row[i] = i;
    else (void)grid[i];
  }
}

static void *work(void *argument) {
  fill();
  turn();
  add_up();
  begin_again();
  take_turns();
  return every_third() ? NULL : argument;
}

int main(void) {
  pthread_t thread;
  work(NULL);
  pthread_create(&thread, NULL, work, NULL);
  return pthread_join(thread, NULL);
}
