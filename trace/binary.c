/* binary.c: the binary log. Each number is checked before it is used: it is that of something named or used before, or the
 * next one. */
#include "trace/log.h"
#include "trace/reader.h"

/* What an event's object is told from: the object before of the same sort, of the same thread. ORDER TraceOp */
enum { SORT_OBJECT, SORT_THREAD, SORT_LABEL, SORT_NOTHING, SORTS };
static const uint8_t SORT[16] = {SORT_OBJECT, SORT_OBJECT, SORT_OBJECT, SORT_OBJECT,  SORT_THREAD,  SORT_THREAD,
                                 SORT_LABEL,  SORT_NOTHING, SORT_NOTHING, SORT_NOTHING, SORT_OBJECT};
static const TraceNameKind KIND[SORTS] = {TRACE_OBJECT_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME, TRACE_LABEL_NAME};

/* Of a thread, what its next event is told from; numbers count from 1. */
typedef struct {
  uint32_t object[SORTS], location, unused[3]; /* 32 bytes are found faster than 20 */
} Before;

/* What the numbers behind an event's first byte look like, if they are short: thread and location of at most two bytes each,
 * the object of three, all of them of SHAPE_BYTES. */
typedef struct {
  uint32_t thread_mask, location_mask, object_mask; /* 0 for a number that is not there */
  uint8_t location_shift, object_shift;             /* bits in front of the number */
  uint8_t length;                                   /* bytes of the event; 0: it is not of this sort */
} Shape;

#define NEVER (UINT32_MAX / 2) /* no number can become it in one short event */

/* By the upper half of the first byte, and which of the bytes end a number. */
enum { SHAPE_BYTES = 6, SHAPES = 16 << SHAPE_BYTES };

struct Binary {
  bool begun, finished;
  uint32_t thread;  /* of the event before */
  VEC(Before) before; /* by thread */
  uint64_t n_events, taken; /* bytes */
  uint64_t skip;    /* bytes of a comment that are still to come */
  Shape shapes[SHAPES];
};

/* ---- numbers ---- */

/* Where the next number is, and where the bytes end. */
typedef struct {
  const uint8_t *at, *end;
} Bytes;

typedef enum { WHOLE, PART, BAD } Got;

static inline Got get_number(Bytes *bytes, uint64_t *number) {
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
  const unsigned long long at = reader->binary->taken;
  return err_set(err, ERR_INPUT, "%s: byte %llu: %s", input_name(reader->input), at, what);
}

/* `before` + the signed number, if that is at most `most`; else a number that is above it. */
static inline uint64_t moved(uint32_t before, uint64_t number) { return (uint64_t)before + (uint64_t)get_signed(number); }

/* The number counts from 1, and may be one more than there are: then it is a new one, without a name. */
static inline bool known(NameList *list, uint64_t number) {
  if (number <= list->at.n) return true;
  if (number != (uint64_t)list->at.n + 1) return false;
  name_list_add(list, "", 0);
  return true;
}

static const char UNKNOWN_THREAD[] = "the number of a thread that was neither named nor used before, nor is the next one";
static const char UNKNOWN_OBJECT[] = "the number of an object that was neither named nor used before, nor is the next one";
static const char UNKNOWN_LOCATION[] = "the number of a location that was neither named nor used before, nor is the next one";

typedef struct {
  uint64_t thread, location, object; /* the numbers that follow */
} Raw;

/* The numbers behind the record's first byte. */
static Got get_raw(Bytes *bytes, uint8_t head, Raw *raw) {
  Got got = WHOLE;
  if (head & LOG_THREAD) got = get_number(bytes, &raw->thread);
  if (got == WHOLE && head & LOG_LOCATION) got = get_number(bytes, &raw->location);
  if (got == WHOLE && (head & LOG_OBJECT) == LOG_DIFFERENCE) got = get_number(bytes, &raw->object);
  return got;
}

static bool set_thread(TraceReader *reader, uint8_t head, uint64_t number) {
  Binary *binary = reader->binary;
  NameList *threads = &reader->names[TRACE_THREAD_NAME];
  if (!(head & LOG_THREAD)) return binary->begun;
  if (number >= UINT32_MAX || !known(threads, number + 1)) return false;
  binary->thread = (uint32_t)number;
  binary->begun = true;
  if (binary->thread >= binary->before.n) vec_resize_zeroed(reader->heap, &binary->before, threads->at.n);
  return true;
}

