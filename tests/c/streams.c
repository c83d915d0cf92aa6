// zlib's streams: what is read and written is where their addresses lead, which move on.
// expect: apart atomic
// expect: in_lock atomic
// expect: message atomic
// expect: next_out violated
// expect: one_stream violated
// expect: one_output violated
// expect: one_input violated
// expect: copied violated
// expect: inside violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
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
int deflateEnd(Stream *stream);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char text[100], shared[100], all[100], moved[100], changing[100];
static Stream locked, together, first, second;
static struct {
  int before;
  Stream stream;
} outer;

static void use(Stream *s, const unsigned char *in, unsigned char *out) {
  s->next_in = in;
  s->avail_in = 100;
  s->next_out = out;
  s->avail_out = 100;
  deflate(s, 4);
}

static void alone(void) {
  unsigned char own[100];
  Stream mine;
  memset(&mine, 0, sizeof mine);
  ATOMIC_BEGIN("apart");
  deflateInit_(&mine, 9, "1", sizeof mine);
  use(&mine, text, own);
  use(&mine, text, own);
  deflateEnd(&mine);
  ATOMIC_END();
}

static void *work(void *unused) {
  Stream mine;
  memset(&mine, 0, sizeof mine);
  alone();
  deflateInit_(&mine, 9, "1", sizeof mine);
  ATOMIC_BEGIN("in_lock");
  pthread_mutex_lock(&lock);
  use(&locked, text, shared);
  shared[0]++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("message");
  if (mine.msg) puts(mine.msg);
  if (mine.msg) puts(mine.msg);
  ATOMIC_END();
  ATOMIC_BEGIN("one_stream");
  deflate(&together, 0);
  ATOMIC_END();
  ATOMIC_BEGIN("one_output");
  use(&mine, text, all);
  ATOMIC_END();
  ATOMIC_BEGIN("one_input");
  mine.next_in = changing;
  deflate(&mine, 0);
  deflate(&mine, 0);
  ATOMIC_END();
  ATOMIC_BEGIN("inside");
  deflate(&outer.stream, 0);
  ATOMIC_END();
  deflateEnd(&mine);
  return NULL;
}

/* After the call next_out is behind what was written there: moved[2], say. */
static void *behind(void *unused) {
  Stream mine;
  memset(&mine, 0, sizeof mine);
  deflateInit_(&mine, 9, "1", sizeof mine);
  mine.next_in = text;
  mine.next_out = moved;
  deflate(&mine, 0);
  ATOMIC_BEGIN("next_out");
  ++*mine.next_out;
  ++*mine.next_out;
  ATOMIC_END();
  return unused;
}

/* A copy has the same state. */
static void *copies(void *unused) {
  ATOMIC_BEGIN("copied");
  deflate(&first, 0);
  deflate(&first, 0);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[4];
  deflateInit_(&locked, 9, "1", sizeof locked);
  deflateInit_(&together, 9, "1", sizeof together);
  deflateInit_(&first, 9, "1", sizeof first);
  second = first;
  deflateInit_(&outer.stream, 9, "1", sizeof outer.stream);
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_create(&threads[1], NULL, work, &lock);
  pthread_create(&threads[2], NULL, behind, NULL);
  pthread_create(&threads[3], NULL, copies, NULL);
  deflate(&second, 0);
  changing[1]++;
  moved[2]++;
  moved[2]++;
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
// races: undecided
