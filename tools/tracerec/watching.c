/* watching.c: from the words of the raw log to the events of the monitor, in one pass.
 *
 * What only one thread has accessed so far orders nothing, so it is not an event: accesses inside a transaction are put
 * aside until either another thread comes to the line, or the transaction ends and others come before it (then those
 * come before what accesses the same later); outside of all transactions they are dropped where none is open.
 *
 * A read of an atomic variable is put aside until the thread does something else: it may turn out to be part of a wait,
 * of which only the end counts. Locks and hand-overs order nothing here. All that cannot be known before the end of the
 * run is missing as an order at worst, so a violation is one; that nothing was violated is then not said. */
#include "tools/tracerec/watching.h"

#include "ask/monitoring.h"
#include "base/bitset.h"
#include "base/clock.h"
#include "base/keys.h"
#include "distil/atoms.h"
#include "distil/blocks.h"
#include "distil/live.h"
#include "distil/naming.h"
#include "distil/parts.h"
#include "distil/places.h"
#include "distil/source.h"
#include "distil/stacks.h"
#include "report/of_run.h"
#include "report/writers.h"
#include "tools/tracerec/distilling.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  BATCH = 1024,
  RECENT = 1024,
  ASIDE_BITS = 13,
  NOTED = 512,
  ASIDE_MOST = 1 << 18,
  PAUSE_NS = 5000000,
  IDLE_WORDS = 64,
  WRITTEN = 64
};

/* In a location: the access was put aside, and its number is that of the event after it. */
#define ASIDE (UINT32_C(1) << 30)
#define NOT_ASIDE (ASIDE - 1)

/* What is left by a return, or by a jump over it. */
typedef struct {
  uint64_t frame, code, serial;
  uint32_t label; /* of a transaction, from 1; 0: it is none */
  bool block;     /* ATOMIC_BEGIN, not a function */
  bool written;   /* its begin was fed */
} Frame;

/* Accesses to a line that were put aside; 32 bytes, since there may be many. */
typedef struct {
  uint64_t line;  /* its address; in the low bits the logarithm of the size of each, and ASIDE_WRITES */
  uint64_t bytes; /* of it, a bit for each; 0: it does not count */
  uint32_t location;
  uint32_t since; /* events from the begin of the transaction to it */
  uint32_t next;  /* 1 + that of the next one in the bucket */
} Aside;

enum { LINE_BYTES = 1 << RAW_LINE_BITS, ASIDE_WRITES = 8, ASIDE_SIZES = 7 };

/* What was put aside of a line by a transaction. */
typedef struct {
  uint64_t line;     /* its address */
  uint64_t bytes[2]; /* that were accessed, and written */
  uint32_t transaction;
} Noted;

typedef struct {
  VEC(Frame) frames;
  uint32_t unwritten, open; /* transactions among them whose begin was not fed, and was */
  VEC(Aside) aside;
  uint64_t *buckets; /* by stripe: `transaction`, and 1 + the last one; NULL: there was no need for it yet */
  uint32_t indexed;  /* of what was put aside: what is in the buckets */
  Noted *noted;      /* what was put aside lately, by line; NULL: nothing was yet */
  uint32_t transaction;
  uint64_t base;     /* number of its first event */
  uint64_t function; /* that it started with */
  bool reads;        /* an atomic read was put aside: */
  bool overtaken;    /* another thread has changed the variable since; */
  uint32_t idle;     /* private accesses since; */
  uint64_t outer;    /* and the innermost call of a transaction then, whose begin had not been fed */
  RawEvent read;
} Course;

/* Of a program counter: the transaction that a call of its function is. */
typedef struct {
  uint64_t code;
  uint32_t label;
  bool asked;
} Code;

typedef struct {
  uint64_t code;
  uint32_t location;
} Located;

/* Bytes of a line that a thread has written, and no other thread has come to since. */
typedef struct {
  uint64_t line, bytes;
  uint64_t run; /* in which that was */
} Written;

struct Watching {
  Heap *heap;
  const WatchOptions *options;
  int raw;
  pid_t program;
  pthread_t thread;
  bool started, recorded;
  bool is_part; /* not all accesses are recorded */
  uint32_t lost[RAW_LOST], full;
  atomic_bool ended;
  Live *live;
  Source *source;
  const RawHeader *header;
  Monitor *monitor;
  Parts *parts;
  Places *places, *symbols; /* of the modules at the first event; and now */
  uint32_t module_bytes;    /* of the header, then */
  Blocks *blocks;
  Stacks *stacks;
  Atoms *atoms;
  Keys guards;   /* addresses of what is done once */
  Keys asked;    /* codes of which it was asked whether they are the program's own; */
  VEC(bool) own; /* by their numbers */
  Keys codes;
  VEC(Code) code; /* by their numbers */
  Located recent[RECENT];
  U32Vec called;            /* by name in options->atomic: has there been a call of it? */
  U32Vec names;             /* of labels, by number: an index of RawHeader.name_at; or LABEL_CODE and a code */
  VEC(Course) courses;      /* by thread */
  uint32_t n_open, n_reads; /* transactions that are open, outermost ones; threads with a read put aside */
  uint64_t quiet;           /* the last event at which none was open */
  uint64_t serial;          /* of frames */
  uint64_t *seen;           /* bits of stripes that are known to be shared */
  TraceEvent batch[BATCH];
  uint32_t n;
  Written written[WRITTEN]; /* by line */
  uint64_t runs;            /* of words that were taken without anything else of any thread in between */
  uint64_t fed, n_transactions;
  bool found, wrong; /* wrong: what was found is no violation */
  const char *why;   /* of what was missed; or NULL */
  double start, cpu;
};

enum { THREADS = 1 << 20 };

/* --- to the monitor --- */

static void flush(Watching *w) {
  if (w->n && !w->found) w->found = monitor_feed(w->monitor, w->batch, w->n);
  w->fed += w->n;
  w->n = 0;
}

static inline void feed(Watching *w, uint32_t thread, TraceOp op, uint32_t object, uint32_t location) {
  w->batch[w->n++] = (TraceEvent){thread, object, location, (uint8_t)op};
  if (w->n == BATCH) flush(w);
}

static uint64_t now(const Watching *w) { return w->fed + w->n; }

static uint32_t add_code(Watching *w, uint64_t code) {
  bool is_new;
  const uint32_t number = keys_add(w->heap, &w->codes, code, &is_new);
  const Code fresh = {.code = code};
  if (is_new) vec_push(w->heap, &w->code, fresh);
  if (number >= NOT_ASIDE) heap_give_up(w->heap);
  w->recent[code % RECENT] = (Located){code, number};
  return number;
}

