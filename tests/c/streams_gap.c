// Functions that a stream is given are called by the library; what copies a stream is not known.
// expect: stream unknown
// gap: 44 gives a stream a function, which the library calls
// gap: 45 gives a stream a function, which the library calls
// gap: 47 calls 'deflateCopy', which is not known
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As zlib.h has them, so that the test needs none. */
typedef struct {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  struct state *state;
  void *(*zalloc)(void *, unsigned, unsigned);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler, reserved;
} Stream;

int deflateInit_(Stream *stream, int level, const char *version, int size);
int deflate(Stream *stream, int flush);
int deflateCopy(Stream *to, Stream *from);

typedef struct {
  void *(*get)(void *, unsigned, unsigned);
} Allocator;

static void *get(void *unused, unsigned items, unsigned size) { return calloc(items, size); }

static void *work(void *unused) {
  Allocator allocator = {get};
  Stream given = {.zalloc = get}, behind = {.opaque = &allocator}, copy;
  ATOMIC_BEGIN("stream");
  deflateInit_(&given, 9, "1", sizeof given);
  deflate(&behind, 4);
  ATOMIC_END();
  deflateCopy(&copy, &given);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
