/* binary.c: the binary log. Each number is checked before it is used: it is that of something named or used before, or
 * the next one. */
#include "trace/binary_log.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <assert.h>

_Static_assert((int)TRACE_CALLERS == LOG_CALLERS && (int)TRACE_ID_BYTES == LOG_ID, "a log may have all of them");
_Static_assert((int)TRACE_PART_ROOM > (int)LOG_PART_MOST, "there is room for the words");
enum { LOOKED_AT = 1 + LOG_PART_MOST }; /* bytes of a comment that may say something */
_Static_assert((int)LOG_NOTE_ROOM <= (int)LOOKED_AT && (int)LOG_CALLS_ROOM <= (int)LOOKED_AT, "and for the others");
_Static_assert((int)TRACE_UPDATE == LOG_FIRST_LATER && (int)LOG_FIRST_LATER == LOG_NAME && (int)TRACE_OPS == LOG_OPS,
               "ORDER TraceOp: the kinds of records are the operations but the later ones, then names");

/* A version that is not known, or bytes that were changed on the way, make it a log, too: one that is refused. */
static bool binary_looks_like(Part first, uint32_t number) {
  enum { N = 6 }; /* bytes that no version changes */
  (void)number;
  return first.length > N && memcmp(first.at, TRACE_MAGIC, N) == 0 && (unsigned char)first.at[N] < ' ';
}

/* ---- reading ---- */

/* The least number that the object of an operation may have. */
static uint32_t least_object(uint32_t op) { return ops_object(op) == OP_ALWAYS; }

static bool has_no_object(uint32_t op) { return LOG_BEFORE[op].number == LOG_NOTHING; }

/* The objects that an operation may have in a short event: the least, and how many more; and what they are counted
 * from. */
typedef struct {
  uint32_t least, more;
  uint32_t number, mask; /* as LogBefore */
} LogRange;

/* By kind, and by later operation, as three bits: those that are known by now; for what is no operation, or none of the
 * version, such as no short event can have. */
typedef struct {
  LogRange kinds[LOG_KIND + 1], later[1 << LOG_LATER_OP_BITS];
} LogRanges;

/* A loop: its words, the place of the next one, and how many events are still to be taken. */
typedef struct {
  uint32_t n, next, left;
  uint32_t words[LOG_LOOP_WORDS];
  uint64_t at; /* the byte where it begins */
} LogLoop;

typedef struct {
  uint32_t n_ops; /* that the version has, */
  bool has_loops; /* and whether it has these */
  bool finished;
  VEC(LogState) before;     /* by thread */
  uint64_t n_events, taken; /* bytes */
  uint64_t skip;            /* bytes of a comment that are still to come */
  LogLoop loop;
  LogRanges ranges; /* as long as there are so many names */
  uint32_t n_names[TRACE_NAME_KINDS];
} LogReading;

/* ---- numbers ---- */

/* Where the next number is, and where the bytes end. */
typedef struct {
  const uint8_t *at, *end;
} LogBytes;

typedef enum { WHOLE, PART, BAD } LogGot;

static inline LogGot get_number(LogBytes *bytes, uint64_t *number) {
  uint64_t result = 0;
  for (uint32_t shift = 0; shift < 64; shift += 7) {
    if (bytes->at == bytes->end) return PART;
    const uint8_t byte = *bytes->at++;
    result |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      *number = result;
      return shift == 63 && byte > 1 ? BAD : WHOLE;
    }
  }
  return BAD;
}

static inline int64_t get_signed(uint64_t number) { return (int64_t)(number >> 1) ^ -(int64_t)(number & 1); }

/* ---- records ---- */

static bool fault(const TraceReader *reader, Err *err, const char *what) {
  const LogReading *log = reader->state;
  const unsigned long long at = log->loop.left ? log->loop.at : log->taken;
  return err_set(err, ERR_INPUT, "%s: byte %llu: %s", input_name(reader->input), at, what);
}

/* The number counts from 1, and may be one more than there are: then it is a new one, without a name. */
static inline bool known(NameList *list, uint64_t number) {
  assert(list->at.n < UINT32_MAX);
  if (number <= list->at.n) return true;
  if (number != (uint64_t)list->at.n + 1) return false;
  trace_name_list_add(list, "", 0);
  return true;
}