static inline uint32_t location_of(Watching *w, uint64_t code) {
  const Located *recent = &w->recent[code % RECENT];
  return recent->code == code ? recent->location : add_code(w, code);
}

/* --- transactions --- */

static uint32_t add_label(Watching *w, uint32_t what) {
  for (uint32_t i = 0; i < w->names.n; i++)
    if (w->names.at[i] == what) return i + 1;
  vec_push(w->heap, &w->names, what);
  return w->names.n;
}

enum { LABEL_CODE = 1 << 30 };

/* Is the name in the list? Then it has been called; `called`: by the place in the list, or NULL. */
static bool is_listed(const OptionList *list, const char *name, size_t length, U32Vec *called) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',', number++) {
      const size_t n = strcspn(at, ",");
      if (n == length && memcmp(at, name, n) == 0) {
        if (called) called->at[number] = 1;
        return true;
      }
      at += n;
    }
  return false;
}

static uint32_t count_names(const OptionList *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',', n++) at += strcspn(at, ",");
  return n;
}

/* Modules that were loaded since they were opened last are known from now on: to `symbols`, not to `places`, which
 * others know. */
static void open_symbols(Watching *w) {
  if (w->symbols && w->module_bytes == w->header->module_bytes) return;
  if (w->symbols && w->symbols != w->places) places_close(w->symbols);
  w->symbols = NULL;
  w->module_bytes = w->header->module_bytes;
  w->symbols = places_open(w->heap, w->header->modules);
  if (w->places) return;
  w->places = w->symbols;
  w->blocks = blocks_open(w->heap, w->places);
  w->atoms = atoms_new(w->heap, w->places, THREADS);
}

/* The label of calls of the function of this name, one of whose codes has the number. */
static uint32_t label_of(Watching *w, uint32_t number, const char *name, uint32_t length) {
  for (uint32_t i = 0; i < w->names.n; i++) {
    const uint32_t what = w->names.at[i];
    uint32_t other;
    uint64_t start;
    if (what < LABEL_CODE) continue;
    const char *known = places_symbol(w->symbols, w->code.at[what - LABEL_CODE].code - 1, &other, &start);
    if (known && other == length && memcmp(known, name, length) == 0) return i + 1;
  }
  return add_label(w, LABEL_CODE + number);
}

/* The label of the transaction that a call of this function is, or 0. */
static uint32_t transaction_of(Watching *w, uint64_t code) {
  static const char ALL[] = "all-calls";
  const uint32_t number = location_of(w, code);
  if (w->code.at[number].asked) return w->code.at[number].label;
  uint32_t length, label = 0;
  uint64_t start;
  open_symbols(w);
  const char *name = places_symbol(w->symbols, code - 1, &length, &start);
  if (name) {
    const bool listed = is_listed(&w->options->atomic, name, length, &w->called);
    const bool all = is_listed(&w->options->atomic, ALL, strlen(ALL), &w->called) &&
                     !is_listed(&w->options->except, name, length, NULL);
    if (listed || all) label = label_of(w, number, name, length);
  }
  w->code.at[number].asked = true;
  return w->code.at[number].label = label;
}

/* Of a transaction that begins nothing was put aside. */
static void begin_aside(Course *s, uint64_t base) {
  vec_clear(&s->aside);
  s->indexed = 0;
  s->base = base;
  s->transaction++;
}

/* Begins what is open around the next event. */
static void write_begins(Watching *w, uint32_t thread) {
  Course *s = &w->courses.at[thread];
  for (uint32_t i = 0; s->unwritten; i++) {
    assert(i < s->frames.n);
    Frame *f = &s->frames.at[i];
    if (!f->label || f->written) continue;
    if (!s->open++) {
      w->n_open++;
      begin_aside(s, now(w));
    }
    feed(w, thread, TRACE_BEGIN, f->label - 1, location_of(w, f->code));
    f->written = true;
    s->unwritten--;
  }
}

static void resolve(Watching *w, uint32_t thread);

/* An event of the thread that orders something, or may. */
static void emit(Watching *w, uint32_t thread, TraceOp op, uint32_t object, uint64_t code) {
  if (w->courses.at[thread].unwritten) write_begins(w, thread);
  feed(w, thread, op, object, location_of(w, code));
}

static void note_asides(Watching *w, uint32_t thread);

static void pop_frame(Watching *w, uint32_t thread, uint64_t code) {
  Course *s = &w->courses.at[thread];
  const Frame f = s->frames.at[s->frames.n - 1];
  if (f.label && f.written) resolve(w, thread), s = &w->courses.at[thread];
  s->frames.n--;
  assert(!f.label || f.written || s->unwritten);
  if (f.label && !f.written) s->unwritten--;
  if (!f.label || !f.written) return;
  if (s->open == 1) note_asides(w, thread);
  feed(w, thread, TRACE_END, TRACE_NONE, location_of(w, code));
  if (--s->open) return;
  if (--w->n_open) return;
  w->quiet = now(w);
  parts_forget(w->parts);
}

static void unwind(Watching *w, uint32_t thread, uint64_t to, uint64_t code) {
  const Course *s = &w->courses.at[thread];
  while (s->frames.n && vec_last(&s->frames).frame < to) pop_frame(w, thread, code);
}

static void push_frame(Watching *w, const RawEvent *e, uint32_t label, bool block) {
  Course *s = &w->courses.at[e->thread];
  const Frame frame = {e->address, e->code, ++w->serial, label, block, false};
  vec_push(w->heap, &s->frames, frame);
  if (label) s->unwritten++, w->n_transactions++;
}

static bool has_frame(const Course *s, bool block) {
  for (uint32_t i = s->frames.n; i-- > 0;) {
    if (s->frames.at[i].block == block) return true;
    if (block) return false;
  }
  return false;
}

static void leave(Watching *w, const RawEvent *e, bool block) {
  const Course *s = &w->courses.at[e->thread];
  if (!has_frame(s, block)) return;
  while (vec_last(&s->frames).block != block) pop_frame(w, e->thread, e->code);
  pop_frame(w, e->thread, e->code);
}

static void begin_block(Watching *w, const RawEvent *e) {
  const Course *s = &w->courses.at[e->thread];
  for (uint32_t i = s->frames.n; i-- > 0 && s->frames.at[i].block;)
    if (s->frames.at[i].code == e->code && s->frames.at[i].frame == e->address) {
      while (s->frames.n > i) pop_frame(w, e->thread, e->code);
      break;
    }
  push_frame(w, e, add_label(w, (uint32_t)e->size), true);
}

/* --- objects --- */

static uint64_t line_of(uint64_t address) { return address & ~(uint64_t)(LINE_BYTES - 1); }

