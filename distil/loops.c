#include "distil/loops.h"

#include <assert.h>
#include <string.h>

#define PLACE_MASK ((UINT64_C(1) << RAW_ADDRESS_SHIFT) - 1)

enum { IS_PUT = 1 << (RAW_PERIOD_BITS - 1) };

_Static_assert((int)RAW_PERIODS <= (int)LOG_LOOP_WORDS && (int)RAW_LOOP_MOST <= (int)LOG_LOOP_MOST,
               "a loop of the raw log may be one of the log");

/* It goes on from the words before it by the same steps as the loop before. */
static bool read_again(Loop *loop, const uint64_t *word, uint32_t turn) {
  const uint32_t period = loop->period;
  uint64_t step[RAW_PERIODS];
  for (uint32_t i = 0; i < period; i++) {
    const uint64_t last = word[(int)i - (int)period];
    if (!raw_is_plain(last)) return false;
    step[i] = loop->step[(i + turn - 1) % period];
    loop->first[i] = last + step[i];
  }
  memcpy(loop->step, step, period * sizeof *step);
  return true;
}

static bool read_new(Loop *loop, const uint64_t *word) {
  const uint32_t period = loop->period;
  for (uint32_t i = 0; i < period; i++) {
    const uint64_t last = word[(int)i - (int)period], earlier = word[(int)i - 2 * (int)period];
    if (!raw_is_plain(last) || (last - earlier) & PLACE_MASK) return false;
    loop->step[i] = last - earlier;
    loop->first[i] = last + loop->step[i];
  }
  return true;
}

bool loop_read(Loop *loop, const uint64_t *word, uint32_t before) {
  const uint32_t period = raw_loop_period(*word), turn = raw_loop_turn(*word), n = raw_loop_length(*word);
  if (!period || period > RAW_PERIODS || before < raw_loop_basis(*word) || !n || n > RAW_LOOP_MOST) return false;
  if (turn > period || (turn && loop->period != period)) return false;
  loop->period = period;
  loop->n = n;
  return turn ? read_again(loop, word, turn) : read_new(loop, word);
}

uint32_t loop_put(const Loop *loop, uint64_t *to) {
  *to = raw_loop(loop->period | IS_PUT, loop->n);
  for (uint32_t i = 0; i < loop->period; i++) {
    to[1 + 2 * i] = loop->first[i];
    to[2 + 2 * i] = loop->step[i];
  }
  return 1 + 2 * loop->period;
}

uint32_t loop_get(Loop *loop, const uint64_t *words) {
  loop->period = raw_loop_period(*words) & ~(uint32_t)IS_PUT;
  loop->n = raw_loop_length(*words);
  for (uint32_t i = 0; i < loop->period; i++) {
    loop->first[i] = words[1 + 2 * i];
    loop->step[i] = words[2 + 2 * i];
  }
  return 1 + 2 * loop->period;
}

void loop_keep(Loop *loop, uint32_t places) {
  uint32_t kept = 0, n = 0;
  for (uint32_t i = 0; i < loop->period; i++) {
    if (!(places >> i & 1)) continue;
    n += loop_rounds(loop, i);
    loop->first[kept] = loop->first[i];
    loop->step[kept++] = loop->step[i];
  }
  loop->period = kept;
  loop->n = n;
}

/* Where the accesses of a place are. */
typedef struct {
  uint64_t address, far; /* the next one's; what is added each time */
  SpaceRange range;      /* where it was found last; of size 0: nowhere */
  uint32_t form;         /* the logarithm of its bytes */
  uint32_t last;         /* the number in the log of the object that was accessed last, */
  uint32_t by;           /* and what it goes on by */
  LogStep step;          /* after an access of the place before */
} Row;

static void begin_rows(Row *rows, const Loop *loop, uint32_t i, const RawWords *words, const LoopPlace *places) {
  const uint32_t period = loop->period, round = i / period, first = i % period;
  for (uint32_t k = 0; k < period; k++) {
    Row *row = &rows[k];
    row->far = (uint64_t)((int64_t)loop->step[k] >> RAW_ADDRESS_SHIFT);
    row->address = raw_address(words->region, loop->first[k]) + row->far * (round + (k < first));
    row->range.size = 0;
    row->form = (uint32_t)__builtin_ctz(raw_plain_size(loop->first[k]));
    row->step =
        log_step_of(words->thread, (TraceOp)places[k].op, places[k].location, places[k ? k - 1 : period - 1].location);
  }
}

/* Looks up the range of the address. False: its accesses are not to be written here, nor any that is of half an object.
 */
static inline bool find_range(Row *row, Space *space, uint64_t address) {
  if (address - row->range.from < row->range.size) return true;
  if (!(row->far & ((1u << row->form) - 1)) && space_range(space, address, row->form, &row->range)) return true;
  row->range.size = 0;
  return false;
}

static inline const uint32_t *mark_at(const Row *row, const uint32_t *marks, uint64_t address) {
  return &marks[row->range.object + ((address - row->range.from) >> row->form)];
}

/* What the mark of the next access's object is; 0: it is not to be written here. */
static inline uint32_t mark_of(Row *row, Space *space, const uint32_t *marks) {
  if (!find_range(row, space, row->address)) return 0;
  const uint32_t mark = *mark_at(row, marks, row->address);
  return mark & SPACE_ALIVE ? mark : 0;
}