static const char UNKNOWN_THREAD[] = "a thread number that is neither known nor the next one";
static const char UNKNOWN_OBJECT[] = "an object number that is neither known nor the next one";
static const char UNKNOWN_LOCATION[] = "a location number that is neither known nor the next one";

/* An event as it is encoded. */
typedef struct {
  uint64_t thread;
  int64_t location, object; /* differences */
  uint8_t op;
} LogEvent;

static bool add_event(TraceReader *reader, const LogEvent *told, Err *err) {
  assert(told->op < TRACE_OPS && reader->n < TRACE_BATCH);
  LogReading *log = reader->state;
  NameList *threads = &reader->names.list[TRACE_THREAD_NAME];
  if (told->thread >= UINT32_MAX || !known(threads, told->thread + 1)) return fault(reader, err, UNKNOWN_THREAD);
  if (told->thread >= log->before.n) vec_resize_zeroed(reader->heap, &log->before, threads->at.n);
  LogState *before = &log->before.at[told->thread];
  const uint64_t location = (uint64_t)before->location + (uint64_t)told->location;
  if (!known(&reader->names.list[TRACE_LOCATION_NAME], location)) return fault(reader, err, UNKNOWN_LOCATION);
  uint32_t *object_before = &before->object[trace_log_before(told->op, (uint32_t)location)];
  const uint64_t object = (uint64_t)*object_before + (uint64_t)told->object;
  if (has_no_object(told->op) && object) return fault(reader, err, "an object for an operation that takes none");
  if (object < least_object(told->op)) return fault(reader, err, "the object of the operation is missing");
  if (!known(&reader->names.list[ops_name(told->op)], object)) return fault(reader, err, UNKNOWN_OBJECT);
  before->location = (uint32_t)location;
  *object_before = (uint32_t)object;
  reader->events[reader->n++] =
      (TraceEvent){(uint32_t)told->thread, (uint32_t)object - 1, (uint32_t)location - 1, told->op};
  return true;
}

/* ---- events of one word ---- */

static inline uint32_t get_word(const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, LOG_WORD);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  return word;
}

static inline uint32_t word_thread(uint32_t word) { return word >> LOG_OP_BITS & ((1 << LOG_THREAD_BITS) - 1); }

/* From the bits of kind and thread to a later operation, perhaps none of those that there are, and the thread. */
static inline void later_op(uint32_t *op, uint32_t *thread) {
  *op = LOG_FIRST_LATER + (*thread & ((1 << LOG_LATER_OP_BITS) - 1));
  *thread >>= LOG_LATER_OP_BITS;
}

static inline int32_t word_location(uint32_t word) {
  return (int32_t)(word << LOG_OBJECT_BITS) >> (32 - LOG_LOCATION_BITS);
}
static inline int32_t word_object(uint32_t word) { return (int32_t)word >> (32 - LOG_OBJECT_BITS); }

static void make_ranges(const TraceReader *reader, LogRanges *ranges) {
  const LogReading *log = reader->state;
  for (uint32_t i = 0; i <= LOG_KIND; i++) ranges->kinds[i] = (LogRange){.least = UINT32_MAX / 2};
  for (uint32_t i = 0; i < 1 << LOG_LATER_OP_BITS; i++) ranges->later[i] = (LogRange){.least = UINT32_MAX / 2};
  for (uint32_t op = 0; op < log->n_ops; op++) {
    const uint32_t least = least_object(op), n = has_no_object(op) ? 0 : reader->names.list[ops_name(op)].at.n;
    LogRange *range = op < LOG_FIRST_LATER ? &ranges->kinds[op] : &ranges->later[op - LOG_FIRST_LATER];
    if (n >= least) *range = (LogRange){least, n - least, LOG_BEFORE[op].number, LOG_BEFORE[op].mask};
  }
}

static const LogRanges *ranges_now(const TraceReader *reader) {
  LogReading *log = reader->state;
  uint32_t changed = 0;
  for (int kind = 0; kind < TRACE_NAME_KINDS; kind++) {
    const uint32_t n = reader->names.list[kind].at.n;
    changed |= n ^ log->n_names[kind];
    log->n_names[kind] = n;
  }
  if (changed) make_ranges(reader, &log->ranges);
  return &log->ranges;
}

