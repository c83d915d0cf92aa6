/* source.c: decodes and merges. The thread with the lowest (clock, number) goes on until its clock moves. */
#include "distil/source.h"

#include "base/vec.h"
#include "distil/live.h"
#include "distil/loops.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_WORDS = RAW_CHUNK / sizeof(uint64_t), PAGE_WORDS = 4096 / sizeof(uint64_t), AHEAD = 4 };

typedef struct {
  const uint64_t *begin, *at, *end; /* of the chunk that is read now, or of what the filter has left of it */
  uint64_t clock, code;
  uint64_t region[RAW_REGIONS];   /* as addresses */
  uint32_t next, last;            /* of its chunks, those not yet begun: chunk_list[next .. last - 1] */
  uint32_t job;                   /* of the sieve, for this chunk; or SIEVE_NONE */
  uint32_t ahead[AHEAD], n_ahead; /* for the next ones */
  Loop loop;                      /* the last one of this chunk, where no filter has read them */
} Stream;

struct Source {
  Heap *heap;
  const char *map;
  size_t size;
  int file;              /* it; -1: live */
  int spare;             /* a file of chunks that were shortened, each ended by a zero word; or -1 */
  const char *spare_map; /* of its first spare_size bytes */
  size_t spare_size;
  _Atomic uint64_t spare_end;
  uint64_t *shortened; /* by chunk: 1 + where it is in that file; 0: it is as it was */
  Sieve *sieve;
  bool filtered;      /* it is at work */
  const char *damage; /* what is wrong with the raw log; or NULL */
  uint32_t n_chunks, n_threads, n_silent;
  uint32_t *chunk_list, *first; /* of thread t: chunk_list[first[t] .. first[t + 1] - 1]; the last may be 0, none */
  Stream *streams;              /* by thread */
  uint32_t *waiting, n_waiting; /* a binary heap of threads, the lowest on top */
  Stream *current;              /* or NULL; none of those waiting */
  Loop loop;                    /* of the current one, */
  uint32_t looped;              /* of whose accesses so many are read; all: there is none */
  Live *live;                   /* or NULL: the program has ended */
  uint32_t n_streams;           /* with `live`: that there is room for */
  uint64_t floor;               /* likewise: of this round */
};

static const uint64_t *chunk_words(const Source *s, uint32_t chunk) {
  assert(chunk < s->n_chunks);
  return (const uint64_t *)(const void *)(s->map + (size_t)chunk * RAW_CHUNK);
}

const RawHeader *source_header(const Source *s) { return (const RawHeader *)(const void *)s->map; }

/* A hole must not be touched: where the disk is full, reading one kills the process. */
static bool is_hole(const Source *s, uint32_t chunk, uint32_t word) {
  const off_t at = (off_t)chunk * RAW_CHUNK + (off_t)(word * sizeof(uint64_t));
  const off_t found = s->file < 0 ? at : lseek(s->file, at, SEEK_DATA);
  return found < 0 ? errno == ENXIO : found != at;
}

/* The number of the chunk's thread; n_threads: it is nobody's. */
static uint32_t thread_of_chunk(Source *s, uint32_t chunk) {
  const uint32_t number = is_hole(s, chunk, 0) ? 0 : (uint32_t)*chunk_words(s, chunk);
  if (number > s->n_threads) s->damage = "a chunk of it is no thread's";
  return number && number <= s->n_threads ? number - 1 : s->n_threads;
}

/* The words of the chunk, up to a zero, or to where a copy has broken off: a hole begins with a page. */
static uint32_t words_used(const Source *s, uint32_t chunk) {
  uint32_t n = 0;
  while (n < CHUNK_WORDS && !(n % PAGE_WORDS == 0 && is_hole(s, chunk, n)) && chunk_words(s, chunk)[n]) n++;
  return n;
}

/* A chunk of a thread, by its count. */
typedef struct {
  uint32_t count, chunk;
} Counted;

