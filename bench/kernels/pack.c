/* pack.c: `pack [THREADS [KILOBYTES [ROUNDS]]]`: a compressor of many threads, as pigz and `zstd -T` are: each takes
 * the next piece of the input under a lock, finds what comes again by a table of hashes, and gives the result to a
 * list. */
#include <causal.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 15, HASHES = 1 << 12, LEAST = 4 };

typedef struct Result {
  struct Result *next;
  size_t n;
  uint8_t bytes[];
} Result;

static uint8_t *input;
static size_t length, taken;
static Result *results;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t hash_at(const uint8_t *at) { return (uint32_t)(at[0] | at[1] << 8 | at[2] << 16) * 2654435761u >> 20; }

static size_t match(const uint8_t *a, const uint8_t *b, const uint8_t *end) {
  size_t n = 0;
  while (b + n < end && a[n] == b[n] && n < 255) n++;
  return n;
}

static size_t pack(const uint8_t *from, size_t n, uint8_t *to) {
  static _Thread_local uint16_t last[HASHES];
  const uint8_t *at = from, *end = from + n;
  uint8_t *out = to;
  memset(last, 0, sizeof last);
  while (at + LEAST < end) {
    uint16_t *place = &last[hash_at(at)];
    const uint8_t *before = from + *place;
    const size_t same = before < at ? match(before, at, end) : 0;
    *place = (uint16_t)(at - from);
    if (same >= LEAST) {
      *out++ = 1;
      *out++ = (uint8_t)same;
      memcpy(out, &(uint16_t){(uint16_t)(at - before)}, 2);
      out += 2;
      at += same;
    } else {
      *out++ = *at++;
    }
  }
  while (at < end) *out++ = *at++;
  return (size_t)(out - to);
}

static const uint8_t *next_piece(size_t *n) {
  ATOMIC_BEGIN("next_piece");
  pthread_mutex_lock(&lock);
  const uint8_t *piece = taken < length ? input + taken : NULL;
  *n = length - taken < PIECE ? length - taken : PIECE;
  taken += *n;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return piece;
}

static void give(Result *result) {
  ATOMIC_BEGIN("give");
  pthread_mutex_lock(&lock);
  result->next = results;
  results = result;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void *work(void *argument) {
  uint8_t *room = malloc(2 * PIECE);
  const uint8_t *piece;
  size_t n;
  while (room && (piece = next_piece(&n))) {
    const size_t packed = pack(piece, n, room);
    Result *result = malloc(sizeof *result + packed);
    if (!result) break;
    result->n = packed;
    memcpy(result->bytes, room, packed);
    give(result);
  }
  free(room);
  return argument;
}

int main(int argc, char **argv) {
  pthread_t handles[256];
  size_t sum = 0;
  const int threads = argc > 1 ? atoi(argv[1]) : 16, rounds = argc > 3 ? atoi(argv[3]) : 1;
  length = (argc > 2 ? (size_t)atol(argv[2]) : 4096) << 10;
  if (threads < 1 || threads > 256 || !(input = malloc(length + 16))) return 3;
  uint32_t state = 1;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u;
    input[i] = i > 64 && state >> 28 ? input[i - 1 - (state >> 20) % 60] : (uint8_t)(state >> 13);
  }
  for (int round = 0; round < rounds; round++) {
    taken = 0;
    for (int i = 0; i < threads; i++) pthread_create(&handles[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
    for (Result *next; results; results = next) {
      next = results->next;
      sum += results->n;
      free(results);
    }
  }
  printf("%zu of %zu bytes\n", sum / (size_t)rounds, length);
  free(input);
  return 0;
}