/* Takes the event if all it names is known; `before` is its thread's. */
static inline bool take_word(LogState *before, uint32_t word, const LogRange *range, uint32_t n_locations,
                             TraceEvent *event) {
  const uint32_t location = before->location + (uint32_t)word_location(word);
  uint32_t *object_before = &before->object[range->number + (location & range->mask)];
  const uint32_t object = *object_before + (uint32_t)word_object(word);
  if ((location > n_locations) | (object - range->least > range->more)) return false;
  before->location = location;
  *object_before = object;
  event->object = object - 1;
  event->location = location - 1;
  return true;
}

static __attribute__((noinline)) bool take_later_word(const LogReading *log, uint32_t word, uint32_t n_locations,
                                                      TraceEvent *event) {
  uint32_t op, thread = word_thread(word);
  later_op(&op, &thread);
  event->thread = thread;
  event->op = (uint8_t)op;
  return thread < log->before.n &&
         take_word(&log->before.at[thread], word, &log->ranges.later[op - LOG_FIRST_LATER], n_locations, event);
}

/* Takes events as long as they are words and all they name is known. It has the registers for itself. */
static __attribute__((noinline)) void short_events(TraceReader *reader, LogBytes *bytes) {
  LogReading *log = reader->state;
  const uint32_t n_locations = reader->names.list[TRACE_LOCATION_NAME].at.n, n_threads = log->before.n;
  const size_t there = (size_t)(bytes->end - bytes->at) / LOG_WORD, room = TRACE_BATCH - reader->n;
  LogState *befores = log->before.at;
  TraceEvent *event = reader->events + reader->n, *full = event + (there < room ? there : room);
  const uint8_t *at = bytes->at;
  const LogRanges *ranges = ranges_now(reader);
  for (; event < full; at += LOG_WORD, event++) {
    const uint32_t word = get_word(at), kind = word & LOG_KIND, thread = word_thread(word);
    event->thread = thread;
    event->op = (uint8_t)kind;
    if (thread < n_threads && take_word(&befores[thread], word, &ranges->kinds[kind], n_locations, event)) continue;
    if (kind != LOG_LATER || !take_later_word(log, word, n_locations, event)) break;
  }
  log->taken += (uint64_t)(at - bytes->at);
  bytes->at = at;
  reader->n = (uint32_t)(event - reader->events);
}

/* The event that is told by the word; false: its operation is none. */
static bool tell_word(const LogReading *log, uint32_t word, LogEvent *told) {
  uint32_t op = word & LOG_KIND, thread = word_thread(word);
  if (op == LOG_LATER) later_op(&op, &thread);
  else if (op >= LOG_FIRST_LATER) return false;
  *told = (LogEvent){thread, word_location(word), word_object(word), (uint8_t)op};
  return op < log->n_ops;
}

/* ---- loops ---- */

/* Takes events of the loop, as far as there is room for them. It names nothing new. */
static bool take_loop(TraceReader *reader, Err *err) {
  LogReading *log = reader->state;
  LogLoop *loop = &log->loop;
  const uint32_t n_locations = reader->names.list[TRACE_LOCATION_NAME].at.n, n_threads = log->before.n;
  const LogRanges *ranges = ranges_now(reader);
  uint32_t next = loop->next;
  for (; loop->left && reader->n < TRACE_BATCH; loop->left--, reader->n++) {
    const uint32_t word = loop->words[next], kind = word & LOG_KIND, thread = word_thread(word);
    TraceEvent *event = &reader->events[reader->n];
    event->thread = thread;
    event->op = (uint8_t)kind;
    if ((thread >= n_threads || !take_word(&log->before.at[thread], word, &ranges->kinds[kind], n_locations, event)) &&
        (kind != LOG_LATER || !take_later_word(log, word, n_locations, event)))
      return fault(reader, err, "a loop with an event of what has not been named or used before");
    if (++next == loop->n) next = 0;
  }
  loop->next = next;
  return true;
}

static const char BAD_LOOP[] = "expected a loop: the number of its words, up to 16, and of its events, up to 65536";