/* What was done to the line, which is no object any more, was done to all parts of it. */
static void divide_line(Watching *w, uint32_t whole, uint64_t address) {
  const uint64_t line = line_of(address);
  flush(w);
  for (uint64_t at = line; at < line + LINE_BYTES; at += 8) {
    uint32_t first, n;
    parts_at(w->parts, at, &first, &n);
    for (uint32_t i = 0; i < n; i++) monitor_divide(w->monitor, whole, first + i);
  }
}

static void divide(Watching *w, uint64_t address, const PartsFound *found) {
  if (found->whole != PARTS_NONE) divide_line(w, found->whole, address);
  flush(w);
  const uint32_t each = found->n_old ? found->n_new / found->n_old : 0;
  for (uint32_t i = 0; i < found->n_new; i++) monitor_divide(w->monitor, found->old + i / each, found->new + i);
}

static PartsFound find(Watching *w, uint64_t address, uint32_t size) {
  const PartsFound found = parts_find(w->parts, address, size);
  if (found.whole != PARTS_NONE || found.n_old) divide(w, address, &found);
  return found;
}

/* What lies in one granule. */
static inline void access_granule(Watching *w, uint32_t thread, uint32_t kind, uint64_t address, uint32_t size,
                                  uint64_t code) {
  const PartsFound found = find(w, address, size);
  const TraceOp op = kind == RAW_READ                                ? TRACE_READ
                     : kind == RAW_WRITE || kind == RAW_ATOMIC_WRITE ? TRACE_WRITE
                                                                     : TRACE_UPDATE;
  const uint32_t location = location_of(w, code);
  for (uint32_t i = 0; i < found.n; i++) {
    if (kind == RAW_UPDATE) feed(w, thread, TRACE_READ, found.first + i, location);
    feed(w, thread, kind == RAW_UPDATE ? TRACE_WRITE : op, found.first + i, location);
  }
}

static void access_all(Watching *w, uint32_t thread, uint32_t kind, uint64_t address, uint64_t size, uint64_t code) {
  if (w->courses.at[thread].unwritten) write_begins(w, thread);
  while (size) {
    const uint64_t room = 8 - (address & 7), n = size < room ? size : room;
    access_granule(w, thread, kind, address, (uint32_t)n, code);
    address += n;
    size -= n;
  }
}

/* The next piece of the bytes of a line, which are then without it: of 2^log_size bytes, if all of these are there.
 * Where it begins; its size. */
static inline uint32_t next_piece(uint64_t *bytes, uint32_t log_size, uint32_t *size) {
  const uint32_t from = (uint32_t)__builtin_ctzll(*bytes), most = 1u << log_size;
  const uint64_t gap = ~(*bytes >> from);
  const uint32_t run = gap ? (uint32_t)__builtin_ctzll(gap) : LINE_BYTES;
  *size = run < most ? run : most;
  *bytes &= ~(((UINT64_C(1) << *size) - 1) << from);
  return from;
}

/* Accesses to bytes of a line, each of 2^log_size. */
static void access_line(Watching *w, uint32_t thread, uint32_t kind, uint64_t line, uint32_t log_size, uint64_t bytes,
                        uint64_t code) {
  const uint32_t object = bytes == UINT64_MAX ? parts_of_line(w->parts, line, log_size) : PARTS_NONE;
  if (w->courses.at[thread].unwritten) write_begins(w, thread);
  if (object != PARTS_NONE) feed(w, thread, kind == RAW_READ ? TRACE_READ : TRACE_WRITE, object, location_of(w, code));
  while (object == PARTS_NONE && bytes) {
    uint32_t size;
    const uint32_t at = next_piece(&bytes, log_size, &size);
    access_all(w, thread, kind, line + at, size, code);
  }
}

/* --- what is put aside --- */

static uint64_t bytes_of(uint64_t address, uint32_t size) {
  return ((UINT64_C(1) << size) - 1) << (address & (LINE_BYTES - 1));
}

static void note_piece(Watching *w, TraceEvent *event, uint64_t address, uint32_t size, uint64_t index) {
  while (size) {
    const uint32_t room = 8 - (uint32_t)(address & 7), n = size < room ? size : room;
    const PartsFound found = find(w, address, n);
    for (uint32_t i = 0; i < found.n; i++) {
      event->object = found.first + i;
      monitor_note(w->monitor, event, index);
    }
    address += n;
    size -= n;
  }
}

static void note_aside(Watching *w, uint32_t thread, Aside *a) {
  const uint64_t index = w->courses.at[thread].base + a->since, line = line_of(a->line);
  const uint32_t log_size = a->line & ASIDE_SIZES;
  TraceEvent event = {thread, TRACE_NONE, a->location | ASIDE, a->line & ASIDE_WRITES ? TRACE_WRITE : TRACE_READ};
  if (a->bytes == UINT64_MAX && (event.object = parts_of_line(w->parts, line, log_size)) != PARTS_NONE) {
    monitor_note(w->monitor, &event, index);
    a->bytes = 0;
  }
  while (a->bytes) {
    uint32_t size;
    const uint32_t at = next_piece(&a->bytes, log_size, &size);
    note_piece(w, &event, line + at, size, index);
  }
}

/* The transaction is about to end, and hands on what it has done. */
static void note_asides(Watching *w, uint32_t thread) {
  flush(w);
  Course *s = &w->courses.at[thread];
  const bool matters = s->aside.n && monitor_follows(w->monitor, thread);
  for (uint32_t i = 0; matters && i < s->aside.n; i++) note_aside(w, thread, &s->aside.at[i]);
  vec_clear(&s->aside);
  s->indexed = 0;
}

static uint64_t *bucket_of(const Course *s, uint32_t stripe) { return &s->buckets[stripe & ((1u << ASIDE_BITS) - 1)]; }

/* The last one of the bucket, plus 1. */
static uint32_t last_of(const Course *s, uint32_t stripe) {
  const uint64_t bucket = *bucket_of(s, stripe);
  return bucket >> 32 == s->transaction && (uint32_t)bucket <= s->indexed ? (uint32_t)bucket : 0;
}

/* The same, with all of them in their buckets, which few transactions need. */
static uint32_t first_of(Watching *w, Course *s, uint32_t stripe) {
  if (!s->aside.n) return 0;
  if (!s->buckets) s->buckets = heap_zeroed(w->heap, sizeof *s->buckets << ASIDE_BITS);
  for (; s->indexed < s->aside.n; s->indexed++) {
    Aside *a = &s->aside.at[s->indexed];
    const uint32_t its = raw_stripe(a->line);
    a->next = last_of(s, its);
    *bucket_of(s, its) = (uint64_t)s->transaction << 32 | (s->indexed + 1);
  }
  return last_of(s, stripe);
}

