/* loops.c: what loops access, in whatever steps, with calls and other accesses in between, is in the log as it was done.
 * count 1200: ^T1:[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*loops.c:54:
 * count 1: ^T1:[^|]*\|w\(row\[1199\]\)\|[^:]*loops.c:54:
 * count 1200: ^T1:[^|]*\|r\(row\[[0-9]*\]\)\|[^:]*loops.c:58:
 * count 1200: ^T1:[^|]*\|w\(back\[[0-9]*\]\)\|[^:]*loops.c:58:
 * count 600: ^T1:[^|]*\|w\(pairs\[[0-9]*\]\.b\)\|[^:]*loops.c:65:
 * count 1: ^T1:[^|]*\|w\(pairs\[7\]\.b\)\|[^:]*loops.c:65:
 * count 1200: ^T1:[^|]*\|w\(total\)\|[^:]*loops.c:(64|66):
 * count 200: ^T1:[^|]*\|r\(row\[[0-9]*\]\)\|[^:]*loops.c:73:
 * count 1: ^T1:[^|]*\|r\(row\[599\]\)\|[^:]*loops.c:73:
 * not: ^T1:[^|]*\|r\(row\[598\]\)\|[^:]*loops.c:73:
 * count 600: ^T1:[^|]*\|w\(grid\[[0-9]*\]\)\|[^:]*loops.c:80:
 * count 1: ^T1:[^|]*\|w\(grid\[5\]\)\|[^:]*loops.c:80:
 * count 2: ^T1:[^|]*\|w\(grid\[60\]\)\|[^:]*loops.c:80:
 * count 300: ^T1:[^|]*\|w\(row\[[0-9]*[02468]\]\)\|[^:]*loops.c:87:
 * count 300: ^T1:[^|]*\|r\(grid\[[0-9]*[13579]\]\)\|[^:]*loops.c:88:
 * count 1200: ^T1:[^|]*\|r\(pairs\[[0-9]*\]\.a\)\|[^:]*loops.c:95:
 * count 1200: ^T1:[^|]*\|w\(back\[[0-9]*\]\)\|[^:]*loops.c:96:
 * count 700: ^T1:[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*loops.c:97:
 * count 500: ^T1:[^|]*\|r\(grid\[[0-9]*\]\)\|[^:]*loops.c:98:
 * count 597: ^T1:[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*loops.c:106:
 * count 600: ^T1:[^|]*\|w\(back\[[0-9]*\]\)\|[^:]*loops.c:107:
 * count 1: ^T1:[^|]*\|w\(back\[979\]\)\|[^:]*loops.c:107:
 * not: ^T1:[^|]*\|w\(back\[9[34][0-9]\]\)\|[^:]*loops.c:107:
 * count 600: ^T1:[^|]*\|r\(grid\[[0-9]*\]\)\|[^:]*loops.c:108:
 * count 40: ^T1:[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*loops.c:115:
 * count 60: ^T1:[^|]*\|r\(row\[1[0-5][0-9]\]\)\|[^:]*loops.c:120:
 * count 60: ^T1:[^|]*\|r\(grid\[1[0-5][0-9]\]\)\|[^:]*loops.c:121:
 * count 60: ^T1:[^|]*\|r\(pairs\[1[0-5][0-9]\]\.b\)\|[^:]*loops.c:122:
 * count 60: ^T1:[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*loops.c:130:
 * count 10: ^T1:[^|]*\|w\(row\[[0-9]*[13579]\]\)\|[^:]*loops.c:130:
 * count 10: ^T1:[^|]*\|w\(pairs\[[0-9]*[13579]\]\.b\)\|[^:]*loops.c:132:
 * has: ^# T1:[^ ]* [^ ]*loops.c:138:[^ ]* from [^ ]*loops.c:142:
 * has: ^# T1:[^ ]* [^ ]*loops.c:138:[^ ]* from [^ ]*loops.c:143:
 * count 70000: ^T1:[^|]*\|w\(tally\)\|[^:]*loops.c:163:
 * has: ^# T1:[^ ]* [^ ]*loops.c:149:[^ ]* from [^ ]*loops.c:156:
 * has: ^# T1:[^ ]* [^ ]*loops.c:149:[^ ]* from [^ ]*loops.c:157:
 * has: ^# T1:[^ ]* [^ ]*loops.c:149:[^ ]* from [^ ]*loops.c:158:
 */
#include <pthread.h>

enum { N = 1200, PAIRS = 600 };

static volatile int row[N], grid[N], total, tally, last;
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

/* Likewise, where what comes in between is the same and the same, and one or the other. */
static void take_turns_of_three(int by) {
  for (int i = 0; i < PAIRS; i++) {
    (void)pairs[i].a;
    back[i] = 1;
    if (i % by) row[i] = 1;
    else (void)grid[i];
  }
}

/* Several rows at a time, each time elsewhere; mostly from the same place of the loop on. */
static void copy_rows(void) {
  for (int k = 0; k < 20; k++)
    for (int i = 0; i < 30; i++) {
      if (i || k % 7) row[k * k * 37 % 900 + i] = k;
      back[k * 50 + 29 - i] = 2;
      (void)grid[k * 13 + i];
    }
}

/* One loop right after the other, in the same steps, of which the second one is other code. */
static void go_on(void) {
  for (int i = 0; i < 40; i++) {
    row[i] = 3;
    grid[i] = 3;
    pairs[i].b = 3;
  }
  for (int i = 100; i < 160; i++) {
    (void)row[i];
    (void)grid[i];
    (void)pairs[i].b;
  }
}

/* In equal steps, and then elsewhere each time: once round does not make a loop. */
static void leap(void) {
  for (int k = 0; k < 60; k++) {
    const int i = k < 20 ? k : k * k * 37 % 500 / 2 * 2;
    row[i] = 4;
    grid[i] = 4;
    pairs[i].b = 4;
  }
}

/* Another call goes on where this one has ended. */
static __attribute__((noinline)) void put(int from, int to) {
  for (int i = from; i < to; i++) row[i] = 5;
}

static void put_all(void) {
  put(0, N / 2);
  put(N / 2, N);
}

/* Likewise, and nothing else has to be done but to say so: its line of memory is kept, and the first calls of the
 * thread, which are logged, are over. */
static __attribute__((noinline)) void tell(int from, int to) {
  for (int i = from; i < to; i++) last = i;
}

static __attribute__((noinline)) void call(void) { back[0] = 3; }

static void tell_all(void) {
  for (int i = 0; i < 100; i++) call();
  tell(0, 20);
  tell(20, 40);
  tell(40, 60);
}

/* More often than one word can count. */
static void count_long(void) {
  for (int i = 0; i < 70000; i++) tally = i;
}

static void *work(void *argument) {
  fill();
  turn();
  add_up();
  begin_again();
  take_turns();
  take_turns_of_three(2);
  take_turns_of_three(3);
  copy_rows();
  go_on();
  leap();
  put_all();
  tell_all();
  count_long();
  return every_third() ? NULL : argument;
}

int main(void) {
  pthread_t thread;
  work(NULL);
  pthread_create(&thread, NULL, work, NULL);
  return pthread_join(thread, NULL);
}