/* All of its words must be there. */
static LogGot get_loop(TraceReader *reader, LogBytes *bytes, Err *err) {
  LogReading *log = reader->state;
  LogEvent told;
  uint64_t n, n_events = 0;
  LogGot got = get_number(bytes, &n);
  if (got == WHOLE) got = get_number(bytes, &n_events);
  if (got == BAD || (got == WHOLE && (!n || n > LOG_LOOP_WORDS || !n_events || n_events > LOG_LOOP_MOST)))
    return fault(reader, err, BAD_LOOP), BAD;
  if (got == PART || (size_t)(bytes->end - bytes->at) < n * LOG_WORD) return PART;
  for (uint32_t i = 0; i < n; i++, bytes->at += LOG_WORD) {
    log->loop.words[i] = get_word(bytes->at);
    if (!tell_word(log, log->loop.words[i], &told)) return fault(reader, err, "expected an event of one word"), BAD;
  }
  log->loop.n = (uint32_t)n;
  log->loop.next = 0;
  log->loop.left = (uint32_t)n_events;
  log->loop.at = log->taken;
  return WHOLE;
}

/* ---- other records ---- */

/* A name, all of which must be there. */
static LogGot get_name(TraceReader *reader, LogBytes *bytes) {
  uint64_t length;
  if (bytes->at == bytes->end) return PART;
  const uint8_t kind = *bytes->at++;
  const LogGot got = get_number(bytes, &length);
  if (got != WHOLE) return got;
  if (kind >= TRACE_NAME_KINDS || length > READER_LONGEST_LINE) return BAD;
  if ((size_t)(bytes->end - bytes->at) < length) return PART;
  const char *name = (const char *)bytes->at;
  if (memchr(name, '\0', (size_t)length)) return BAD;
  trace_name_list_add(&reader->names.list[kind], name, (size_t)length);
  bytes->at += length;
  return WHOLE;
}

static const char BAD_NAME[] =
    "expected a name: its kind, from 0 to 3, the number of its bytes, up to 1048576, bytes other than NUL";

/* An event that is longer than a word. */
static LogGot get_long_event(TraceReader *reader, LogBytes *bytes, LogEvent *told, Err *err) {
  const LogReading *log = reader->state;
  uint64_t location = 0, object = 0;
  told->op = *bytes->at++ >> LOG_OP_BITS;
  const bool later = log->n_ops > LOG_FIRST_LATER && told->op == LOG_LATER;
  if (later && bytes->at == bytes->end) return PART;
  if (later) told->op = *bytes->at++;
  if (later != (told->op >= LOG_FIRST_LATER) || told->op >= log->n_ops) {
    fault(reader, err, "expected the number of an operation");
    return BAD;
  }
  LogGot got = get_number(bytes, &told->thread);
  if (got == WHOLE) got = get_number(bytes, &location);
  if (got == WHOLE) got = get_number(bytes, &object);
  if (got == BAD) fault(reader, err, "a number of more than 64 bits");
  told->location = get_signed(location);
  told->object = get_signed(object);
  return got;
}

static LogGot get_short_event(TraceReader *reader, LogBytes *bytes, LogEvent *told, Err *err) {
  if (bytes->end - bytes->at < LOG_WORD) return PART;
  if (!tell_word(reader->state, get_word(bytes->at), told)) {
    fault(reader, err, "expected the number of an operation");
    return BAD;
  }
  bytes->at += LOG_WORD;
  return WHOLE;
}

static LogGot get_event(TraceReader *reader, LogBytes *bytes, Err *err) {
  LogEvent told;
  const bool is_long = (*bytes->at & LOG_KIND) == LOG_EVENT;
  const LogGot got = (is_long ? get_long_event : get_short_event)(reader, bytes, &told, err);
  return got != WHOLE ? got : add_event(reader, &told, err) ? WHOLE : BAD;
}

/* A call stack is a comment; what looks like one, and is none, is a comment like any other. */
static void take_calls(TraceReader *reader, LogBytes bytes) {
  const uint32_t n_locations = reader->names.list[TRACE_LOCATION_NAME].at.n;
  TraceCalls calls = {.at = reader->n};
  uint64_t thread, location, caller;
  if (bytes.at == bytes.end || *bytes.at++ != LOG_CALLS) return;
  if (get_number(&bytes, &thread) != WHOLE || thread >= TRACE_NONE) return;
  if (get_number(&bytes, &location) != WHOLE || !location || location > n_locations) return;
  calls.thread = (uint32_t)thread;
  calls.location = (uint32_t)location - 1;
  for (; bytes.at < bytes.end; calls.callers[calls.n++] = (uint32_t)caller - 1)
    if (calls.n == TRACE_CALLERS || get_number(&bytes, &caller) != WHOLE || caller > n_locations) return;
  vec_push(reader->heap, &reader->calls, calls);
}

