#include "tests/unit/raw_log.h"

#include "base/hash.h"
#include "distil/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint32_t draw(uint64_t *random, uint32_t n) {
  *random = hash_word(*random);
  return (uint32_t)((*random >> 32) * n >> 32);
}

/* ---- files ---- */

MemoryFile memory_file_open(void) {
  MemoryFile file = {.stream = NULL};
  const int handle = memfd_create(MEMORY_FILE_NAME, MFD_CLOEXEC);
  if (handle < 0 || !(file.stream = fdopen(handle, "w+"))) abort();
  snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", handle);
  return file;
}

void memory_file_close(MemoryFile *file) { fclose(file->stream); }

void memory_file_set(MemoryFile *file, const void *bytes, size_t n) {
  rewind(file->stream);
  if (ftruncate(fileno(file->stream), 0)) abort();
  if (n) fwrite(bytes, 1, n, file->stream);
  fflush(file->stream);
}

void raw_file_open(RawFile *file) {
  const size_t size = (size_t)RAW_LOG_CHUNKS * RAW_CHUNK;
  *file = (RawFile){.file = memory_file_open()};
  if (ftruncate(fileno(file->file.stream), (off_t)size)) abort();
  void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file->file.stream), 0);
  if (map == MAP_FAILED) abort();
  file->header = map;
}

void raw_file_close(RawFile *file) {
  munmap(file->header, (size_t)RAW_LOG_CHUNKS * RAW_CHUNK);
  memory_file_close(&file->file);
}

uint64_t *raw_file_chunk(RawFile *file, uint32_t chunk) {
  return (uint64_t *)(void *)((char *)file->header + (size_t)chunk * RAW_CHUNK);
}

/* ---- words ---- */

static void begin_chunk(RawLog *log, uint32_t thread) {
  RawThread *t = &log->thread[thread];
  vec_push(log->heap, &t->chunks, t->words.n);
  vec_push(log->heap, &t->words, (uint64_t)(t->chunks.n - 1) << 32 | (thread + 1));
}

RawLog raw_log_new(Heap *heap, uint32_t n_threads, uint64_t random) {
  RawLog log = {heap, random, n_threads, heap_zeroed(heap, n_threads * sizeof *log.thread)};
  for (uint32_t i = 0; i < n_threads; i++) {
    begin_chunk(&log, i);
    for (uint32_t r = 0; r < RAW_REGIONS; r++) log.thread[i].region[r] = UINT32_MAX;
    log.thread[i].code = UINT64_MAX;
  }
  return log;
}

uint32_t raw_log_room(const RawLog *log, uint32_t thread) {
  const RawThread *t = &log->thread[thread];
  return RAW_LOG_WORDS - (t->words.n - vec_last(&t->chunks));
}

static void push(RawLog *log, uint32_t thread, uint64_t word) {
  if (!raw_log_room(log, thread)) raw_log_next_chunk(log, thread);
  vec_push(log->heap, &log->thread[thread].words, word);
}

static void push_region(RawLog *log, uint32_t thread, uint32_t slot) {
  push(log, thread,
       (uint64_t)slot << RAW_REGION_SHIFT | (uint64_t)log->thread[thread].region[slot] << RAW_ADDRESS_SHIFT |
           RAW_REGION);
}

void raw_log_next_chunk(RawLog *log, uint32_t thread) {
  const RawThread *t = &log->thread[thread];
  begin_chunk(log, thread);
  for (uint32_t slot = 0; slot < RAW_REGIONS; slot++)
    if (t->region[slot] != UINT32_MAX) push_region(log, thread, slot);
  if (t->code != UINT64_MAX) push(log, thread, t->code << RAW_KIND_BITS | RAW_CODE);
}

/* Mostly the region of the address is there already; else it takes the place of any other one. */
static uint32_t slot_of(RawLog *log, uint32_t thread, uint64_t address) {
  RawThread *t = &log->thread[thread];
  const uint32_t base = (uint32_t)(address >> RAW_OFFSET_BITS);
  for (uint32_t slot = 0; slot < RAW_REGIONS && draw(&log->random, 20); slot++)
    if (t->region[slot] == base) return slot;
  const uint32_t slot = draw(&log->random, RAW_REGIONS);
  t->region[slot] = base;
  push_region(log, thread, slot);
  return slot;
}

