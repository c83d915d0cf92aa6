// Addresses that go from one array of a structure to another one, what is done to all of it, and other locks: nothing is
// kept by them that is not.
// races: undecided
// sml: split
// expect: bytes violated
// expect: cast violated
// expect: copied violated
// expect: decayed violated
// expect: ends violated
// expect: filled violated
// expect: found violated
// expect: halves violated
// expect: inner violated
// expect: mixed violated
// expect: more violated
// expect: other violated
// expect: prefix violated
// expect: read violated
// expect: sorted violated
// expect: striped violated
// expect: whole violated
// expect: words violated
#include "two.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t locks[N];
  int counts[N];
} Pool;

typedef struct {
  int counts[N];
  pthread_mutex_t locks[N];
} Counts;

typedef struct {
  struct {
    int counts[N], all;
  } in;
  pthread_mutex_t locks[N];
} Inner;

/* The counters are the first half of an array, or of both. */
typedef struct {
  union {
    int counts[N], all[2 * N];
  } in;
  pthread_mutex_t locks[N];
} Union;

typedef struct {
  union {
    struct {
      int counts[N], more[N];
    } half;
    int all[2 * N];
  } in;
  pthread_mutex_t locks[N];
} Halves;

/* Is longer than the locks. */
typedef struct {
  pthread_mutex_t locks[N];
  int first;
} Prefix;

static Pool bytes, copied, ends, filled, found, mixed, more, other, prefix, reads, sorted, striped, words;
static const Pool none;
static Counts whole;
static Inner inner;
static Union decayed, cast;
static Halves halves;
static Pool *way;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#define TWICE(name, pool, count)            \
  do {                                      \
    const int i = rand() % N;               \
    ATOMIC_BEGIN(name);                     \
    pthread_mutex_lock(&(pool).locks[i]);   \
    (pool).count[i]++;                      \
    (pool).count[i]++;                      \
    pthread_mutex_unlock(&(pool).locks[i]); \
    ATOMIC_END();                           \
  } while (0)

static void first(void) {
  TWICE("bytes", bytes, counts);
  TWICE("cast", cast, in.counts);
  TWICE("copied", copied, counts);
  TWICE("decayed", decayed, in.counts);
  TWICE("ends", ends, counts);
  TWICE("filled", filled, counts);
  TWICE("found", found, counts);
  TWICE("halves", halves, in.half.more);
  TWICE("inner", inner, in.counts);
  TWICE("mixed", mixed, counts);
  TWICE("more", more, counts);
  TWICE("other", other, counts);
  TWICE("prefix", prefix, counts);
  TWICE("read", reads, counts);
  TWICE("sorted", sorted, counts);
  TWICE("striped", striped, counts);
  TWICE("whole", whole, counts);
  TWICE("words", words, counts);
}

static void change(void *memory) { ++*(int *)memory; }

static void change_first(Prefix *p) { ++p->first; }

static int *mix(void *memory, uintptr_t bits) { return (int *)((uintptr_t)memory ^ bits); }

static void change_all(int *all, int i) {
  for (int k = 0; k < i; k++) all[k]++;
}

static void second(void) {
  const int i = rand() % N, k = rand() % N;
  ++*(int *)((char *)&bytes.locks[0] + offsetof(Pool, counts) + 4 * (size_t)i);
  change_all((int *)&cast.in, 2 * i);
  copied = none;
  change_all(decayed.in.all, 2 * i);
  change_all((int *)&halves.in, 2 * i);
  int *end = &ends.counts[N];
  end[-1 - i]++;
  memset(&filled, 0, sizeof filled);
  way = (Pool *)((char *)&found.counts[i] - offsetof(Pool, counts) - 4 * (size_t)i);
  way->counts[k]++;
  memset(&inner.in, 0, sizeof inner.in);
  ++*mix(&mixed, offsetof(Pool, counts) + 4 * (size_t)i);
  pthread_mutex_lock(&more.locks[i]);
  more.counts[i + 1]++;
  pthread_mutex_unlock(&more.locks[i]);
  pthread_mutex_lock(&other.locks[i]);
  other.counts[k]++;
  pthread_mutex_unlock(&other.locks[i]);
  change_first((Prefix *)&prefix);
  read(0, &reads, sizeof reads);
  qsort(sorted.counts, N, sizeof *sorted.counts, compare);
  pthread_mutex_lock(&striped.locks[i % 4]);
  striped.counts[i]++;
  pthread_mutex_unlock(&striped.locks[i % 4]);
  change(&whole);
  ((int *)&words)[sizeof words.locks / 4 + (size_t)i]++;
}