static void take_module(TraceReader *reader, LogBytes bytes) {
  TraceModule module = {.n = (uint32_t)(bytes.end - bytes.at)};
  if (module.n > TRACE_ID_BYTES) return;
  memcpy(module.id, bytes.at, module.n);
  vec_push(reader->heap, &reader->where.modules, module);
}

static bool get_numbers(LogBytes bytes, uint64_t numbers[4]) {
  for (uint32_t i = 0; i < 4; i++)
    if (get_number(&bytes, &numbers[i]) != WHOLE) return false;
  return bytes.at == bytes.end;
}

static void take_code(TraceReader *reader, LogBytes bytes) {
  uint64_t n[4];
  if (!get_numbers(bytes, n) || !n[0] || n[0] > reader->names.list[TRACE_LOCATION_NAME].at.n || n[1] >= TRACE_OPS ||
      !n[2] || n[2] > reader->where.modules.n)
    return;
  const TraceCode code = {(uint32_t)n[0] - 1, (uint32_t)n[1], (uint32_t)n[2] - 1, n[3]};
  vec_push(reader->heap, &reader->where.codes, code);
}

static void take_object(TraceReader *reader, LogBytes bytes) {
  uint64_t n[4];
  if (!get_numbers(bytes, n) || !n[0] || n[0] > reader->names.list[TRACE_OBJECT_NAME].at.n || !n[1] ||
      n[1] > reader->where.modules.n || !n[3] || n[2] + n[3] < n[2])
    return;
  const TraceObject object = {(uint32_t)n[0] - 1, (uint32_t)n[1] - 1, n[2], n[3]};
  vec_push(reader->heap, &reader->where.objects, object);
}

/* Several are one after another, as far as there is room. They are printed, so they are nothing but text. */
static void take_part(TracePart *part, LogBytes bytes) {
  size_t n = strlen(part->what);
  if (n && n + 2 < TRACE_PART_ROOM) part->what[n++] = ';', part->what[n++] = ' ';
  for (; bytes.at < bytes.end && n + 1 < TRACE_PART_ROOM; bytes.at++)
    part->what[n++] = (char)(*bytes.at < ' ' || *bytes.at == 0x7f ? '?' : *bytes.at);
  if (!n) part->what[n++] = '?';
  part->what[n] = '\0';
}

/* What is not formed like one of these is a comment like any other. */
static void take_note(TraceReader *reader, LogBytes bytes) {
  if (bytes.at == bytes.end) return;
  const uint8_t what = *bytes.at;
  if (what == LOG_PART) take_part(&reader->part, (LogBytes){bytes.at + 1, bytes.end});
  if (what == LOG_LATE) reader->part.late = true;
  if (what == LOG_CALLS && reader->wants_calls) take_calls(reader, bytes);
  if (!reader->wants_where) return;
  bytes.at++;
  if (what == LOG_MODULE) take_module(reader, bytes);
  if (what == LOG_CODE) take_code(reader, bytes);
  if (what == LOG_OBJECT) take_object(reader, bytes);
}

static LogGot get_comment(TraceReader *reader, LogBytes *bytes) {
  LogReading *log = reader->state;
  const LogGot got = get_number(bytes, &log->skip);
  if (got != WHOLE || log->skip > LOOKED_AT) return got;
  if ((uint64_t)(bytes->end - bytes->at) >= log->skip) {
    take_note(reader, (LogBytes){bytes->at, bytes->at + log->skip});
    return WHOLE;
  }
  log->skip = 0;
  return PART;
}

static LogGot get_record(TraceReader *reader, LogBytes *bytes, Err *err) {
  LogReading *log = reader->state;
  const uint8_t head = *bytes->at, kind = head & LOG_KIND;
  uint64_t number;
  LogGot got = BAD;
  const bool later = kind == LOG_LATER && log->n_ops > LOG_FIRST_LATER;
  if (kind < LOG_FIRST_LATER || later || kind == LOG_EVENT) return get_event(reader, bytes, err);
  bytes->at++;
  if (head == LOG_NAME) {
    got = get_name(reader, bytes);
    if (got == BAD) fault(reader, err, BAD_NAME);
  } else if (head == LOG_COMMENT) {
    got = get_comment(reader, bytes);
    if (got == BAD) fault(reader, err, "a number of more than 64 bits");
  } else if (head == LOG_LOOP && log->has_loops) {
    got = get_loop(reader, bytes, err);
  } else if (head == LOG_END) {
    got = get_number(bytes, &number);
    log->finished = got == WHOLE && number == log->n_events + reader->n;
    if (got == WHOLE && !log->finished) got = BAD;
    if (got == BAD) fault(reader, err, "the number of events at the end does not match the events");
  } else {
    fault(reader, err, "unknown kind of record");
  }
  return got;
}

