#include "trace/input.h"

#include "base/file.h"
#include "base/machine.h"
#include "trace/ahead.h"
#include "trace/packing.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 16, LONGEST_MAGIC = 4 };

/* What is longer, when it is unpacked, is unpacked on a thread of its own. */
enum { LONG = 1 << 20 };

const char PACKING_NO_MEMORY[] = "there is no memory to unpack it";

enum { N_PACKINGS = 2 };
static const Packing *const PACKINGS[N_PACKINGS] = {&GZIP, &ZSTD};

struct Input {
  Heap *heap;
  const char *name;
  int handle;
  const Packing *packing; /* NULL: not packed */
  void *state;            /* of unpacking */
  bool ended, whole;      /* the file; what is packed */
  bool no_memory;         /* to unpack it */
  uint32_t from, to;      /* of the bytes that were read and not used */
  size_t unpacked;        /* bytes, without the thread */
  Ahead *ahead;           /* the thread that unpacks, which has all of this for itself; NULL: there is none */
  Err fault;              /* on which it has ended */
  char bytes[ROOM];
};

Input *input_open(Heap *heap, const char *path, Err *err) {
  const bool is_stdin = strcmp(path, "-") == 0;
  Input *input = heap_alloc(heap, sizeof *input);
  const int handle = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (handle < 0) {
    err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    heap_release(heap, input);
    return NULL;
  }
  memset(input, 0, offsetof(Input, fault)); /* to clear the bytes would take longer than a short run */
  input->heap = heap;
  input->name = file_name(path);
  input->handle = handle;
  input->whole = true;
  return input;
}

void input_close(Input *input) {
  ahead_free(input->ahead);
  input->ahead = NULL;
  if (input->state) input->packing->close(input->state);
  if (input->handle != STDIN_FILENO) close(input->handle);
  heap_release(input->heap, input);
}

static bool was_interrupted(const Input *input, Err *err) {
  return err_set(err, ERR_LIMIT, "%s: reading was interrupted", input->name);
}

/* Until there is something to read. */
static bool wait_for_more(const Input *input) {
  if (input->ahead) return ahead_wait(input->ahead, input->handle);
  heap_poll(input->heap);
  return file_wait(input->heap, input->handle);
}

/* read(2), where a signal is no fault. False, with ERR_LIMIT, if the heap is asked to stop while there is nothing to
 * read. */