static int by_count(const void *a, const void *b) {
  const Counted *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

/* From 0 on, if none were lost; the last one may be there twice. */
static bool has_all(const Source *s, const Counted *list, uint32_t n) {
  if (list[0].count && !source_header(s)->ring.chunks) return false;
  for (uint32_t i = 1; i < n; i++)
    if (list[i].count - list[i - 1].count != 1 && !(i == n - 1 && list[i].count == list[i - 1].count)) return false;
  return true;
}

/* Of a chunk and a copy of it: the process died either while the copy was made, which then breaks off before the chunk
 * does, or while the chunk was cleared to be used again. */
static uint32_t whole_one(const Source *s, uint32_t a, uint32_t b) {
  return words_used(s, a) > words_used(s, b) ? a : b;
}

/* In the order of time. */
static void turn_chunks(Source *s, uint32_t thread) {
  uint32_t *list = s->chunk_list + s->first[thread], n = s->first[thread + 1] - s->first[thread];
  s->n_silent += !n;
  if (!n) return;
  Counted *counted = heap_alloc(s->heap, heap_product(s->heap, n, sizeof *counted));
  for (uint32_t i = 0; i < n; i++) counted[i] = (Counted){(uint32_t)(*chunk_words(s, list[i]) >> 32), list[i]};
  qsort(counted, n, sizeof *counted, by_count);
  if (!has_all(s, counted, n)) s->damage = "chunks of it are missing";
  for (uint32_t i = 0; i < n; i++) list[i] = counted[i].chunk;
  if (n > 1 && counted[n - 2].count == counted[n - 1].count) {
    list[n - 2] = whole_one(s, list[n - 2], list[n - 1]);
    list[n - 1] = 0;
  }
  heap_release(s->heap, counted);
}

/* Sorts the chunks by threads. */
static void list_chunks(Source *s) {
  s->first = heap_zeroed(s->heap, heap_product(s->heap, (size_t)s->n_threads + 3, sizeof *s->first));
  s->chunk_list = heap_zeroed(s->heap, heap_product(s->heap, s->n_chunks, sizeof *s->chunk_list));
  const uint32_t begin = RAW_FIRST + source_header(s)->choice.chunks;
  uint32_t *owner = heap_alloc(s->heap, heap_product(s->heap, s->n_chunks + (size_t)1, sizeof *owner));
  for (uint32_t i = begin; i < s->n_chunks; i++) s->first[(owner[i] = thread_of_chunk(s, i)) + 2]++;
  for (uint32_t i = 2; i < s->n_threads + 2; i++) s->first[i] += s->first[i - 1];
  for (uint32_t i = begin; i < s->n_chunks; i++) s->chunk_list[s->first[owner[i] + 1]++] = i;
  heap_release(s->heap, owner);
  for (uint32_t t = 0; t < s->n_threads; t++) turn_chunks(s, t);
  const RawHeader *header = source_header(s);
  if (!header->ring.chunks && s->first[s->n_threads] < header->owned) s->damage = "chunks of it are missing";
}

#define ENDS(text) (!(text)[sizeof(text) - 1])

/* What is read of the head without a look at it. */
static bool is_good(const RawHeader *h) {
  if (h->choice.chunks > UINT32_MAX / 2 || !ENDS(h->choice.words)) return false;
  if (h->threads > RAW_MAX_THREADS || h->n_names > RAW_NAMES || h->functions > 1 || h->keep_local > 1) return false;
  for (uint32_t i = 0; i < h->n_names; i++)
    if (h->name_at[i] >= RAW_NAME_BYTES) return false;
  return ENDS(h->names) && ENDS(h->modules) && ENDS(h->atomic) && ENDS(h->except);
}

/* A file without a name. Where there is none to be had no chunk is shortened. */
static int open_spare(const char *folder) {
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/distil.XXXXXX", folder);
  const int file = n < (int)sizeof path ? mkostemp(path, O_CLOEXEC) : -1;
  if (file >= 0) unlink(path);
  return file;
}

/* Mostly holes, behind what short threads have written? What is read ahead there becomes memory. */
static bool is_sparse(const struct stat *status) { return status->st_blocks < status->st_size / 512 / 2; }

static bool map_file(Source *s, const char *path, Err *err) {
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const bool good = file >= 0 && fstat(file, &status) == 0;
  if (!good) {
    err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if (file >= 0) close(file);
    return false;
  }
  s->size = (size_t)status.st_size;
  void *map = s->size >= RAW_FIRST * RAW_CHUNK ? mmap(NULL, s->size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  s->map = map == MAP_FAILED ? NULL : map;
  if (s->map && is_sparse(&status)) madvise(map, s->size, MADV_RANDOM);
  s->file = file;
  if (!s->map || source_header(s)->magic != RAW_MAGIC)
    return err_set(err, ERR_INPUT, "%s: not a raw log, or not one of this version of tracerec", path);
  if (!is_good(source_header(s))) return err_set(err, ERR_INPUT, "%s: the raw log is damaged: invalid header", path);
  s->n_threads = source_header(s)->threads;
  const uint32_t chunks = source_header(s)->chunks, room = (uint32_t)(s->size / RAW_CHUNK);
  s->n_chunks = chunks < room ? chunks : room;
  return true;
}

static void init(void *source) {
  Source *s = source;
  list_chunks(s);
  s->shortened = heap_zeroed(s->heap, heap_product(s->heap, s->n_chunks, sizeof *s->shortened));
  s->sieve = sieve_new(s->heap, s->n_threads, CHUNK_WORDS - 1);
  s->streams = heap_zeroed(s->heap, heap_product(s->heap, s->n_threads + (size_t)1, sizeof *s->streams));
  s->waiting = heap_zeroed(s->heap, heap_product(s->heap, s->n_threads + (size_t)1, sizeof *s->waiting));
}

Source *source_open(Heap *heap, const char *path, const char *scratch, Err *err) {
  Source *s = heap_zeroed(heap, sizeof *s);
  s->heap = heap;
  s->file = s->spare = -1;
  if (!map_file(s, path, err)) {
    source_close(s);
    return NULL;
  }
  s->spare = scratch ? open_spare(scratch) : -1;
  if (!heap_try(heap, init, s)) {
    source_close(s); /* the mapping is not the heap's */
    heap_pass_on(heap);
  }
  return s;
}

void source_close(Source *s) {
  if (!s) return;
  sieve_free(s->sieve);
  if (s->map && !s->live) munmap((void *)(uintptr_t)s->map, s->size);
  if (s->spare_map) munmap((void *)(uintptr_t)s->spare_map, s->spare_size);
  if (s->spare >= 0) close(s->spare);
  if (s->file >= 0) close(s->file);
  heap_release(s->heap, s->shortened);
  heap_release(s->heap, s->first);
  heap_release(s->heap, s->chunk_list);
  heap_release(s->heap, s->streams);
  heap_release(s->heap, s->waiting);
  heap_release(s->heap, s);
}

/* --- the merge --- */

static bool is_before(const Source *s, uint32_t a, uint32_t b) {
  const uint64_t x = s->streams[a].clock, y = s->streams[b].clock;
  return x < y || (x == y && a < b);
}

static void sift_down_from(Source *s, uint32_t i) {
  assert(s->n_waiting > i);
  uint32_t *w = s->waiting;
  const uint32_t thread = w[i];
  for (uint32_t child; (child = 2 * i + 1) < s->n_waiting; i = child) {
    if (child + 1 < s->n_waiting && is_before(s, w[child + 1], w[child])) child++;
    if (!is_before(s, w[child], thread)) break;
    w[i] = w[child];
  }
  w[i] = thread;
}

static void order_waiting(Source *s) {
  for (uint32_t i = s->n_waiting / 2; i-- > 0;) sift_down_from(s, i);
}

static void sift_down(Source *s) { sift_down_from(s, 0); }

/* The lowest of those waiting goes on. */
static void resume(Source *s) {
  s->current = NULL;
  if (!s->n_waiting) return;
  s->current = &s->streams[s->waiting[0]];
  s->waiting[0] = s->waiting[--s->n_waiting];
  if (s->n_waiting) sift_down(s);
}

/* The current one's clock has moved: another one may be lower now. */
static void yield(Source *s) {
  if (!s->n_waiting) return;
  const uint32_t self = (uint32_t)(s->current - s->streams);
  if (is_before(s, self, s->waiting[0])) return;
  s->current = &s->streams[s->waiting[0]];
  s->waiting[0] = self;
  sift_down(s);
}

/* --- chunks --- */

/* The words of the stream's i-th chunk from here, CHUNK_WORDS - 1 of them, or up to a zero word; or NULL. */
static const uint64_t *peek_chunk(const Source *s, const Stream *stream, uint32_t i) {
  const uint32_t chunk = stream->last - stream->next > i ? s->chunk_list[stream->next + i] : 0;
  if (!chunk) return NULL;
  if (s->spare_map && s->shortened[chunk])
    return (const uint64_t *)(const void *)(s->spare_map + s->shortened[chunk] - 1);
  return chunk_words(s, chunk) + 1;
}

/* The tail of that chunk, which a filter may skip words by; NULL: there is none. */
static const RawTail *peek_tail(const Source *s, const Stream *stream, uint32_t i, const uint64_t *words) {
  const uint32_t next = stream->next + i + 1;
  if (next >= stream->last || !s->chunk_list[next] || words != chunk_words(s, s->chunk_list[next - 1]) + 1) return NULL;
  const RawTail *tail = (const RawTail *)(const void *)(words - 1 + RAW_WORDS);
  return tail->zero || tail->n > RAW_ALONE ? NULL : tail;
}

static void ask_ahead(const Source *s, Stream *stream) {
  const uint64_t *words;
  while (s->filtered && stream->n_ahead < AHEAD && (words = peek_chunk(s, stream, stream->n_ahead))) {
    const uint32_t job = sieve_ask(s->sieve, words, peek_tail(s, stream, stream->n_ahead, words));
    if (job == SIEVE_NONE) break;
    stream->ahead[stream->n_ahead++] = job;
  }
}

/* Where the sieve is full the words stay as they are. */
static bool open_chunk(const Source *s, Stream *stream) {
  const uint64_t *words = peek_chunk(s, stream, 0);
  if (!words) return false;
  uint32_t n = CHUNK_WORDS - 1;
  if (stream->job != SIEVE_NONE) sieve_release(s->sieve, stream->job);
  stream->job = SIEVE_NONE;
  ask_ahead(s, stream);
  if (stream->n_ahead) {
    stream->job = stream->ahead[0];
    memmove(stream->ahead, stream->ahead + 1, --stream->n_ahead * sizeof *stream->ahead);
  }
  stream->next++;
  ask_ahead(s, stream);
  if (stream->job != SIEVE_NONE) words = sieve_take(s->sieve, stream->job, &n);
  stream->begin = stream->at = words;
  stream->end = words + n;
  stream->code = 0;
  stream->loop.period = 0;
  memset(stream->region, 0, sizeof stream->region);
  return true;
}

/* The raw log stays as it is: it is all that there is of the run until the log is written. */
void source_shrink(Source *s, const uint64_t *words, uint64_t *shorter, uint32_t n) {
  const char *at = (const char *)words;
  if (s->spare < 0 || at < s->map || at >= s->map + s->size) return;
  shorter[n] = 0;
  const size_t size = (n + (size_t)1) * sizeof *shorter;
  const uint64_t to = atomic_fetch_add(&s->spare_end, size);
  for (size_t done = 0; done < size;) {
    const ssize_t more = pwrite(s->spare, (const char *)shorter + done, size - done, (off_t)(to + done));
    if (more <= 0) return;
    done += (size_t)more;
  }
  s->shortened[(size_t)(at - s->map) / RAW_CHUNK] = to + 1;
}

/* What was shortened since then can be read from now on. */
static void map_spare(Source *s) {
  struct stat status;
  if (s->spare < 0 || fstat(s->spare, &status) || (size_t)status.st_size <= s->spare_size) return;
  if (s->spare_map) munmap((void *)(uintptr_t)s->spare_map, s->spare_size);
  s->spare_size = (size_t)status.st_size;
  void *map = mmap(NULL, s->spare_size, PROT_READ, MAP_SHARED, s->spare, 0);
  s->spare_map = map == MAP_FAILED ? NULL : map;
}

bool source_is_sound(const Source *s, Err *err) {
  return !s->damage || err_set(err, ERR_INPUT, "the raw log is damaged or truncated: %s", s->damage);
}

uint32_t source_silent(const Source *s) { return source_lost(s) ? 0 : s->n_silent; }

uint64_t source_lost(const Source *s) { return s->live ? 0 : source_header(s)->ring.lost; }

/* --- live --- */

Source *source_of_live(Heap *heap, Live *live) {
  Source *s = heap_zeroed(heap, sizeof *s);
  s->heap = heap;
  s->file = s->spare = -1;
  s->live = live;
  s->map = (const char *)live_header(live);
  return s;
}

void source_round(Source *s, uint64_t floor) {
  const uint32_t known = s->n_streams, n = live_threads(s->live);
  s->floor = floor;
  s->n_threads = source_header(s)->threads;
  s->n_streams = n;
  s->streams = heap_resize(s->heap, s->streams, heap_product(s->heap, n, sizeof *s->streams));
  s->waiting = heap_resize(s->heap, s->waiting, heap_product(s->heap, n, sizeof *s->waiting));
  for (uint32_t t = known; t < n; t++) s->streams[t] = (Stream){.job = SIEVE_NONE};
  s->n_waiting = 0;
  uint32_t n_there;
  const uint32_t *there = live_there(s->live, &n_there);
  for (uint32_t i = 0; i < n_there; i++) s->waiting[s->n_waiting++] = there[i];
  order_waiting(s);
  resume(s);
}

/* More of what the stream's thread has written. */
static bool open_live(const Source *s, Stream *stream) {
  bool fresh;
  uint32_t n;
  const uint64_t *words = live_words(s->live, (uint32_t)(stream - s->streams), &n, &fresh);
  if (!words) return false;
  stream->at = words;
  stream->end = words + n;
  if (!fresh) return true;
  stream->code = 0;
  memset(stream->region, 0, sizeof stream->region);
  return true;
}

/* --- words --- */

/* The stream's next word, or 0 at its end. */
static inline uint64_t next_word(const Source *s, Stream *stream) {
  while (stream->at == stream->end || !*stream->at)
    if (!(s->live ? open_live(s, stream) : open_chunk(s, stream))) return 0;
  return *stream->at++;
}

static const uint8_t BASE_KIND[RAW_KINDS] = {[RAW_READ_RANGE] = RAW_READ, [RAW_WRITE_RANGE] = RAW_WRITE};

/* In the same chunk; 0 where the process died before the event was whole. */
static inline uint64_t second_word(Stream *stream) {
  return stream->at == stream->end || !*stream->at ? 0 : *stream->at++;
}

static bool damaged(Source *s, const char *how) {
  s->damage = how;
  s->n_waiting = 0;
  s->current = NULL;
  return false;
}

/* What the second word of such an event can be. */
static uint64_t most(const Source *s, uint32_t kind) {
  if (kind == RAW_FORK || kind == RAW_JOIN) return s->n_threads;
  if (raw_is_line(kind)) return s->live ? UINT64_MAX : 0;
  return kind == RAW_BEGIN ? RAW_NAMES + 1 : UINT64_C(1) << 40;
}

/* The second word says what there is to it. */
static bool decode_atomic(Source *s, uint64_t second, RawEvent *event) {
  const uint32_t mask = (1u << RAW_VALUE_BITS) - 1, log_size = second & 7;
  event->size = UINT64_C(1) << log_size;
  event->flags = second & (RAW_CLAIMS | RAW_AWAITED);
  event->old = (uint32_t)(second >> RAW_OLD_SHIFT) & mask;
  event->new = (uint32_t)(second >> RAW_NEW_SHIFT) & mask;
  return log_size < RAW_SIZES || damaged(s, "invalid event");
}

static bool decode_sync(Source *s, uint64_t second, RawEvent *event) {
  const uint64_t count = second >> RAW_COUNT_SHIFT;
  event->size = second & ((1u << RAW_COUNT_SHIFT) - 1);
  event->new = (uint32_t)count;
  return (event->size && event->size < SYNCS && count <= RAW_COUNT_MOST) || damaged(s, "invalid event");
}

/* False where the event is not whole. */
static bool decode(Source *s, Stream *stream, uint64_t word, RawEvent *event) {
  const uint32_t kind = raw_kind(word);
  event->thread = (uint32_t)(stream - s->streams);
  event->address = raw_address(stream->region, word);
  event->code = raw_code(stream->code, word);
  if (raw_is_plain(word) || raw_is_known(word)) {
    event->kind = raw_plain_kind(word);
    event->size = raw_is_known(word) ? 0 : raw_plain_size(word);
    if (raw_is_known(word)) event->address = raw_known_object(word);
    return true;
  }
  event->kind = BASE_KIND[kind] ? BASE_KIND[kind] : (uint8_t)kind;
  event->size = raw_has_second(kind) ? second_word(stream) : 0;
  if (event->size && raw_is_atomic(kind)) return decode_atomic(s, event->size, event);
  if (event->size && kind == RAW_SYNC) return decode_sync(s, event->size, event);
  if (event->size > most(s, kind)) return damaged(s, "invalid event");
  return event->size || !raw_has_second(kind);
}

/* A word that only changes what the next ones mean. */
static bool is_state(Stream *stream, uint64_t word) {
  switch (raw_kind(word)) {
  case RAW_REGION: stream->region[word >> RAW_REGION_SHIFT] = raw_region(word); return true;
  case RAW_CODE: stream->code = word >> RAW_KIND_BITS << RAW_CODE_BITS; return true;
  default: return false;
  }
}

/* The next ones are those of the loop whose first word, just read, this is. False: there is no such loop. */
static bool begin_loop(Source *s, Stream *stream) {
  const uint64_t *word = stream->at - 1;
  s->looped = 0;
  if (stream->job != SIEVE_NONE && loop_is_put(*word)) {
    stream->at = word + loop_get(&s->loop, word);
    return true;
  }
  if (s->live || !loop_read(&stream->loop, word, (uint32_t)(word - stream->begin))) return damaged(s, "invalid event");
  s->loop = stream->loop;
  return true;
}

/* The next one of the chunk may go on as this one. */
static void skip_loop(Source *s, Stream *stream) {
  const uint64_t *word = stream->at - 1;
  if (!loop_read(&stream->loop, word, (uint32_t)(word - stream->begin))) damaged(s, "invalid event");
}

/* What does not count, of a log that begins in the middle. */
static void skip_lost(Source *s, Stream *stream) {
  const uint64_t lost = source_lost(s);
  uint64_t word;
  while (stream->clock <= lost && (word = next_word(s, stream))) {
    if (raw_kind(word) == RAW_CLOCK) stream->clock = word >> RAW_KIND_BITS;
    else if (raw_kind(word) == RAW_LOOP) skip_loop(s, stream);
    else if (!is_state(stream, word) && raw_has_second(raw_kind(word))) second_word(stream);
  }
}

void source_begin(Source *s, SieveFilter filter, void *const states[SIEVE_THREADS]) {
  if (source_lost(s)) filter = NULL; /* it would take what is skipped for known */
  sieve_end(s->sieve);
  map_spare(s);
  s->filtered = filter;
  if (filter) sieve_begin(s->sieve, filter, states);
  s->loop.n = s->looped = 0;
  s->n_waiting = 0;
  for (uint32_t t = 0; t < s->n_threads; t++) {
    if (s->first[t] == s->first[t + 1]) continue;
    s->streams[t] = (Stream){.next = s->first[t], .last = s->first[t + 1], .job = SIEVE_NONE};
    ask_ahead(s, &s->streams[t]);
    if (source_lost(s)) skip_lost(s, &s->streams[t]);
    s->waiting[s->n_waiting++] = t;
  }
  order_waiting(s);
  resume(s);
}

/* Nothing comes after its exit. */
static void end_live(Source *s, Stream *stream) {
  live_forget(s->live, (uint32_t)(stream - s->streams));
  stream->at = stream->end = NULL;
}

bool source_next(Source *s, RawEvent *event) {
  while (s->current) {
    Stream *stream = s->current;
    if (s->looped < s->loop.n) return decode(s, stream, loop_word(&s->loop, s->looped++), event);
    const uint64_t word = next_word(s, stream);
    const uint32_t kind = raw_kind(word);
    if (!word) {
      resume(s);
    } else if (kind >= RAW_KINDS && !(raw_is_known(word) && stream->job != SIEVE_NONE)) {
      damaged(s, "an event of unknown kind");
    } else if (kind == RAW_CLOCK) {
      stream->clock = word >> RAW_KIND_BITS;
      if (s->live && stream->clock >= s->floor) resume(s); /* not in this round */
      else yield(s);
    } else if (kind == RAW_LOOP && !raw_is_known(word)) {
      if (!begin_loop(s, stream)) return false;
    } else if (!is_state(stream, word) && decode(s, stream, word, event)) {
      if (s->live && kind == RAW_EXIT) end_live(s, stream);
      return true;
    }
  }
  return false;
}

bool source_words(const Source *s, RawWords *words) {
  const Stream *stream = s->current;
  if (!stream) return false;
  words->at = stream->at;
  words->n = s->looped < s->loop.n ? 0 : (uint32_t)(stream->end - stream->at);
  words->thread = (uint32_t)(stream - s->streams);
  words->picked = stream->job != SIEVE_NONE;
  words->code = stream->code;
  memcpy(words->region, stream->region, sizeof words->region);
  return true;
}

void source_take(Source *s, uint32_t n) { s->current->at += n; }