/* Those bytes of the line that were not put aside lately are. */
static inline void put_aside(Watching *w, Course *s, bool writes, uint64_t line, uint32_t log_size, uint64_t bytes,
                             uint64_t code) {
  Noted *noted = &s->noted[(line >> RAW_LINE_BITS ^ line >> (RAW_LINE_BITS + 9)) % NOTED];
  if (noted->line != line || noted->transaction != s->transaction)
    *noted = (Noted){.line = line, .transaction = s->transaction};
  bytes &= ~noted->bytes[writes];
  if (!bytes) return;
  noted->bytes[0] |= bytes;
  if (writes) noted->bytes[1] |= bytes;
  const uint64_t since = now(w) - s->base;
  const Aside a = {line | log_size | (writes ? ASIDE_WRITES : 0), bytes, location_of(w, code),
                   since < UINT32_MAX ? (uint32_t)since : UINT32_MAX, 0};
  vec_push(w->heap, &s->aside, a);
}

static inline void put_access_aside(Watching *w, Course *s, uint32_t kind, uint64_t address, uint32_t size,
                                    uint64_t code) {
  const uint32_t log_size = 31 - (uint32_t)__builtin_clz(size);
  const uint64_t line = line_of(address), bytes = bytes_of(address, size);
  if (kind != RAW_WRITE) put_aside(w, s, false, line, log_size, bytes, code);
  if (kind != RAW_READ) put_aside(w, s, true, line, log_size, bytes, code);
}

/* Another thread comes to the lines of the stripe. */
static void share(Watching *w, uint32_t stripe) {
  bitset_add(w->seen, stripe);
  for (uint32_t t = 0; w->n_open && t < w->courses.n; t++) {
    Course *s = &w->courses.at[t];
    for (uint32_t i = first_of(w, s, stripe); i; i = s->aside.at[i - 1].next) {
      Aside *a = &s->aside.at[i - 1];
      if (!a->bytes || raw_stripe(a->line) != stripe) continue;
      flush(w);
      note_aside(w, t, a);
    }
  }
}

/* Bytes of an access that are freed. */
static void forget_if_in(Aside *a, uint64_t from, uint64_t end) {
  const uint64_t line = line_of(a->line);
  if (line >= end || line + LINE_BYTES <= from) return;
  const uint64_t before = from > line ? (UINT64_C(1) << (from - line)) - 1 : 0;
  const uint64_t behind = end < line + LINE_BYTES ? UINT64_MAX << (end - line) : 0;
  a->bytes &= before | behind;
}

/* The memory is another's from now on. */
static void forget_aside(Watching *w, Course *s, uint64_t from, uint64_t end) {
  if (s->noted) memset(s->noted, 0, NOTED * sizeof *s->noted);
  if ((end - from) >> RAW_LINE_BITS > s->aside.n) {
    for (uint32_t i = 0; i < s->aside.n; i++) forget_if_in(&s->aside.at[i], from, end);
    return;
  }
  for (uint64_t line = from >> RAW_LINE_BITS; line <= (end - 1) >> RAW_LINE_BITS; line++)
    for (uint32_t i = first_of(w, s, raw_stripe_of_line(line)); i; i = s->aside.at[i - 1].next)
      forget_if_in(&s->aside.at[i - 1], from, end);
}

static bool is_now_shared(Watching *w, uint32_t stripe) {
  if (!(atomic_load_explicit(&w->header->shared[stripe / 64], memory_order_relaxed) >> stripe % 64 & 1)) return false;
  if (!bitset_has(w->seen, stripe)) share(w, stripe);
  return true;
}

/* Is what no other thread has come to put aside? It may be nothing to tell, or too much to put aside. */
static bool puts_aside(Watching *w, uint32_t thread) {
  Course *s = &w->courses.at[thread];
  if (s->unwritten) write_begins(w, thread);
  if (!s->open || s->aside.n >= ASIDE_MOST) return false;
  if (!s->noted) s->noted = heap_zeroed(w->heap, NOTED * sizeof *s->noted);
  return true;
}

/* An access to one line that no other thread has come to. */
static void access_private(Watching *w, uint32_t thread, uint32_t kind, uint64_t address, uint32_t size,
                           uint64_t code) {
  if (puts_aside(w, thread)) put_access_aside(w, &w->courses.at[thread], kind, address, size, code);
  else if (w->n_open) access_all(w, thread, kind, address, size, code);
}

/* --- atomic reads that are put aside --- */

/* The outermost transaction whose begin has not been fed; 0: there is none. */
static uint64_t outer_of(const Course *s) {
  for (uint32_t i = 0; s->unwritten && i < s->frames.n; i++)
    if (s->frames.at[i].label && !s->frames.at[i].written) return s->frames.at[i].serial;
  return 0;
}

/* It was no wait. Where another thread has changed the variable since it is too late. */
static void resolve(Watching *w, uint32_t thread) {
  Course *s = &w->courses.at[thread];
  if (!s->reads) return;
  const RawEvent e = s->read;
  const uint32_t unwritten = s->unwritten;
  const bool before = s->outer != outer_of(s); /* what has begun since */
  s->reads = false;
  w->n_reads--;
  if (s->overtaken && w->n_open) w->why = "an atomic variable was read while another thread waited or wrote it";
  if (s->overtaken) return;
  if (before) s->unwritten = 0;
  if (is_now_shared(w, raw_stripe(e.address))) access_all(w, thread, RAW_READ, e.address, e.size, e.code);
  else access_private(w, thread, RAW_READ, e.address, (uint32_t)e.size, e.code);
  s = &w->courses.at[thread];
  if (before) s->unwritten = unwritten;
}

/* The variable changes: those who have read it have to be told of before. */
static void overtake(Watching *w, uint32_t thread, uint64_t address, uint64_t size) {
  for (uint32_t t = 0; t < w->courses.n; t++) {
    Course *s = &w->courses.at[t];
    if (t != thread && s->reads && s->read.address < address + size && address < s->read.address + s->read.size)
      s->overtaken = true;
  }
}

typedef enum { NOT_KNOWN, A_READ, A_WAIT } Meaning;