static uint64_t word_of(RawLog *log, uint32_t thread, uint32_t kind, uint64_t address, uint64_t code) {
  RawThread *t = &log->thread[thread];
  const uint64_t slot = slot_of(log, thread, address), offset = address & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1);
  if (t->code != code >> RAW_CODE_BITS) {
    t->code = code >> RAW_CODE_BITS;
    push(log, thread, t->code << RAW_KIND_BITS | RAW_CODE);
  }
  return slot << RAW_REGION_SHIFT | offset << RAW_ADDRESS_SHIFT |
         (code & ((1u << RAW_CODE_BITS) - 1)) << RAW_KIND_BITS | kind;
}

void raw_log_put(RawLog *log, uint32_t thread, uint32_t kind, uint64_t address, uint64_t code) {
  push(log, thread, word_of(log, thread, kind, address, code));
}

void raw_log_put_two(RawLog *log, uint32_t thread, uint32_t kind, uint64_t address, uint64_t code, uint64_t second) {
  const uint64_t first = word_of(log, thread, kind, address, code);
  if (raw_log_room(log, thread) < 2) raw_log_next_chunk(log, thread);
  push(log, thread, first);
  push(log, thread, second);
}

bool raw_log_put_loop(RawLog *log, uint32_t thread, uint32_t period, uint32_t n) {
  const uint32_t in_chunk = RAW_LOG_WORDS - 1 - raw_log_room(log, thread);
  const uint64_t *end = log->thread[thread].words.at + log->thread[thread].words.n;
  if (in_chunk < 2 * period || !raw_log_room(log, thread)) return false;
  for (uint32_t i = 1; i <= period; i++) {
    const uint64_t last = end[-(int)i], before = end[-(int)(i + period)];
    if (!raw_is_plain(last) || (last - before) << (64 - RAW_ADDRESS_SHIFT)) return false;
    if ((last ^ before) >> RAW_REGION_SHIFT) return false;
  }
  push(log, thread, raw_loop(period, n));
  return true;
}

bool raw_log_put_again(RawLog *log, uint32_t thread, uint32_t period, uint32_t turn, uint32_t n) {
  const uint32_t in_chunk = RAW_LOG_WORDS - 1 - raw_log_room(log, thread);
  const uint64_t *end = log->thread[thread].words.at + log->thread[thread].words.n;
  if (in_chunk < period || !raw_log_room(log, thread)) return false;
  for (uint32_t i = 1; i <= period; i++)
    if (!raw_is_plain(end[-(int)i]) || (end[-1] ^ end[-(int)i]) >> RAW_REGION_SHIFT) return false;
  push(log, thread, raw_loop(period, n) | raw_turn(turn));
  return true;
}

void raw_log_clock(RawLog *log, uint32_t thread, uint64_t clock) {
  push(log, thread, clock << RAW_KIND_BITS | RAW_CLOCK);
}

/* ---- the file ---- */

static void write_words(RawFile *file, const uint64_t *words, uint32_t n) {
  const uint32_t chunk = file->header->chunks++;
  if (chunk >= RAW_LOG_CHUNKS) abort();
  uint64_t *to = raw_file_chunk(file, chunk);
  memcpy(to, words, n * sizeof *words);
  for (uint32_t i = n; i < file->used[chunk]; i++) to[i] = 0;
  file->used[chunk] = n;
  memset(to + RAW_WORDS, 0, sizeof(RawTail));
}

/* A chunk that is nobody's: one that was never used, or that a thread has left. */
static void write_nonsense(RawFile *file, uint64_t *random) {
  uint64_t words[8] = {0};
  if (draw(random, 2))
    for (uint32_t i = 1; i < 8; i++) words[i] = (uint64_t)draw(random, UINT32_MAX) << 32 | draw(random, UINT32_MAX);
  write_words(file, words, 8);
}