/* One of the place, wherever the thread was before; has it been written? */
static bool write_first(Row *row, const LoopPlace *place, uint32_t thread, Space *space, Log *log) {
  const uint32_t mark = mark_of(row, space, space_marks(space));
  if (!mark) return false;
  row->last = mark & ~SPACE_ALIVE;
  log_event(log, thread, place->op, row->last, place->location);
  row->address += row->far;
  return true;
}

/* Accesses i to `end` - 1, of which there are not many. */
static uint32_t write_some(Row *rows, const Loop *loop, uint32_t i, uint32_t end, uint32_t thread, Space *space,
                           Log *log) {
  const uint32_t *marks = space_marks(space), begin = i;
  LogState *before = &log->before[thread];
  uint8_t *to = log_make_room(log, end - i);
  for (uint32_t place = i % loop->period, mark; i < end && (mark = mark_of(&rows[place], space, marks)); i++) {
    rows[place].last = mark & ~SPACE_ALIVE;
    to = log_step(to, before, thread, &rows[place].step, rows[place].last);
    rows[place].address += rows[place].far;
    if (++place == loop->period) place = 0;
  }
  log_steps_done(log, to, i - begin);
  return i;
}

/* How many of n marks, each `stride` from the one before, go on from `mark` by `by`. */
static uint32_t count_marks(const uint32_t *at, int32_t stride, uint32_t mark, uint32_t by, uint32_t n) {
  for (uint32_t i = 0; i < n; i++, at += stride, mark += by)
    if (*at != mark || !(mark & SPACE_ALIVE)) return i;
  return n;
}

/* How many of the place's next accesses, at most so many, are to objects whose numbers go on by row->by, which the
 * first one sets. */
static uint32_t count_even(Row *row, Space *space, const uint32_t *marks, uint32_t most) {
  const int32_t stride = (int32_t)((int64_t)row->far >> row->form);
  const uint32_t first = mark_of(row, space, marks);
  uint32_t n = 0;
  row->by = first - (row->last | SPACE_ALIVE);
  for (uint64_t address = row->address; first && n < most && find_range(row, space, address);) {
    const uint32_t *at = mark_at(row, marks, address), mark = first + row->by * n;
    const uint32_t alike = loop_within(address - row->range.from, (int64_t)row->far, row->range.size, most - n);
    const bool goes_on = row->range.even && *at == mark && row->by == (uint32_t)stride;
    const uint32_t even = goes_on ? alike : count_marks(at, stride, mark, row->by, alike);
    n += even;
    if (even < alike) break;
    address += row->far * even;
  }
  return n;
}

/* The words of one round, if all rounds have the same: what the objects are counted from goes on by as much. */
static bool words_of_round(const Row *rows, uint32_t period, uint32_t first, uint32_t *words) {
  const Row *last[LOG_BEFORES]; /* of those that are counted from it */
  int64_t from[LOG_BEFORES];
  for (uint32_t i = 0; i < period; i++) {
    const Row *row = &rows[(first + i) % period];
    last[row->step.before] = row;
    from[row->step.before] = (int64_t)row->last - (int32_t)row->by;
  }
  for (uint32_t i = 0; i < period; i++) {
    const Row *row = &rows[(first + i) % period], **before = &last[row->step.before];
    if ((*before)->by != row->by) return false;
    if (!log_step_word(&row->step, (int64_t)row->last - from[row->step.before], &words[i])) return false;
    *before = row;
    from[row->step.before] = row->last;
  }
  return true;
}

/* Whole rounds, from access i on, where each place has had one, as far as all have the same words: one loop of the log.
 * How many accesses that is; 0: too few. */
static uint32_t write_rounds(Row *rows, const Loop *loop, uint32_t i, uint32_t thread, Space *space, Log *log) {
  enum { LEAST = 3 };
  const uint32_t period = loop->period, first = i % period;
  const uint32_t *marks = space_marks(space);
  uint32_t rounds = (loop->n - i) / period, words[RAW_PERIODS];
  for (uint32_t k = 0; k < period && rounds >= LEAST; k++) rounds = count_even(&rows[k], space, marks, rounds);
  if (rounds < LEAST || !words_of_round(rows, period, first, words)) return 0;
  log_loop(log, words, period, rounds * period);
  for (uint32_t k = 0; k < period; k++) {
    Row *row = &rows[(first + k) % period];
    row->address += row->far * rounds;
    row->last += row->by * rounds;
    log->before[thread].object[row->step.before] = row->last;
  }
  return rounds * period;
}

uint32_t loop_write(const Loop *loop, uint32_t i, const RawWords *words, Space *space, Log *log,
                    const LoopPlace *places) {
  enum { SOME = 4 * RAW_PERIODS }; /* before another attempt to find rounds */
  Row rows[RAW_PERIODS];
  const uint32_t period = loop->period, n = loop->n;
  assert(i < n);
  begin_rows(rows, loop, i, words, places);
  if (!write_first(&rows[i % period], &places[i % period], words->thread, space, log)) return i;
  uint32_t some = period - 1; /* then each place has had one */
  for (uint32_t end = ++i; i == end && i < n;) {
    end = n - i < some ? n : i + some;
    i = write_some(rows, loop, i, end, words->thread, space, log);
    if (i < end || i == n) break;
    const uint32_t written = write_rounds(rows, loop, i, words->thread, space, log);
    end = i += written;
    some = written ? period : some < SOME ? SOME : some < LOG_MOST_ROOM / 2 ? 2 * some : LOG_MOST_ROOM;
  }
  log->before[words->thread].location = places[(i - 1) % period].location;
  return i;
}