static bool add_event(TraceReader *reader, uint8_t head, const Raw *raw, Err *err) {
  Binary *binary = reader->binary;
  const uint8_t op = head & LOG_KIND, sort = SORT[op];
  if (!set_thread(reader, head, raw->thread)) return fault(reader, err, UNKNOWN_THREAD);
  Before *before = &binary->before.at[binary->thread];
  const uint64_t location = head & LOG_LOCATION ? moved(before->location, raw->location) : before->location;
  if (!known(&reader->names[TRACE_LOCATION_NAME], location)) return fault(reader, err, UNKNOWN_LOCATION);
  static const int8_t STEP[4] = {0, 0, 1, -1};
  const uint64_t step = (uint64_t)(int64_t)STEP[head >> 6];
  const bool by_number = (head & LOG_OBJECT) == LOG_DIFFERENCE;
  const uint64_t object = by_number ? moved(before->object[sort], raw->object) : before->object[sort] + step;
  if (sort == SORT_NOTHING && object) return fault(reader, err, "an object of an operation that has none");
  if (sort <= SORT_THREAD && !object) return fault(reader, err, "the object of the operation is missing");
  if (!known(&reader->names[KIND[sort]], object)) return fault(reader, err, UNKNOWN_OBJECT);
  before->location = (uint32_t)location;
  before->object[sort] = (uint32_t)object;
  reader->events[reader->n++] = (TraceEvent){binary->thread, (uint32_t)object - 1, (uint32_t)location - 1, op};
  return true;
}

/* ---- short events, without a branch that depends on what they are ---- */

static uint32_t number_mask(uint32_t n_bytes) { return (uint32_t)((1ull << 8 * n_bytes) - 1); }

/* The bytes of the number that begins after `from` bytes, or 0 if it does not end in time. */
static uint32_t number_bytes(uint32_t ends, uint32_t from, uint32_t most) {
  for (uint32_t n = 1; n <= most && from + n <= SHAPE_BYTES; n++)
    if (ends >> (from + n - 1) & 1) return n;
  return 0;
}

static Shape make_shape(uint8_t head, uint32_t ends) {
  const bool has_thread = head & LOG_THREAD, has_location = head & LOG_LOCATION;
  const bool has_object = (head & LOG_OBJECT) == LOG_DIFFERENCE;
  const uint32_t thread = has_thread ? number_bytes(ends, 0, 2) : 0;
  const uint32_t location = has_location ? number_bytes(ends, thread, 2) : 0;
  const uint32_t object = has_object ? number_bytes(ends, thread + location, 3) : 0;
  if ((has_thread && !thread) || (has_location && !location) || (has_object && !object)) return (Shape){0};
  return (Shape){number_mask(thread),     number_mask(location),           number_mask(object),
                 (uint8_t)(8 * thread), (uint8_t)(8 * (thread + location)), (uint8_t)(1 + thread + location + object)};
}

