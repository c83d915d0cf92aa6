#include "trace/ahead.h"

#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { BUFFERS = 4, ROOM = 1 << 17 };

/* What a byte in a pipe says. To the reader: a buffer is full, memory is asked for, it was the last one, or there was a
 * fault. To the thread: a buffer is free, memory was given. */
typedef enum { FILLED = 'b', MEMORY = 'm', ENDED = 'e', FAULTY = 'f', FREED = 'r', GIVEN = 'g' } Word;

struct Ahead {
  Heap *heap;
  HeapEnd end;
  AheadMake *make;
  void *argument;
  pthread_t thread;
  bool runs;
  int to_reader[2], to_thread[2]; /* pipes */
  uint32_t n_free, next;          /* of the thread: buffers to be filled, and the next one */
  size_t size;                    /* of the memory that is asked for; 0: `piece` is given back */
  void *piece;
  void *left;       /* pieces that were given back when the reader had gone, each with the next one in it */
  uint32_t current; /* of the reader: the buffer from which it reads, if it has one, */
  size_t at;        /* and how far it is */
  bool has_one, over, faulty;
  size_t n[BUFFERS];
  char bytes[BUFFERS][ROOM];
};

/* A byte always fits: a pipe has more room than there are words on their way. */
static void tell(const int pipe[2], Word word) {
  const char byte = (char)word;
  while (write(pipe[1], &byte, 1) < 0 && errno == EINTR) continue;
}

/* False if there is nobody at the other end. */
static bool hear(const int pipe[2], Word *word) {
  char byte = 0;
  ssize_t n;
  do n = read(pipe[0], &byte, 1);
  while (n < 0 && errno == EINTR);
  *word = (Word)byte;
  return n == 1;
}

/* ---- on the thread ---- */

/* Until that is said; meanwhile buffers may become free. */
static bool hear_of(Ahead *ahead, Word wanted) {
  Word word;
  do {
    if (!hear(ahead->to_thread, &word)) return false;
    ahead->n_free += word == FREED;
  } while (word != wanted);
  return true;
}

static void *run(void *argument) {
  Ahead *ahead = argument;
  for (bool more = true; more && (ahead->n_free || hear_of(ahead, FREED));) {
    const uint32_t i = ahead->next;
    const bool good = ahead->make(ahead->argument, ahead->bytes[i], ROOM, &ahead->n[i]);
    more = good && ahead->n[i] > 0;
    ahead->next = (i + 1) % BUFFERS;
    ahead->n_free--;
    tell(ahead->to_reader, !good ? FAULTY : more ? FILLED : ENDED);
  }
  return NULL;
}

bool ahead_wait(const Ahead *ahead, int handle) {
  struct pollfd ends[] = {{.fd = handle, .events = POLLIN}, {.fd = ahead->to_thread[0]}};
  while (poll(ends, 2, -1) < 0 && errno == EINTR) continue;
  return !(ends[1].revents & POLLHUP);
}

/* False if the reader has gone. */
static bool ask_memory(Ahead *ahead, size_t size, void *piece) {
  ahead->size = size;
  ahead->piece = piece;
  tell(ahead->to_reader, MEMORY);
  return hear_of(ahead, GIVEN);
}

void *ahead_give(Ahead *ahead, size_t size) {
  return ask_memory(ahead, size > sizeof(void *) ? size : sizeof(void *), NULL) ? ahead->piece : NULL;
}

void ahead_take(Ahead *ahead, void *piece) {
  if (!piece || ask_memory(ahead, 0, piece)) return;
  memcpy(piece, &ahead->left, sizeof ahead->left);
  ahead->left = piece;
}

/* ---- the reader ---- */

static void end_thread(void *argument) {
  Ahead *ahead = argument;
  if (!ahead->runs) return;
  close(ahead->to_thread[1]);
  pthread_join(ahead->thread, NULL);
  close(ahead->to_thread[0]);
  close(ahead->to_reader[0]);
  close(ahead->to_reader[1]);
  ahead->runs = false;
}

Ahead *ahead_new(Heap *heap, AheadMake *make, void *argument) {
  Ahead *ahead = heap_alloc_or_null(heap, sizeof *ahead);
  if (!ahead) return NULL;
  memset(ahead, 0, offsetof(Ahead, bytes));
  ahead->heap = heap;
  ahead->make = make;
  ahead->argument = argument;
  ahead->n_free = BUFFERS;
  ahead->end = (HeapEnd){end_thread, ahead, NULL};
  heap_add_end(heap, &ahead->end);
  return ahead;
}

void ahead_free(Ahead *ahead) {
  if (!ahead) return;
  end_thread(ahead);
  heap_remove_end(ahead->heap, &ahead->end);
  for (void *piece = ahead->left, *next; piece; piece = next) {
    memcpy(&next, piece, sizeof next);
    heap_release(ahead->heap, piece);
  }
  heap_release(ahead->heap, ahead);
}

/* Signals are for the reader. */
static bool start_thread(Ahead *ahead) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool good = pthread_create(&ahead->thread, NULL, run, ahead) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

static void close_pipe(const int pipe[2]) {
  close(pipe[0]);
  close(pipe[1]);
}

bool ahead_begin(Ahead *ahead) {
  if (pipe2(ahead->to_reader, O_CLOEXEC) != 0) return false;
  if (pipe2(ahead->to_thread, O_CLOEXEC) != 0) return close_pipe(ahead->to_reader), false;
  ahead->runs = start_thread(ahead);
  if (!ahead->runs) close_pipe(ahead->to_reader), close_pipe(ahead->to_thread);
  return ahead->runs;
}

static void serve(Ahead *ahead) {
  if (ahead->size) ahead->piece = heap_alloc_or_null(ahead->heap, ahead->size);
  else heap_release(ahead->heap, ahead->piece);
  tell(ahead->to_thread, GIVEN);
}

static void follow(Ahead *ahead, Word word) {
  switch (word) {
  case FILLED: ahead->has_one = true; break;
  case MEMORY: serve(ahead); break;
  case FAULTY: ahead->faulty = true; /* fall through */
  case ENDED: ahead->over = true; break;
  case FREED:
  case GIVEN: assert(false); break;
  }
}

static void copy(Ahead *ahead, char *to, size_t room, size_t *n) {
  const uint32_t i = ahead->current;
  const size_t there = ahead->n[i] - ahead->at;
  *n = there < room ? there : room;
  memcpy(to, ahead->bytes[i] + ahead->at, *n);
  ahead->at += *n;
  if (ahead->at < ahead->n[i]) return;
  ahead->has_one = false;
  ahead->at = 0;
  ahead->current = (i + 1) % BUFFERS;
  tell(ahead->to_thread, FREED);
}

AheadGot ahead_read(Ahead *ahead, char *to, size_t room, size_t *n) {
  *n = 0;
  while (!ahead->has_one && !ahead->over) {
    Word word;
    heap_poll(ahead->heap);
    if (!file_wait(ahead->heap, ahead->to_reader[0])) return AHEAD_ASKED;
    if (hear(ahead->to_reader, &word)) follow(ahead, word);
  }
  if (ahead->has_one) copy(ahead, to, room, n);
  return ahead->faulty && !*n ? AHEAD_FAULT : AHEAD_BYTES;
}