/* What the read is, by what its thread has done since, as record/atomic.c tells a wait. */
static Meaning meaning_of(const Watching *w, const RawEvent *e) {
  RawWords words;
  if (!source_words(w->source, &words) || words.thread != e->thread) return NOT_KNOWN;
  for (uint32_t i = 0; i < words.n && words.at[i]; i++) {
    const uint64_t word = words.at[i], address = raw_address(words.region, word);
    const uint32_t kind = raw_kind(word), stripe = raw_stripe(address);
    if (i > IDLE_WORDS) return A_READ;
    if (kind == RAW_REGION) return NOT_KNOWN;
    if (kind == RAW_CLOCK || kind == RAW_CODE || kind == RAW_ENTRY || kind == RAW_RETURN || kind == RAW_CALLER ||
        kind == RAW_STACK)
      continue;
    const bool plain = raw_is_plain(word) || raw_is_line(kind);
    i += raw_is_line(kind);
    if (plain && !(w->header->shared[stripe / 64] >> stripe % 64 & 1)) continue;
    const bool awaited = raw_is_atomic(kind) && i + 1 < words.n && words.at[i + 1] & RAW_AWAITED;
    return awaited && address == e->address ? A_WAIT : A_READ;
  }
  return NOT_KNOWN;
}

static void on_atomic(Watching *w, const RawEvent *e) {
  Course *s = &w->courses.at[e->thread];
  if (keys_find(&w->guards, e->address) != KEYS_NONE) return;
  if (s->reads && s->read.address == e->address && e->flags & RAW_AWAITED) s->reads = false, w->n_reads--;
  resolve(w, e->thread);
  if (w->n_reads && e->kind != RAW_ATOMIC_READ) overtake(w, e->thread, e->address, e->size);
  const bool access = atoms_is_access(w->atoms, e, now(w) + 1, w->n_open ? w->quiet : now(w));
  const bool shared = is_now_shared(w, raw_stripe(e->address));
  if (!access) return;
  s = &w->courses.at[e->thread];
  const Meaning meaning = e->kind == RAW_ATOMIC_READ ? meaning_of(w, e) : A_READ;
  if (meaning == A_WAIT) return;
  if (meaning == NOT_KNOWN) {
    s->reads = true;
    s->overtaken = false;
    s->idle = 0;
    s->outer = outer_of(s);
    s->read = *e;
    w->n_reads++;
  } else if (shared) {
    access_all(w, e->thread, e->kind == RAW_ATOMIC_READ ? RAW_READ : e->kind, e->address, e->size, e->code);
  } else {
    const uint32_t kind = e->kind == RAW_ATOMIC_READ ? RAW_READ : e->kind == RAW_ATOMIC_WRITE ? RAW_WRITE : RAW_UPDATE;
    access_private(w, e->thread, kind, e->address, (uint32_t)e->size, e->code);
  }
}

/* --- all events --- */

static bool is_in_line(uint64_t address, uint64_t size) {
  return (address & ((1u << RAW_LINE_BITS) - 1)) + size <= 1u << RAW_LINE_BITS;
}

static void on_access(Watching *w, uint32_t thread, uint32_t kind, uint64_t address, uint64_t size, uint64_t code) {
  Course *s = &w->courses.at[thread];
  const bool single = is_in_line(address, size);
  if (single && size <= 16 && !is_now_shared(w, raw_stripe(address))) {
    if (s->reads && ++s->idle > IDLE_WORDS) resolve(w, thread);
    access_private(w, thread, kind, address, (uint32_t)size, code);
    return;
  }
  if (s->reads) resolve(w, thread);
  if (w->n_reads && kind != RAW_READ) overtake(w, thread, address, size);
  for (uint64_t line = address >> RAW_LINE_BITS; !single && line <= (address + size - 1) >> RAW_LINE_BITS; line++) {
    const uint32_t stripe = raw_stripe_of_line(line);
    if (!bitset_has(w->seen, stripe) && w->n_open) share(w, stripe); /* it may be, and is told as if it were */
  }
  access_all(w, thread, kind, address, size, code);
}

/* Accesses to bytes of one line. */
static void on_line(Watching *w, uint32_t thread, uint32_t kind, uint64_t address, uint64_t bytes, uint64_t code) {
  const uint64_t line = line_of(address);
  const uint32_t log_size = address & ASIDE_SIZES;
  Course *s = &w->courses.at[thread];
  if (!is_now_shared(w, raw_stripe(line))) {
    if (s->reads && ++s->idle > IDLE_WORDS) resolve(w, thread);
    if (puts_aside(w, thread)) put_aside(w, &w->courses.at[thread], kind == RAW_WRITE, line, log_size, bytes, code);
    else if (w->n_open) access_line(w, thread, kind, line, log_size, bytes, code);
    return;
  }
  if (s->reads) resolve(w, thread);
  for (uint64_t left = bytes; w->n_reads && kind == RAW_WRITE && left;) {
    uint32_t size;
    const uint32_t at = next_piece(&left, log_size, &size);
    overtake(w, thread, line + at, size);
  }
  access_line(w, thread, kind, line, log_size, bytes, code);
}

static void cut(Watching *w, uint64_t address) {
  const uint32_t whole = parts_cut(w->parts, address);
  if (whole != PARTS_NONE) divide_line(w, whole, address);
}

static void on_free(Watching *w, const RawEvent *e) {
  const uint64_t end = e->address + e->size;
  uint64_t at = e->address;
  uint32_t first, n;
  for (uint32_t t = 0; w->n_open && t < w->courses.n; t++) {
    Course *s = &w->courses.at[t];
    if (s->aside.n) forget_aside(w, s, e->address, end);
  }
  for (uint32_t t = 0; w->n_reads && t < w->courses.n; t++) {
    Course *s = &w->courses.at[t];
    if (s->reads && s->read.address >= e->address && s->read.address < end) s->reads = false, w->n_reads--;
  }
  cut(w, at);
  cut(w, end);
  while (parts_end(w->parts, &at, end, &first, &n))
    for (uint32_t i = 0; i < n; i++) feed(w, e->thread, TRACE_FREE, first + i, location_of(w, e->code));
  blocks_end(w->blocks, e->address);
}

static void on_exit_of(Watching *w, const RawEvent *e) {
  resolve(w, e->thread);
  unwind(w, e->thread, UINT64_MAX, e->code);
  feed(w, e->thread, TRACE_EXIT, TRACE_NONE, TRACE_NONE);
  stacks_end(w->stacks, e->thread);
  Course *s = &w->courses.at[e->thread];
  heap_release(w->heap, s->buckets);
  heap_release(w->heap, s->noted);
  s->buckets = NULL;
  s->noted = NULL;
  vec_fini(w->heap, &s->aside);
  vec_fini(w->heap, &s->frames);
}

static bool is_own(Watching *w, uint64_t code) {
  bool is_new;
  const uint32_t number = keys_add(w->heap, &w->asked, code, &is_new);
  if (is_new) vec_push(w->heap, &w->own, places_is_own(w->places, code));
  return w->own.at[number];
}