static inline uint64_t get_word(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* Which bytes end a number: a bit for each. */
static inline uint32_t number_ends(uint64_t word) {
  return (uint32_t)((~word & 0x8080808080808080) * 0x0002040810204081 >> 56) & ((1 << SHAPE_BYTES) - 1);
}

/* A number of at most two, or three bytes. */
static inline uint32_t join_two(uint32_t bytes) { return (bytes & 0x7f) | (bytes >> 1 & 0x3f80); }
static inline uint32_t join_three(uint32_t bytes) { return join_two(bytes) | (bytes >> 2 & 0x1fc000); }
static inline uint32_t to_signed(uint32_t number) { return number >> 1 ^ -(number & 1); }

/* Takes events as long as they are short and all they name is known. */
static void short_events(TraceReader *reader, Bytes *bytes) {
  Binary *binary = reader->binary;
  static const uint32_t STEP[4] = {0, 0, 1, UINT32_MAX};
  const uint32_t n_objects = reader->names[TRACE_OBJECT_NAME].at.n, n_labels = reader->names[TRACE_LABEL_NAME].at.n;
  const uint32_t n_locations = reader->names[TRACE_LOCATION_NAME].at.n, n_threads = binary->before.n;
  const uint32_t least[SORTS] = {n_objects ? 1 : NEVER, 1, 0, 0}; /* of the objects of each sort; and the most, less that */
  const uint32_t span[SORTS] = {n_objects ? n_objects - 1 : 0, n_threads - 1, n_labels, 0};
  TraceEvent *event = reader->events + reader->n, *full = reader->events + TRACE_BATCH;
  uint32_t thread = binary->thread;
  const uint8_t *at = bytes->at, *last = bytes->end - 16;
  while (at <= last && event < full) {
    const uint8_t head = *at, op = head & LOG_KIND, sort = SORT[op];
    const uint64_t word = get_word(at + 1);
    const Shape *shape = &binary->shapes[(uint32_t)(head >> 4) << SHAPE_BYTES | number_ends(word)];
    const uint32_t next = head & LOG_THREAD ? join_two((uint32_t)word & shape->thread_mask) : thread;
    if (!shape->length | (next >= n_threads) | (op >= TRACE_OPS)) break;
    Before *before = &binary->before.at[next];
    const uint32_t place = join_two((uint32_t)(word >> shape->location_shift) & shape->location_mask);
    const uint32_t step = join_three((uint32_t)(word >> shape->object_shift) & shape->object_mask);
    const uint32_t location = before->location + to_signed(place);
    const uint32_t object = before->object[sort] + STEP[head >> 6] + to_signed(step);
    if ((location > n_locations) | (object - least[sort] > span[sort])) break;
    before->location = location;
    before->object[sort] = object;
    *event++ = (TraceEvent){next, object - 1, location - 1, op};
    thread = next;
    at += shape->length;
  }
  binary->thread = thread;
  binary->taken += (uint64_t)(at - bytes->at);
  bytes->at = at;
  reader->n = (uint32_t)(event - reader->events);
}

/* ---- other records ---- */

/* A name, all of which must be there. */
static Got get_name(TraceReader *reader, Bytes *bytes) {
  uint64_t length;
  if (bytes->at == bytes->end) return PART;
  const uint8_t kind = *bytes->at++;
  const Got got = get_number(bytes, &length);
  if (got != WHOLE) return got;
  if (kind >= TRACE_NAME_KINDS) return BAD;
  if ((size_t)(bytes->end - bytes->at) < length) return PART;
  const char *name = (const char *)bytes->at;
  if (memchr(name, '\0', length)) return BAD;
  name_list_add(&reader->names[kind], name, length);
  bytes->at += length;
  return WHOLE;
}

static const char BAD_NAME[] = "a name is expected: its kind, from 0 to 3, the number of its bytes, bytes other than NUL";

static Got get_record(TraceReader *reader, Bytes *bytes, Err *err) {
  Binary *binary = reader->binary;
  const uint8_t head = *bytes->at++, kind = head & LOG_KIND;
  uint64_t number;
  Raw raw = {0};
  Got got = BAD;
  if (kind < TRACE_OPS) {
    got = get_raw(bytes, head, &raw);
    if (got == WHOLE) return add_event(reader, head, &raw, err) ? WHOLE : BAD;
    if (got == BAD) fault(reader, err, "a number of more than 64 bits");
  } else if (head == LOG_NAME) {
    got = get_name(reader, bytes);
    if (got == BAD) fault(reader, err, BAD_NAME);
  } else if (head == LOG_COMMENT) {
    got = get_number(bytes, &binary->skip);
    if (got == BAD) fault(reader, err, "a number of more than 64 bits");
  } else if (head == LOG_END) {
    got = get_number(bytes, &number);
    binary->finished = got == WHOLE && number == binary->n_events + reader->n;
    if (got == WHOLE && !binary->finished) got = BAD;
    if (got == BAD) fault(reader, err, "the number of events at the end is not that of the events before");
  } else {
    fault(reader, err, "unknown kind of record");
  }
  return got;
}

static void skip_comment(Binary *binary, Bytes *bytes) {
  const size_t there = (size_t)(bytes->end - bytes->at), n = there < binary->skip ? there : (size_t)binary->skip;
  bytes->at += n;
  binary->skip -= n;
}

bool binary_parse(TraceReader *reader, Err *err) {
  Binary *binary = reader->binary;
  Bytes bytes = {(const uint8_t *)reader->buffer + reader->from, (const uint8_t *)reader->buffer + reader->to};
  Got got = WHOLE;
  while (got == WHOLE) {
    if (binary->begun && !binary->skip && !binary->finished) short_events(reader, &bytes);
    if (reader->n == TRACE_BATCH) break;
    const uint8_t *start = bytes.at;
    if (binary->skip) skip_comment(binary, &bytes);
    else if (bytes.at == bytes.end) break;
    else if (binary->finished) got = (fault(reader, err, "nothing may follow the end"), BAD);
    else got = get_record(reader, &bytes, err);
    if (binary->skip && bytes.at == bytes.end) got = PART, start = bytes.at;
    if (got != WHOLE) bytes.at = start;
    binary->taken += (uint64_t)(bytes.at - start);
  }
  reader->from = (size_t)((const char *)bytes.at - reader->buffer);
  binary->n_events += reader->n;
  if (reader->ended && got != BAD && !reader->n) reader->cut_short = !binary->finished;
  return got != BAD;
}

void binary_begin(TraceReader *reader) {
  reader->binary = heap_zeroed(reader->heap, sizeof *reader->binary);
  reader->from += TRACE_MAGIC_LENGTH;
  reader->binary->taken = TRACE_MAGIC_LENGTH;
  for (uint32_t i = 0; i < SHAPES; i++)
    reader->binary->shapes[i] = make_shape((uint8_t)(i >> SHAPE_BYTES << 4), i & ((1 << SHAPE_BYTES) - 1));
}

void binary_end(TraceReader *reader) {
  if (!reader->binary) return;
  vec_fini(reader->heap, &reader->binary->before);
  heap_release(reader->heap, reader->binary);
}