static void write_chunk(const RawThread *t, RawFile *file, uint32_t chunk) {
  const uint32_t end = chunk + 1 < t->chunks.n ? t->chunks.at[chunk + 1] : t->words.n;
  write_words(file, t->words.at + t->chunks.at[chunk], end - t->chunks.at[chunk]);
}

/* The process dies while the copy of a chunk is being made, or when that is done, while the chunk is being cleared. */
static void damage(RawFile *file, uint32_t own, uint32_t copy, uint64_t *random) {
  const uint32_t n = file->used[own], from = 1 + draw(random, n), to = from + draw(random, n - from + 1);
  if (draw(random, 2)) memset(raw_file_chunk(file, copy) + from, 0, (n - from) * sizeof(uint64_t));
  else memset(raw_file_chunk(file, own) + from, 0, (to - from) * sizeof(uint64_t));
}

/* Of each thread the last chunk, then the others, and sometimes a copy of the last one, too; those of different threads
 * in any order. */
void raw_log_write(const RawLog *log, RawFile *file) {
  uint64_t random = log->random;
  memset(file->header, 0, sizeof *file->header);
  file->header->magic = RAW_MAGIC;
  file->header->chunks = RAW_FIRST;
  file->header->threads = log->n_threads;
  file->header->pid = 1;
  uint32_t *own = heap_zeroed(log->heap, log->n_threads * sizeof *own),
           *written = heap_zeroed(log->heap, log->n_threads * sizeof *written);
  for (uint32_t left = log->n_threads; left;) {
    const uint32_t i = draw(&random, log->n_threads), n = log->thread[i].chunks.n;
    if (!draw(&random, 20)) write_nonsense(file, &random);
    if (written[i] > n) continue;
    if (!written[i]) own[i] = file->header->chunks;
    if (written[i] < n || !draw(&random, 10)) write_chunk(&log->thread[i], file, (written[i] ? written[i] : n) - 1);
    else own[i] = 0;
    if (written[i]++ < n) continue;
    if (own[i] && draw(&random, 2)) damage(file, own[i], file->header->chunks - 1, &random);
    left--;
  }
  heap_release(log->heap, written);
  heap_release(log->heap, own);
}

/* ---- marks ---- */

/* Is the stripe in the list, where there was room? */
static bool list_stripe(RawTail *tail, uint32_t stripe) {
  for (uint32_t i = 0; i < tail->n; i++)
    if (tail->stripes[i] == stripe) return true;
  if (tail->n == RAW_ALONE) return false;
  tail->stripes[tail->n++] = stripe;
  return true;
}

/* Now and then of a stripe that is shared, if `any`. */
static void mark_chunk(const RawFile *file, uint64_t *words, bool any, uint64_t *random) {
  RawTail *tail = (RawTail *)(void *)(words + RAW_WORDS);
  uint64_t region[RAW_REGIONS] = {0};
  for (uint32_t i = 1; i < RAW_WORDS && words[i]; i += raw_has_second(raw_kind(words[i])) + 1u) {
    const uint64_t word = words[i], address = raw_address(region, word);
    const uint32_t stripe = raw_stripe(address);
    if (raw_kind(word) == RAW_REGION) region[word >> RAW_REGION_SHIFT] = raw_region(word);
    if (!raw_is_plain(word) || raw_stripe(address + raw_plain_size(word) - 1) != stripe) continue;
    if (file->header->shared[stripe / 64] >> stripe % 64 & 1 && !(any && !draw(random, 20))) continue;
    if (draw(random, 10) && list_stripe(tail, stripe)) tail->marks[i / 64] |= UINT64_C(1) << i % 64;
  }
}

void raw_file_mark(const RawLog *log, RawFile *file) {
  uint64_t random = log->random + 1;
  for (uint32_t i = RAW_FIRST; i < file->header->chunks; i++) {
    uint64_t *words = raw_file_chunk(file, i);
    const uint32_t thread = (uint32_t)words[0] - 1;
    if (thread >= log->n_threads || (words[0] >> 32) + 1 >= log->thread[thread].chunks.n || !draw(&random, 5)) continue;
    mark_chunk(file, words, !draw(&random, 5), &random);
  }
}
