/* Members and elements of globals have their names.
 * has: \|w\(inventory\.stock\[1\]\)
 * has: \|w\(inventory\.total\)
 * has: \|acq\(&inventory\.lock\)
 * has: \|acq\(&locks\[2\]\)
 * has: \|w\(grid\[1\]\[2\]\.x\)
 * has: \|w\(seen\)
 * has: \|w\(either\.bytes\[5\]\)
 * has: \|w\(either\.number\)
 * has: \|w\(word\.half\[1\]\)
 * has: \|w\(word\.pair\.first\)
 * has: \|w\(word\.pair\.second\)
 * has: \|w\(deep\.inner\.b\)
 * has: \|w\(nested\.inner\.b\)
 * has: \|w\(nested\.hidden\)
 * has: \|w\(bits\.{low,high}\)
 * has: \|w\(alone\.bit\)
 * has: \|w\(part\.whole\+4\)
 * has: \|w\(pairs\[1\]
 * has: \|w\(copied\)
 * has: \|w\(plain\)
 * has: \|r\(head\)
 * not: (inventory|locks|grid|nested|pairs)\+
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct inventory {
  int total, stock[3];
  pthread_mutex_t lock;
};
struct inventory inventory = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
typedef struct {
  short x, y;
} Point;
Point grid[3][4];
union {
  char bytes[8];
  int number;
  char others[8];
} either;
union {
  long whole;
  int half[2];
  struct {
    short first, second;
  } pair;
} word;
union {
  long whole;
  union {
    long all;
    struct {
      int a, b;
    };
  } inner;
} deep;
volatile struct {
  long a;
  struct {
    int a, b;
  } inner;
  struct {
    int hidden;
  };
} nested;
struct {
  int before;
  unsigned low : 3, high : 7;
} bits, copied;
struct {
  int before;
  unsigned bit : 3;
} alone;
struct {
  long before, whole;
} part;
struct pair {
  long a, b, c;
} pairs[2];
int plain;
static volatile size_t four = 4;
struct pair *volatile head = pairs;

static void *work(void *argument) {
  static int seen;
  pthread_mutex_lock(&inventory.lock);
  pthread_mutex_lock(&locks[2]);
  inventory.stock[1]++;
  inventory.total++;
  grid[1][2].x++;
  seen++;
  either.number++;
  either.bytes[5]++;
  word.half[1]++;
  word.pair.first++;
  word.pair.second++;
  deep.inner.b++;
  nested.inner.b++;
  nested.hidden++;
  bits.low++;
  alone.bit++;
  memset((char *)&part.whole + 4, 1, four);
  void *(*volatile copy)(void *, const void *, size_t) = memcpy;
  copy(&pairs[1], head, sizeof pairs[1]);
  copy(&copied, head, sizeof copied);
  plain++;
  pthread_mutex_unlock(&locks[2]);
  pthread_mutex_unlock(&inventory.lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  printf("%d %d %d\n", inventory.total, grid[1][2].x, plain);
  return 0;
}