static bool read_some(Input *input, char *to, size_t room, size_t *n, Err *err) {
  ssize_t got;
  do {
    if (!wait_for_more(input)) return was_interrupted(input, err);
    got = read(input->handle, to, room);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return err_set(err, ERR_IO, "%s: %s", input->name, strerror(errno));
  input->ended = got == 0;
  *n = (size_t)got;
  return true;
}

/* More bytes after those that are there. */
static bool read_more(Input *input, Err *err) {
  size_t n = 0;
  if (input->from == input->to) input->from = input->to = 0;
  assert(input->to < ROOM); /* to read nothing would look like the end */
  if (!read_some(input, input->bytes + input->to, ROOM - input->to, &n, err)) return false;
  input->to += (uint32_t)n;
  return true;
}

static bool is_packed(const Input *input, const Packing *packing) {
  const size_t length = strlen(packing->magic);
  return input->to >= length && memcmp(input->bytes, packing->magic, length) == 0;
}

static bool could_be_packed(const Input *input) {
  bool could = false;
  for (uint32_t i = 0; i < N_PACKINGS; i++) could |= memcmp(input->bytes, PACKINGS[i]->magic, input->to) == 0;
  return could;
}

static void *give(void *owner, size_t size) {
  const Input *input = owner;
  return input->ahead ? ahead_give(input->ahead, size) : heap_alloc_or_null(input->heap, size);
}

static void take(void *owner, void *piece) {
  const Input *input = owner;
  if (input->ahead) ahead_take(input->ahead, piece);
  else heap_release(input->heap, piece);
}

/* Reads enough to tell whether it is packed. */
static bool begin(Input *input, Err *err) {
  while (!input->ended && input->to < LONGEST_MAGIC && could_be_packed(input))
    if (!read_more(input, err)) return false;
  for (uint32_t i = 0; i < N_PACKINGS; i++)
    if (is_packed(input, PACKINGS[i])) input->packing = PACKINGS[i];
  if (!input->packing) return true;
  Err why;
  input->state = input->packing->open(input->heap, &(PackingMemory){give, take, input}, &why);
  return input->state || err_set(err, ERR_LIMIT, "%s: packed data is not read: %s", input->name, why.text);
}

/* Here or on the thread. Without memory no more than that is said. */
static bool unpack(Input *input, char *to, size_t room, size_t *n, Err *err) {
  PackingStep step = {.out = to, .n_out = room};
  for (;;) {
    step.in = input->bytes + input->from;
    step.n_in = input->to - input->from;
    const char *wrong = step.n_in || !input->whole ? input->packing->step(input->state, &step, &input->whole) : NULL;
    input->no_memory = wrong == PACKING_NO_MEMORY;
    if (wrong) return err_set(err, ERR_INPUT, "%s: %s", input->name, wrong);
    assert(step.n_in <= input->to - input->from && step.n_out <= room);
    input->from = input->to - (uint32_t)step.n_in;
    *n = room - step.n_out;
    if (*n || (input->ended && !step.n_in)) return true;
    if (!step.n_in && !read_more(input, err)) return false;
  }
}

/* ---- on a thread ---- */

static bool make_more(void *argument, char *to, size_t room, size_t *n) {
  Input *input = argument;
  return unpack(input, to, room, n, &input->fault);
}

/* If there is a processor for it, and what it takes. */
static void begin_ahead(Input *input) {
  if (machine_processors() < 2) return;
  input->ahead = ahead_new(input->heap, make_more, input);
  if (!input->ahead || ahead_begin(input->ahead)) return;
  ahead_free(input->ahead);
  input->ahead = NULL;
}

static bool read_ahead(Input *input, char *to, size_t room, size_t *n, Err *err) {
  switch (ahead_read(input->ahead, to, room, n)) {
  case AHEAD_BYTES: return true;
  case AHEAD_ASKED: return was_interrupted(input, err);
  case AHEAD_FAULT: *err = input->fault; return false;
  }
  return false;
}

/* Tries once to go on with a thread. */
static bool read_packed(Input *input, char *to, size_t room, size_t *n, Err *err) {
  if (input->ahead) return read_ahead(input, to, room, n, err);
  if (!unpack(input, to, room, n, err)) return false;
  if (input->unpacked < LONG && *n >= LONG - input->unpacked) begin_ahead(input);
  if (input->unpacked < LONG) input->unpacked += *n;
  return true;
}

static bool read_plain(Input *input, char *to, size_t room, size_t *n, Err *err) {
  assert(input->from <= input->to && input->to <= ROOM);
  const size_t there = input->to - input->from;
  if (!there) return read_some(input, to, room, n, err);
  *n = there < room ? there : room;
  memcpy(to, input->bytes + input->from, *n);
  input->from += (uint32_t)*n;
  return true;
}

bool input_is_packed_again(const Input *input, const char *bytes, size_t n) {
  bool again = false;
  for (uint32_t i = 0; input->packing && i < N_PACKINGS; i++) {
    const size_t length = strlen(PACKINGS[i]->magic);
    again |= n >= length && memcmp(bytes, PACKINGS[i]->magic, length) == 0;
  }
  return again;
}

bool input_read(Input *input, char *to, size_t room, size_t *n, Err *err) {
  heap_poll(input->heap); /* a little that is packed may be much */
  if (!input->ahead && !input->to && !input->ended && !begin(input, err)) return false;
  const bool good = (input->packing ? read_packed : read_plain)(input, to, room, n, err);
  if (!good && input->no_memory) heap_pass_on(input->heap);
  return good;
}

/* Without reading, where that can be done; *n: what is left. */
static bool seek(Input *input, uint64_t *n) {
  const uint64_t there = input->to - input->from, beyond = *n > there ? *n - there : 0;
  if (input->packing || beyond > INT64_MAX || lseek(input->handle, (off_t)beyond, SEEK_CUR) < 0) return false;
  input->from += (uint32_t)(*n - beyond);
  *n = 0;
  return true;
}

static bool read_away(Input *input, uint64_t n, Err *err) {
  char *bytes = heap_alloc(input->heap, ROOM);
  size_t got = 1;
  bool good = true;
  for (; good && n && got; n -= got) good = input_read(input, bytes, n < ROOM ? (size_t)n : ROOM, &got, err);
  heap_release(input->heap, bytes);
  return good && (!n || err_set(err, ERR_INPUT, "%s: it is shorter than it was", input->name));
}

bool input_skip(Input *input, uint64_t n, Err *err) {
  assert(!input->to);
  if (!input->ended && !begin(input, err)) return false;
  return seek(input, &n) || read_away(input, n, err);
}

const char *input_name(const Input *input) { return input->name; }
bool input_cut_short(const Input *input) { return !input->whole; }