/* It is called after the innermost of the program's own functions, as in distil.c. */
static void on_alloc(Watching *w, const RawEvent *e) {
  uint32_t n;
  const uint64_t *callers = stacks_callers(w->stacks, stacks_at(w->stacks, e->thread, e->code), &n);
  uint64_t code = e->code;
  for (uint32_t i = 0; i < n && !is_own(w, code - 1); i++) code = callers[i];
  if (!is_own(w, code - 1)) code = e->code;
  blocks_begin(w->blocks, e->thread, e->address, e->size, code, e->code);
}

static void on_relation(Watching *w, const RawEvent *e, TraceOp op) {
  resolve(w, e->thread);
  emit(w, e->thread, op, (uint32_t)e->size - 1, e->code);
}

static void on_event(Watching *w, const RawEvent *e) {
  bool is_new;
  switch (e->kind) {
  case RAW_READ:
  case RAW_WRITE:
  case RAW_UPDATE: on_access(w, e->thread, e->kind, e->address, e->size, e->code); break;
  case RAW_LINE_READ:
  case RAW_LINE_WRITE:
    on_line(w, e->thread, e->kind == RAW_LINE_READ ? RAW_READ : RAW_WRITE, e->address, e->size, e->code);
    break;
  case RAW_FREE: on_free(w, e); break;
  case RAW_ATOMIC_READ:
  case RAW_ATOMIC_WRITE:
  case RAW_ATOMIC_UPDATE: on_atomic(w, e); break;
  case RAW_SYNC:
    if (e->size == SYNC_DONE || e->size == SYNC_PASSED) keys_add(w->heap, &w->guards, e->address, &is_new);
    resolve(w, e->thread);
    break;
  case RAW_ACQUIRE:
  case RAW_TRY:
  case RAW_RELEASE:
  case RAW_SHARED_ACQUIRE:
  case RAW_SHARED_TRY:
  case RAW_SHARED_RELEASE: resolve(w, e->thread); break;
  case RAW_FORK: on_relation(w, e, TRACE_FORK); break;
  case RAW_JOIN: on_relation(w, e, TRACE_JOIN); break;
  case RAW_START:
    w->courses.at[e->thread].function = e->address;
    feed(w, e->thread, TRACE_START, TRACE_NONE, TRACE_NONE);
    break;
  case RAW_EXIT: on_exit_of(w, e); break;
  case RAW_BEGIN: begin_block(w, e); break;
  case RAW_END: leave(w, e, true); break;
  case RAW_ENTRY:
    unwind(w, e->thread, e->address, e->code);
    push_frame(w, e, transaction_of(w, e->code), false);
    break;
  case RAW_RETURN: leave(w, e, false); break;
  case RAW_UNWIND: unwind(w, e->thread, e->address, e->code); break;
  case RAW_ALLOC: on_alloc(w, e); break;
  case RAW_CALLER:
  case RAW_STACK: stacks_note(w->stacks, e); break;
  default: break;
  }
}

/* What was written is not read as well, where the recorder could not know that it would be written, too. */
static void take_line(Watching *w, uint32_t thread, uint32_t kind, uint64_t address, uint64_t bytes, uint64_t code) {
  const uint64_t line = line_of(address);
  Written *written = &w->written[(line >> RAW_LINE_BITS) % WRITTEN];
  const bool same = written->run == w->runs && written->line == line;
  if (kind == RAW_LINE_READ && same) bytes &= ~written->bytes;
  if (kind == RAW_LINE_WRITE) *written = (Written){line, bytes | (same ? written->bytes : 0), w->runs};
  if (bytes) on_line(w, thread, kind == RAW_LINE_READ ? RAW_READ : RAW_WRITE, address, bytes, code);
}

/* The plain accesses in front of the words, and those to lines; how many words they are. Most are to one object that is
 * known. */
static uint32_t take_plain(Watching *w, const RawWords *words) {
  const uint32_t thread = words->thread;
  const Course *s = &w->courses.at[thread];
  uint32_t i = 0;
  w->runs++;
  for (; i < words->n; i++) {
    const uint64_t word = words->at[i];
    if (raw_is_line(raw_kind(word)) && i + 1 < words->n && words->at[i + 1]) {
      take_line(w, thread, raw_kind(word), raw_address(words->region, word), words->at[i + 1],
                raw_code(words->code, word));
      i++;
      continue;
    }
    if (!raw_is_plain(word)) break;
    const uint64_t address = raw_address(words->region, word), code = raw_code(words->code, word);
    const uint32_t kind = raw_plain_kind(word), size = raw_plain_size(word), stripe = raw_stripe(address);
    const bool plain = s->open && s->noted && !s->reads && !s->unwritten && s->aside.n < ASIDE_MOST;
    if (plain && is_in_line(address, size) && !bitset_has(w->seen, stripe) && !is_now_shared(w, stripe)) {
      put_access_aside(w, &w->courses.at[thread], kind, address, size, code);
      continue;
    }
    const uint32_t object = bitset_has(w->seen, stripe) ? parts_known(w->parts, address, size) : PARTS_NONE;
    if (object == PARTS_NONE || w->n_reads || s->unwritten) {
      on_access(w, thread, kind, address, size, code);
      s = &w->courses.at[thread];
      continue;
    }
    const uint32_t location = location_of(w, code);
    if (kind != RAW_WRITE) feed(w, thread, TRACE_READ, object, location);
    if (kind != RAW_READ) feed(w, thread, TRACE_WRITE, object, location);
  }
  return i;
}

static void take_round(Watching *w, uint64_t floor) {
  RawEvent e;
  RawWords words;
  const uint32_t n = live_threads(w->live);
  if (n > w->courses.n) vec_resize_zeroed(w->heap, &w->courses, n);
  if (!n) return;
  open_symbols(w);
  source_round(w->source, floor);
  while (!w->found && source_words(w->source, &words)) {
    source_take(w->source, take_plain(w, &words));
    if (source_next(w->source, &e)) on_event(w, &e);
  }
  flush(w);
}

/* --- what is told --- */

/* What is named in the report: only what the finding mentions. */
typedef struct {
  Watching *w;
  Naming *naming;
  TraceNames *names;
  U32Vec objects, codes; /* by number in the report */
  MonitorFinding finding;
} Telling;

static uint32_t number_in(Heap *heap, U32Vec *list, uint32_t value, bool *is_new) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == value) return *is_new = false, i;
  vec_push(heap, list, value);
  *is_new = true;
  return list->n - 1;
}

static uint32_t tell_object(Telling *t, uint32_t object) {
  char text[2048];
  uint32_t size;
  bool is_new;
  if (object == TRACE_NONE) return TRACE_NONE;
  const uint32_t number = number_in(t->w->heap, &t->objects, object, &is_new);
  const uint64_t address = parts_address(t->w->parts, object, &size);
  if (is_new)
    naming_print(t->naming, address, size, text, sizeof text), trace_names_add(t->names, TRACE_OBJECT_NAME, text);
  return number;
}