static void skip_comment(LogReading *log, LogBytes *bytes) {
  const size_t there = (size_t)(bytes->end - bytes->at), n = there < log->skip ? there : (size_t)log->skip;
  bytes->at += n;
  log->skip -= n;
}

static bool binary_read(TraceReader *reader, Err *err) {
  LogReading *log = reader->state;
  LogBytes bytes = {(const uint8_t *)reader->buffer + reader->from, (const uint8_t *)reader->buffer + reader->to};
  LogGot got = WHOLE;
  while (got == WHOLE) {
    if (log->loop.left && !take_loop(reader, err)) got = BAD;
    if (got == BAD || log->loop.left) break;
    if (!log->skip && !log->finished) short_events(reader, &bytes);
    if (reader->n == TRACE_BATCH) break;
    const uint8_t *start = bytes.at;
    if (log->skip) skip_comment(log, &bytes);
    else if (bytes.at == bytes.end) break;
    else if (log->finished) got = (fault(reader, err, "data after the end"), BAD);
    else got = get_record(reader, &bytes, err);
    if (log->skip && bytes.at == bytes.end) got = PART, start = bytes.at;
    if (got != WHOLE) bytes.at = start;
    log->taken += (uint64_t)(bytes.at - start);
  }
  reader->from = (size_t)((const char *)bytes.at - reader->buffer);
  log->n_events += reader->n;
  if (reader->ended && got != BAD && !reader->n) reader->cut_short = !log->finished;
  return got != BAD;
}

static bool binary_begin(TraceReader *reader, Err *err) {
  LogReading *log = reader->state;
  const char *at = reader->buffer + reader->from;
  const bool whole = reader->to - reader->from >= TRACE_MAGIC_LENGTH;
  const char *const magic[] = {TRACE_MAGIC_2, TRACE_MAGIC_3, TRACE_MAGIC};
  uint32_t version = 0;
  while (whole && version < 3 && memcmp(at, magic[version], TRACE_MAGIC_LENGTH) != 0) version++;
  if (!whole || version == 3)
    return err_set(err, ERR_INPUT,
                   "%s: expected a binary log of version 2, 3 or 4, which begins with \"CAUSAL\\x02\\n\", "
                   "\"CAUSAL\\x03\\n\" or \"CAUSAL\\x04\\n\"",
                   input_name(reader->input));
  log->n_ops = version == 0 ? LOG_FIRST_LATER : LOG_OPS;
  log->has_loops = version == 2;
  make_ranges(reader, &log->ranges);
  reader->names.may_repeat = true;
  reader->from += TRACE_MAGIC_LENGTH;
  log->taken = TRACE_MAGIC_LENGTH;
  return true;
}

static void binary_end(TraceReader *reader) {
  LogReading *log = reader->state;
  vec_fini(reader->heap, &log->before);
}

/* The ranges are made again when the numbers of names are seen to have changed. */
static void binary_carry(TraceReader *reader, Carry *carry) {
  LogReading *log = reader->state;
  carry_value(carry, log->finished);
  carry_vec(carry, &log->before);
  carry_value(carry, log->n_events);
  carry_value(carry, log->taken);
  carry_value(carry, log->skip);
  carry_value(carry, log->loop);
}

/* ---- writing ---- */

enum { ROOM = 1 << 16 };

typedef struct {
  uint64_t n_events;
  uint32_t n_known[TRACE_NAME_KINDS]; /* the numbers below were named, or used */
  VEC(LogState) before;               /* by thread */
  uint32_t n;                         /* bytes that wait to be written */
  uint8_t bytes[ROOM];
} LogWriting;

static void flush(TraceWriter *writer) {
  LogWriting *log = writer->state;
  fwrite(log->bytes, 1, log->n, writer->out);
  log->n = 0;
}

