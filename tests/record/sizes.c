/* Accesses of each size and alignment; neighbours in one word are objects of their own, an overlap is part of both.
 * flags: -w
 * has: w\(packed\.two\)
 * has: ^T1:work\|w\(neighbours\[1\]\)
 * not: ^T1:work\|w\(neighbours\[0\]\)
 * has: ^T0\|r\(neighbours\[1\]\)
 * not: \(alone
 * has: ^T1:work\|w\(word\.half\[0\]\)
 * has: ^T1:work\|w\(word\.half\[1\]\)
 * has: ^T0\|r\(word\.half\[1\]\)
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct __attribute__((packed)) {
  char first;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  __int128 sixteen;
} Packed;

typedef struct {
  long values[7];
} Large;

Packed packed;
char neighbours[2], alone[2];
union {
  uint64_t whole;
  uint32_t half[2];
} word;
Large large, other;
__int128 wide;
static volatile int vol;
static struct { unsigned a : 3, b : 7; } fields;

static void *work(void *argument) {
  packed.two = 1, packed.four = 2, packed.eight = 3, packed.sixteen = 4;
  neighbours[1] = 5;
  alone[1]++;
  word.whole = UINT64_C(0x600000007);
  large = other;
  large.values[3] = 9;
  wide = 10;
  vol = vol + 11;
  fields.b = 12;
  return argument;
}

int main(void) {
  pthread_t thread;
  alone[0]++;
  neighbours[0] = 1;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  other = large;
  printf("%d %d %d %d %d %d %d\n", packed.two, (int)packed.four, (int)packed.eight, (int)packed.sixteen, neighbours[1],
         (int)word.half[1], (int)word.half[0]);
  printf("%ld %d %d %d\n", other.values[3], (int)wide, vol, fields.b);
  return 0;
}