static uint32_t tell_place(Telling *t, uint32_t location) {
  char text[8192];
  bool is_new;
  if (location == TRACE_NONE) return TRACE_NONE;
  const uint32_t code = location & NOT_ASIDE, number = number_in(t->w->heap, &t->codes, code, &is_new);
  if (!is_new) return number;
  places_line(t->w->symbols, t->w->code.at[code].code - 1, text, sizeof text);
  trace_names_add(t->names, TRACE_LOCATION_NAME, text);
  return number;
}

static void tell_labels(const Telling *t) {
  const Watching *w = t->w;
  char text[2048];
  for (uint32_t i = 0; i < w->names.n; i++) {
    const uint32_t what = w->names.at[i];
    uint32_t length = 0;
    uint64_t start;
    const char *name = what >= LABEL_CODE
                           ? places_symbol(w->symbols, w->code.at[what - LABEL_CODE].code - 1, &length, &start)
                       : what <= RAW_NAMES ? w->header->names + w->header->name_at[what - 1]
                                           : "?";
    snprintf(text, sizeof text, "%.*s", what >= LABEL_CODE ? (int)length : (int)strlen(name), name ? name : "?");
    trace_names_add(t->names, TRACE_LABEL_NAME, text);
  }
}

static void tell_threads(const Telling *t) {
  char text[512];
  for (uint32_t i = 0; i < t->w->courses.n; i++) {
    naming_print_thread(t->w->symbols, i, t->w->courses.at[i].function, text, sizeof text);
    trace_names_add(t->names, TRACE_THREAD_NAME, text);
  }
}

/* What was put aside comes before the event with its number. What was one access is several once its object was
 * divided.
 */
static uint64_t key_of(const MonitorAccess *a) {
  return a->event * 2 + !(a->location != TRACE_NONE && a->location & ASIDE);
}

static bool is_before(const MonitorAccess *a, uint32_t thread, const MonitorAccess *b, uint32_t other) {
  if (key_of(a) != key_of(b)) return key_of(a) < key_of(b);
  return thread != other ? thread < other : a->object + 1 < b->object + 1; /* TRACE_NONE first */
}

typedef struct {
  const MonitorAccess *access;
  uint32_t thread;
} End;

/* The events at the ends of the edges, and where transactions begin. */
static uint32_t list_ends(const MonitorFinding *f, MonitorAccess *firsts, End *ends) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    firsts[i] = (MonitorAccess){.event = f->transactions[i].first, .object = TRACE_NONE, .location = TRACE_NONE};
    if (!f->transactions[i].ordinal && f->transactions[i].location != TRACE_NONE)
      firsts[i].location = f->transactions[i].location;
    ends[n++] = (End){&firsts[i], f->transactions[i].thread};
    ends[n++] = (End){&f->edges[i].from, f->transactions[i].thread};
    ends[n++] = (End){&f->edges[i].to, f->transactions[(i + 1) % f->n].thread};
  }
  return n;
}

/* How many different events come before it. */
static uint64_t rank(const End *ends, uint32_t n, const End *end) {
  uint64_t before = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool first = is_before(ends[i].access, ends[i].thread, end->access, end->thread);
    for (uint32_t k = 0; k < i && first; k++)
      first = is_before(ends[k].access, ends[k].thread, ends[i].access, ends[i].thread) ||
              is_before(ends[i].access, ends[i].thread, ends[k].access, ends[k].thread);
    before += first;
  }
  return before;
}

/* The finding, with its events numbered anew, and what it mentions by the numbers of the report. */
static void tell_finding(Telling *t, const MonitorFinding *f) {
  Heap *heap = t->w->heap;
  MonitorAccess *firsts = heap_zeroed(heap, f->n * sizeof *firsts);
  End *ends = heap_zeroed(heap, 3 * (size_t)f->n * sizeof *ends);
  const uint32_t n = list_ends(f, firsts, ends);
  t->finding = (MonitorFinding){f->event, f->n, heap_zeroed(heap, f->n * sizeof *f->transactions),
                                heap_zeroed(heap, f->n * sizeof *f->edges)};
  for (uint32_t i = 0; i < f->n; i++) {
    MonitorTransaction *it = &t->finding.transactions[i];
    MonitorEdge *edge = &t->finding.edges[i];
    *it = f->transactions[i];
    *edge = f->edges[i];
    it->first = rank(ends, n, &ends[3 * i]);
    edge->from.event = rank(ends, n, &ends[3 * i + 1]);
    edge->to.event = rank(ends, n, &ends[3 * i + 2]);
    it->location = tell_place(t, it->location);
    edge->from.location = tell_place(t, edge->from.location);
    edge->to.location = tell_place(t, edge->to.location);
    if (edge->kind != MONITOR_CONFLICT) continue;
    edge->from.object = tell_object(t, edge->from.object);
    edge->to.object = tell_object(t, edge->to.object);
  }
  heap_release(heap, firsts);
  heap_release(heap, ends);
}

static void print_report(Heap *heap, const Watching *w, const RunReport *result) {
  Report report;
  Err err;
  report_init(&report, heap, "tracerec", true);
  of_run(&report, result, (MonitorSize){0}, clock_seconds() - w->start, heap_peak(w->heap));
  if (!writers_find("text")->write(&report, (TextStyle){.quiet = false}, stderr, &err))
    fprintf(stderr, "tracerec: %s\n", err.text);
  report_fini(&report);
}

/* Does the cycle not depend on what may have been done to a lock? */
static bool is_sound(const Watching *w, const MonitorFinding *f) {
  bool sound = atoms_are_sound(w->atoms, w->quiet);
  uint32_t size;
  for (uint32_t i = 0; i < f->n && sound; i++)
    if (f->edges[i].kind == MONITOR_CONFLICT)
      sound = atoms_is_no_lock(w->atoms, parts_address(w->parts, f->edges[i].from.object, &size));
  return sound;
}

/* The first violation, and its judgement. */
static void tell(Watching *w) {
  uint32_t n;
  const MonitorFinding *findings = monitor_findings(w->monitor, &n);
  Err err;
  assert(n > 0);
  open_symbols(w);
  Telling t = {.w = w, .naming = naming_new(w->heap, w->places, w->blocks, NULL), .names = trace_names_new(w->heap)};
  tell_threads(&t);
  tell_labels(&t);
  tell_finding(&t, findings);
  const RunReport report = {
      .names = t.names, .verdict = VERDICT_VIOLATED, .findings = &t.finding, .n_findings = 1, .events = w->fed};
  if (!monitoring_agrees(w->heap, &report, &(MonitorOptions){.all = false}, &err)) {
    fprintf(stderr, "tracerec: %s\n", err.text);
    w->wrong = true;
  } else {
    print_report(w->heap, w, &report);
  }
}

