/* raw_log.h: writes raw logs (record/raw.h) as the runtime does, for tests. */
#ifndef TESTS_UNIT_RAW_LOG_H
#define TESTS_UNIT_RAW_LOG_H

#include "base/vec.h"
#include "record/raw.h"

#include <stdbool.h>
#include <stdio.h>

/* RAW_LOG_SILENT: header->threads may be this much higher than the threads that have chunks. */
enum { RAW_LOG_CHUNKS = 1024, RAW_LOG_WORDS = RAW_WORDS, RAW_LOG_SILENT = 8 };

#define MEMORY_FILE_NAME "causal-test"

/* A file in memory; what it is called while it is open is in `path`. */
typedef struct {
  FILE *stream;
  char path[32];
} MemoryFile;

MemoryFile memory_file_open(void);
void memory_file_close(MemoryFile *file);
void memory_file_set(MemoryFile *file, const void *bytes, size_t n);

/* A raw log in a file of RAW_LOG_CHUNKS chunks, all of which are mapped; header->chunks of them count. */
typedef struct {
  MemoryFile file;
  RawHeader *header;
  uint32_t used[RAW_LOG_CHUNKS]; /* words of each chunk that may be other than 0 */
} RawFile;

void raw_file_open(RawFile *file);
void raw_file_close(RawFile *file);
uint64_t *raw_file_chunk(RawFile *file, uint32_t chunk);

/* What a thread has written: chunks, in order of time. */
typedef struct {
  VEC(uint64_t) words;          /* of all chunks, each with its first word, without zeros at its end */
  U32Vec chunks;                /* where each begins */
  uint32_t region[RAW_REGIONS]; /* the base in units of 2^36; UINT32_MAX: none yet */
  uint64_t code;                /* the base in units of 2^20; UINT64_MAX: none yet */
} RawThread;

typedef struct {
  Heap *heap;
  uint64_t random; /* of which region stands in which slot, and where chunks are in the file */
  uint32_t n_threads;
  RawThread *thread;
} RawLog;

/* 0 .. n - 1 */
uint32_t draw(uint64_t *random, uint32_t n);

RawLog raw_log_new(Heap *heap, uint32_t n_threads, uint64_t random);
void raw_log_put(RawLog *log, uint32_t thread, uint32_t kind, uint64_t address, uint64_t code);
void raw_log_put_two(RawLog *log, uint32_t thread, uint32_t kind, uint64_t address, uint64_t code, uint64_t second);
/* The words before it go on as a loop, n of them; false, and it is not put, if these are not what a RAW_LOOP stands on.
 */
bool raw_log_put_loop(RawLog *log, uint32_t thread, uint32_t period, uint32_t n);
/* Likewise, as the loop that was put last in the chunk, which has this period. */
bool raw_log_put_again(RawLog *log, uint32_t thread, uint32_t period, uint32_t turn, uint32_t n);
void raw_log_clock(RawLog *log, uint32_t thread, uint64_t clock);
/* Ends the chunk that the thread writes in. */
void raw_log_next_chunk(RawLog *log, uint32_t thread);
/* The words that the chunk has room for. */
uint32_t raw_log_room(const RawLog *log, uint32_t thread);

/* Puts the header, but for the bits of shared stripes, and the chunks into the file. */
void raw_log_write(const RawLog *log, RawFile *file);

/* Marks accesses to lines in the tails of its chunks, once the bits of shared stripes are there: some of those of
 * stripes that are not shared, and sometimes others, too. */
void raw_file_mark(const RawLog *log, RawFile *file);

#endif
