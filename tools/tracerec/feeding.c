/* feeding.c: from the words of the raw log to the events of the monitor, in one pass.
 *
 * What only one thread has accessed so far orders nothing, so it is not an event: accesses inside a transaction are put
 * aside until either another thread comes to the line, or the transaction ends and others come before it (then those
 * come before what accesses the same later); outside of all transactions they are dropped where none is open.
 *
 * A read of an atomic variable is put aside until the thread does something else: it may turn out to be part of a wait,
 * of which only the end counts. Locks and hand-overs order nothing here. All that cannot be known before the end of the
 * run is missing as an order at worst, so a violation is one; that nothing was violated is then not said. */
#include "tools/tracerec/feeding.h"

#include "base/bitset.h"
#include "tools/tracerec/watching_inside.h"

#include <assert.h>
#include <string.h>

enum {
  ASIDE_BITS = 13,
  NOTED = 512,
  ASIDE_MOST = 1 << 18,
  IDLE_WORDS = 64,
  LINE_BYTES = 1 << RAW_LINE_BITS,
  ASIDE_WRITES = 8,
  ASIDE_SIZES = 7
};

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

uint32_t feeding_count_names(const OptionList *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',', n++) at += strcspn(at, ",");
  return n;
}

/* Modules that were loaded since they were opened last are known from now on: to `symbols`, not to `places`, which
 * others know. */
void feeding_open_symbols(Watching *w) {
  if (w->symbols && w->module_bytes == w->header->module_bytes) return;
  if (w->symbols && w->symbols != w->places) places_close(w->symbols);
  w->symbols = NULL;
  w->module_bytes = w->header->module_bytes;
  w->symbols = places_open(w->heap, w->header->modules);
  if (w->places) return;
  w->places = w->symbols;
  w->blocks = blocks_open(w->heap, w->places);
  w->atoms = atoms_new(w->heap, w->places, WATCHING_THREADS);
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
  feeding_open_symbols(w);
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
  const uint32_t whole = bytes == UINT64_MAX ? parts_of_line(w->parts, line, log_size) : PARTS_NONE;
  const TraceOp op = kind == RAW_READ ? TRACE_READ : TRACE_WRITE;
  if (w->courses.at[thread].unwritten) write_begins(w, thread);
  const uint32_t location = location_of(w, code);
  if (whole != PARTS_NONE) feed(w, thread, op, whole, location);
  while (whole == PARTS_NONE && bytes) {
    uint32_t size;
    const uint32_t at = next_piece(&bytes, log_size, &size), object = parts_known(w->parts, line + at, size);
    if (object != PARTS_NONE) feed(w, thread, op, object, location);
    else access_all(w, thread, kind, line + at, size, code);
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

void feeding_round(Watching *w, uint64_t floor) {
  RawEvent e;
  RawWords words;
  const uint32_t n = live_threads(w->live);
  if (n > w->courses.n) vec_resize_zeroed(w->heap, &w->courses, n);
  if (!n) return;
  feeding_open_symbols(w);
  source_round(w->source, floor);
  while (!w->found && source_words(w->source, &words)) {
    source_take(w->source, take_plain(w, &words));
    if (source_next(w->source, &e)) on_event(w, &e);
  }
  flush(w);
}

void feeding_end(Watching *w) {
  for (uint32_t i = 0; !w->found && i < w->courses.n; i++) resolve(w, i);
  flush(w);
  if (!w->found && monitor_finish(w->monitor)) w->found = true;
}