static void put_number(LogWriting *log, uint64_t number) {
  log->n = (uint32_t)(trace_log_put_number(log->bytes + log->n, number) - log->bytes);
}

static void put_name(TraceWriter *writer, TraceNameKind kind, const char *name) {
  LogWriting *log = writer->state;
  const size_t length = strlen(name);
  assert(log->n + 2 + 10 <= ROOM);
  log->bytes[log->n++] = LOG_NAME;
  log->bytes[log->n++] = (uint8_t)kind;
  put_number(log, length);
  flush(writer);
  fwrite(name, 1, length, writer->out);
}

/* Names what has a number below n; also what has no name, since an event may use two new numbers of a kind. */
static void name_below(TraceWriter *writer, TraceNameKind kind, uint32_t n) {
  LogWriting *log = writer->state;
  uint32_t *next = &log->n_known[kind];
  const uint32_t n_named = writer->names ? trace_name_count(writer->names, kind) : 0;
  for (; *next < n; ++*next) put_name(writer, kind, *next < n_named ? trace_name(writer->names, kind, *next) : "");
}

static void name_parts(TraceWriter *writer, const TraceEvent *event) {
  name_below(writer, TRACE_THREAD_NAME, event->thread + 1);
  if (event->location != TRACE_NONE) name_below(writer, TRACE_LOCATION_NAME, event->location + 1);
  if (event->object != TRACE_NONE) name_below(writer, ops_name(event->op), event->object + 1);
}

static void binary_write(TraceWriter *writer, const TraceEvent *event) {
  assert(event->op < TRACE_OPS && event->thread != TRACE_NONE);
  LogWriting *log = writer->state;
  if (log->n > ROOM - LOG_EVENT_ROOM - 16) flush(writer);
  name_parts(writer, event);
  if (event->thread >= log->before.n) vec_resize_zeroed(writer->heap, &log->before, event->thread + 1);
  LogState *before = &log->before.at[event->thread];
  uint32_t *object_before = &before->object[trace_log_before(event->op, event->location + 1)];
  const int64_t location = (int64_t)(event->location + 1) - before->location;
  const int64_t object = (int64_t)(event->object + 1) - *object_before;
  if (trace_log_is_short(event->op, event->thread, location, object)) {
    const uint32_t word = trace_log_word(event->op, event->thread, location, object);
    memcpy(log->bytes + log->n, &word, LOG_WORD);
    log->n += LOG_WORD;
  } else {
    uint8_t *end = trace_log_put_long_event(log->bytes + log->n, event->op, event->thread, location, object);
    log->n = (uint32_t)(end - log->bytes);
  }
  before->location = event->location + 1;
  assert(log->n <= ROOM);
  *object_before = event->object + 1;
  log->n_events++;
}

static void binary_write_begin(TraceWriter *writer) { fwrite(TRACE_MAGIC, 1, TRACE_MAGIC_LENGTH, writer->out); }

static void put_comment(TraceWriter *writer, uint8_t what, const char *text) {
  LogWriting *log = writer->state;
  const size_t length = strnlen(text, LOG_PART_MOST);
  assert(log->n + LOG_NUMBER_ROOM + 2 + length <= ROOM);
  log->bytes[log->n++] = LOG_COMMENT;
  put_number(log, length + 1);
  log->bytes[log->n++] = what;
  memcpy(log->bytes + log->n, text, length);
  log->n += (uint32_t)length;
}

static void binary_write_part(TraceWriter *writer, const TracePart *part) {
  if (part->late) put_comment(writer, LOG_LATE, "");
  if (*part->what) put_comment(writer, LOG_PART, part->what);
}

static void binary_write_end(TraceWriter *writer) {
  LogWriting *log = writer->state;
  for (TraceNameKind kind = 0; writer->names && kind < TRACE_NAME_KINDS; kind++) {
    name_below(writer, kind, trace_name_count(writer->names, kind));
    flush(writer);
  }
  log->bytes[log->n++] = LOG_END;
  put_number(log, log->n_events);
  flush(writer);
  vec_fini(writer->heap, &log->before);
}

const TraceMethods trace_binary = {
    {TRACE_MAGIC, binary_looks_like, NULL},
    {sizeof(LogReading), binary_begin, binary_read, binary_end, false, NULL, binary_carry},
    {sizeof(LogWriting), binary_write_begin, binary_write_part, binary_write, binary_write_end, NULL},
};