/* --- the program --- */

static void run_debugger(const Watching *w) {
  char command[128];
  const char *name = getenv("TRACEREC_GDB");
  snprintf(command, sizeof command, "%s -q -p %d", name ? name : "gdb", (int)w->header->pid);
  if (system(command)) fprintf(stderr, "tracerec: %s could not be run, or has failed\n", command);
}

/* It is stopped before it is told what was seen: the less has happened since. */
static void on_found(Watching *w) {
  uint32_t n;
  if (!is_sound(w, monitor_findings(w->monitor, &n))) {
    w->why = "a violation was seen that depends on an atomic variable which may be a lock";
    w->found = false;
    return;
  }
  const pid_t pid = (pid_t)w->header->pid;
  if (w->options->debug || w->options->stop) kill(pid, SIGSTOP);
  tell(w);
  if (w->options->debug) run_debugger(w);
  if (w->options->stop) kill(pid, SIGKILL);
  if (w->options->debug || w->options->stop) kill(pid, SIGCONT);
}

static void look(void *argument) {
  Watching *w = argument;
  uint64_t floor;
  for (bool ended = false; !w->found && !ended;) {
    ended = w->ended;
    const char *missed = live_threads(w->live) < THREADS ? live_missed(w->live) : "there are too many threads";
    if (missed) {
      w->why = missed;
      return;
    }
    if (live_round(w->live, ended, &floor)) take_round(w, floor);
    if (!live_is_behind(w->live) && !ended) nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
  }
  for (uint32_t i = 0; !w->found && i < w->courses.n; i++) resolve(w, i);
  flush(w);
  if (!w->found && monitor_finish(w->monitor)) w->found = true;
  if (w->atoms && !atoms_are_sure(w->atoms)) w->why = "an atomic variable was taken for a lock, and was none";
}

static void tell_found(void *argument) { on_found(argument); }

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *watch(void *argument) {
  Watching *w = argument;
  if (!heap_try(w->heap, look, w)) w->why = "out of memory";
  if (w->found && !heap_try(w->heap, tell_found, w)) w->why = "out of memory";
  w->recorded = w->header->pid != 0;
  memcpy(w->lost, (const void *)(uintptr_t)w->header->lost, sizeof w->lost);
  w->full = w->header->full;
  live_close(w->live);
  w->live = NULL;
  w->cpu = cpu_seconds();
  return NULL;
}

typedef struct {
  Watching *w;
  Err *err;
} Opening;

static void open_all(void *argument) {
  const Opening *o = argument;
  Watching *w = o->w;
  Heap *heap = w->heap;
  w->live = live_open(heap, w->raw, w->options->no_log, w->options->debug, o->err);
  if (!w->live) return;
  w->header = live_header(w->live);
  w->is_part = *w->header->choice.words;
  w->source = source_of_live(heap, w->live);
  w->monitor = monitor_new(heap, &(MonitorOptions){.all = false});
  w->parts = parts_new(heap);
  w->stacks = stacks_open(heap, THREADS);
  vec_resize_zeroed(heap, &w->called, count_names(&w->options->atomic));
  w->seen = heap_zeroed(heap, (1u << RAW_STRIPE_BITS) / 8);
}

Watching *watching_open(const WatchOptions *options, int raw, Err *err) {
  Watching *w = calloc(1, sizeof *w);
  if (!w || !(w->heap = heap_new(options->memory))) {
    free(w);
    err_set(err, ERR_LIMIT, "out of memory");
    return NULL;
  }
  w->options = options;
  w->raw = raw;
  w->start = clock_seconds();
  Opening opening = {w, err};
  if (heap_try(w->heap, open_all, &opening) && w->live) return w;
  if (w->live) err_set(err, ERR_LIMIT, "out of memory");
  heap_free(w->heap);
  free(w);
  return NULL;
}

void watching_start(Watching *w, pid_t program) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  w->program = program;
  w->started = pthread_create(&w->thread, NULL, watch, w) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (w->started) return;
  w->why = "there is no thread for it";
  live_close(w->live);
}

/* A name that is never called is mostly a wrong one. */
static void say_missing(const Watching *w) {
  uint32_t number = 0;
  const OptionList *list = &w->options->atomic;
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',', number++) {
      const int n = (int)strcspn(at, ",");
      if (n && !w->called.at[number] && strncmp(at, "all-calls", (size_t)n))
        fprintf(
            stderr,
            "tracerec: warning: no call of %.*s was recorded; check the name, and that the function is not inlined (-fno-inline)\n",
            n, at);
      at += n;
    }
}

static const char *why_unknown(const Watching *w) {
  if (w->why) return w->why;
  if (!w->n_transactions) return "no transaction was seen";
  if (w->lost[RAW_LOST_ORDER]) return "the order of some accesses was guessed";
  if (w->lost[RAW_LOST_SIGNAL]) return "events of signal handlers that interrupted another event are missing";
  return w->is_part ? "only a part of the run was recorded" : NULL;
}

/* The verdict, where no violation was told. */
static Verdict tell_verdict(Watching *w) {
  const char *why = why_unknown(w);
  const RunReport report = {.verdict = why ? VERDICT_UNKNOWN : VERDICT_HOLDS, .why = why, .events = w->fed};
  if (!w->recorded) return VERDICT_UNKNOWN;
  Heap *heap = heap_new(0); /* there may be nothing left of the other one */
  if (heap) print_report(heap, w, &report);
  heap_free(heap);
  return report.verdict;
}

static void free_all(Watching *w) {
  if (w->places && w->places != w->symbols) places_close(w->places);
  if (w->symbols) places_close(w->symbols);
  heap_free(w->heap);
  free(w);
}

Verdict watching_end(Watching *w, bool *recorded) {
  w->ended = true;
  if (w->started) pthread_join(w->thread, NULL);
  const Verdict verdict = w->wrong ? VERDICT_UNKNOWN : w->found ? VERDICT_VIOLATED : tell_verdict(w);
  if (w->options->no_log) distilling_say_lost(w->lost, w->full);
  if (w->options->no_log && w->recorded && !w->found && !w->why) say_missing(w);
  if (w->options->stats)
    fprintf(stderr, "watched %llu events in %.3f s of processor time, %llu bytes\n", (unsigned long long)w->fed, w->cpu,
            (unsigned long long)heap_peak(w->heap));
  *recorded = w->recorded;
  free_all(w);
  return verdict;
}
