#include "tests/unit/raw_run.h"

#include "base/hash.h"

const uint64_t RAW_RUN_PLACE[RAW_RUN_PLACES] = {0x555555554000 + 64, 0x555555554000 + 4096, 0x556000000000,
                                                0x7ffff7a00000,      0x7ffff7a00000 + 64,   0x7ffffffde000 + 8};
const uint64_t RAW_RUN_CODE[RAW_RUN_CODES] = {0x401000, 0x555555555000, 0x7ffff7d00000};
const char RAW_RUN_NAME[RAW_RUN_NAMES][8] = {"a", "b", "deposit"};

/* The last area once more, at the same place of the next region. */
static void add_twin(RawRun *run) {
  Area twin = run->areas[run->n_areas - 1];
  twin.at += UINT64_C(1) << RAW_OFFSET_BITS;
  for (uint32_t i = 0; i < run->n_areas; i++)
    if (run->areas[i].at > twin.at) return;
  run->areas[run->n_areas++] = twin;
}

/* Pages at distances that look alike to tables of few entries. Some areas have several pages. */
static void choose_areas(RawRun *run) {
  run->n_areas = 1 + draw(&run->random, RAW_RUN_MOST_AREAS);
  for (uint32_t i = 0; i < run->n_areas; i++) {
    const uint32_t size =
        draw(&run->random, 30) ? 32 + 8 * draw(&run->random, 16) : 4096 + 8 * draw(&run->random, 1024);
    const uint64_t at = RAW_RUN_PLACE[i] - 8 * (uint64_t)(1 + draw(&run->random, 4)) + ((uint64_t)i << 20);
    run->areas[i] = (Area){at, size};
  }
  if (run->n_areas < RAW_RUN_MOST_AREAS && !draw(&run->random, 3)) add_twin(run);
}

static uint64_t any_code(RawRun *run) {
  return RAW_RUN_CODE[draw(&run->random, 20) ? 1 : draw(&run->random, 3)] +
         draw(&run->random, 1 << draw(&run->random, 22));
}

static Deed regular_access(RawRun *run) {
  const uint32_t i = draw(&run->random, run->n_areas), size = 8u >> i % 3;
  return (Deed){.size = size,
                .address = run->areas[i].at + 8 + draw(&run->random, (run->areas[i].size - 16) / size) * size};
}

/* Also an address: unaligned in half of all cases. */
Deed raw_run_access(RawRun *run) {
  const Area *area = &run->areas[draw(&run->random, run->n_areas)];
  const uint32_t room = area->size - 16;
  if (run->regular && draw(&run->random, run->regular)) return regular_access(run);
  Deed deed = {.size = 1u << draw(&run->random, RAW_SIZES)};
  if (!draw(&run->random, 10)) deed.size = 1 + draw(&run->random, draw(&run->random, 4) && room > 40 ? 40 : room);
  if (deed.size > room) deed.size = room;
  uint32_t from = draw(&run->random, room - (uint32_t)deed.size + 1);
  if (draw(&run->random, 2)) from -= from % (uint32_t)deed.size;
  deed.address = area->at + 8 + from;
  return deed;
}

static Deed *add_deed(RawRun *run, uint32_t thread, Deed deed) {
  deed.thread = thread;
  deed.clock = run->clock[thread];
  deed.order = run->deeds.n;
  vec_push(run->heap, &run->deeds, deed);
  return &vec_last(&run->deeds);
}

static void put_access(RawRun *run, const Deed *d) {
  static const uint32_t RANGE[] = {RAW_READ_RANGE, RAW_WRITE_RANGE};
  uint32_t log_size = 0;
  while (log_size < RAW_SIZES && d->size != 1u << log_size) log_size++;
  if (d->kind >= RAW_ATOMIC_READ) {
    const uint64_t values = raw_atomic(log_size, 0, RAW_FAR, RAW_FAR);
    raw_log_put_two(&run->log, d->thread, d->kind, d->address, any_code(run), values);
    return;
  }
  if (d->kind != RAW_UPDATE && (log_size == RAW_SIZES || !draw(&run->random, 20)))
    raw_log_put_two(&run->log, d->thread, RANGE[d->kind == RAW_WRITE], d->address, any_code(run), d->size);
  else raw_log_put(&run->log, d->thread, d->kind + log_size, d->address, any_code(run));
}

bool raw_run_is_access(const Deed *d) {
  return d->kind == RAW_READ || d->kind == RAW_WRITE || d->kind == RAW_UPDATE ||
         (d->kind >= RAW_ATOMIC_READ && d->kind <= RAW_ATOMIC_UPDATE);
}

/* The address at the same place of another region, if there is memory. */
static uint64_t in_twin(const RawRun *run, const Deed *d) {
  const uint64_t next = d->address + (UINT64_C(1) << RAW_OFFSET_BITS);
  const Area *last = &run->areas[run->n_areas - 1];
  return next >= last->at + 8 && next + d->size <= last->at + last->size - 8 ? next : d->address;
}

/* Often of memory that was accessed before. */
void raw_run_do_access(RawRun *run, uint32_t thread) {
  Deed deed = raw_run_access(run);
  if (run->deeds.n && draw(&run->random, 2)) {
    const Deed *old = &run->deeds.at[draw(&run->random, run->deeds.n)];
    if (raw_run_is_access(old)) deed = *old;
    if (raw_run_is_access(old) && draw(&run->random, 4) == 0) deed.address = in_twin(run, old);
  }
  static const uint32_t KIND[] = {RAW_READ,  RAW_WRITE,       RAW_UPDATE,       RAW_READ,
                                  RAW_WRITE, RAW_ATOMIC_READ, RAW_ATOMIC_WRITE, RAW_ATOMIC_UPDATE};
  deed.kind = KIND[draw(&run->random, sizeof KIND / sizeof *KIND)];
  if (deed.size & (deed.size - 1) || deed.size >= 1u << RAW_SIZES)
    deed.kind = draw(&run->random, 2) ? RAW_READ : RAW_WRITE;
  put_access(run, add_deed(run, thread, deed));
}

/* A row of accesses, side by side. */
void raw_run_do_sweep(RawRun *run, uint32_t thread) {
  Deed deed = raw_run_access(run);
  deed.kind = draw(&run->random, 2) ? RAW_READ : RAW_WRITE;
  for (uint32_t i = 0; i < run->n_areas; i++) {
    const Area *area = &run->areas[i];
    if (deed.address < area->at || deed.address >= area->at + area->size) continue;
    const uint64_t end = area->at + area->size - 8;
    for (uint32_t n = draw(&run->random, 80); n-- > 0 && deed.address + deed.size <= end; deed.address += deed.size)
      put_access(run, add_deed(run, thread, deed));
  }
}

void raw_run_do_row(RawRun *run, uint32_t thread, uint64_t at, uint32_t n) {
  for (uint64_t i = 0; i < n; i++)
    put_access(run, add_deed(run, thread, (Deed){.kind = RAW_WRITE, .address = at + 8 * i, .size = 8}));
}

/* What a loop does in a place. */
typedef struct {
  Deed deed; /* the first time */
  int64_t step;
} Place;

/* How often it may go round in the area. */
static uint32_t rounds_of(const RawRun *run, const Place *place) {
  const Area *area = run->areas;
  while (place->deed.address < area->at || place->deed.address >= area->at + area->size) area++;
  const uint64_t before = place->deed.address - area->at - 8,
                 after = area->at + area->size - 8 - place->deed.address - place->deed.size;
  if (!place->step) return UINT32_MAX;
  return 1 + (uint32_t)(place->step > 0 ? after / (uint64_t)place->step : before / (uint64_t)-place->step);
}

static Place loop_place(RawRun *run) {
  static const uint32_t KIND[] = {RAW_READ, RAW_WRITE, RAW_UPDATE};
  Place place = {.deed = raw_run_access(run)};
  place.deed.kind = KIND[draw(&run->random, 10) ? draw(&run->random, 2) : 2];
  while (place.deed.size & (place.deed.size - 1)) place.deed.size &= place.deed.size - 1;
  if (place.deed.size >= 1u << RAW_SIZES) place.deed.size = 16;
  const int64_t far[] = {0, (int64_t)place.deed.size, 8 * draw(&run->random, 20), draw(&run->random, 12)};
  place.step = far[draw(&run->random, 8) ? 1 : draw(&run->random, run->regular == UINT32_MAX ? 3 : 4)];
  if (!draw(&run->random, 4)) place.step = -place.step;
  return place;
}

static Deed *do_loop_access(RawRun *run, uint32_t thread, const Place *place, uint32_t round) {
  Deed *deed = add_deed(run, thread, place->deed);
  deed->address += (uint64_t)(place->step * round);
  return deed;
}

/* A few accesses, again and again. */
typedef struct {
  uint32_t period;
  Place places[RAW_PERIODS];
  uint64_t codes[RAW_PERIODS];
} Round;

static void put_loop_access(RawRun *run, uint32_t thread, const Deed *deed, uint64_t code) {
  uint32_t log_size = 0;
  while (deed->size != 1u << log_size) log_size++;
  raw_log_put(&run->log, thread, deed->kind + log_size, deed->address, code);
}

/* n accesses, mostly as a loop of the log: after two rounds, or with a turn after one. Is it one? */
static bool do_rounds(RawRun *run, uint32_t thread, const Round *round, uint32_t n, uint32_t turn) {
  const uint32_t period = round->period;
  bool known = false;
  for (uint32_t i = 0; i < n; i++) {
    const Deed *deed = do_loop_access(run, thread, &round->places[i % period], i / period);
    if (i == 2 * period && !turn) known = raw_log_put_loop(&run->log, thread, period, n - i);
    if (i == period && turn) known = raw_log_put_again(&run->log, thread, period, turn, n - i);
    if (!known) put_loop_access(run, thread, deed, round->codes[i % period]);
  }
  return known;
}

/* How often it may go round, but not more than this. */
static uint32_t most_rounds(const RawRun *run, const Round *round, uint32_t rounds) {
  for (uint32_t i = 0; i < round->period; i++)
    if (rounds_of(run, &round->places[i]) < rounds) rounds = rounds_of(run, &round->places[i]);
  return rounds;
}

/* The same steps, from another place of the round on, and elsewhere. */
static Round turn_round(RawRun *run, const Round *round, uint32_t turn) {
  Round turned = {.period = round->period};
  for (uint32_t i = 0; i < round->period; i++) {
    const uint32_t place = (i + turn - 1) % round->period;
    const Deed other = raw_run_access(run);
    turned.places[i] = round->places[place];
    if (other.size >= turned.places[i].deed.size) turned.places[i].deed.address = other.address;
    turned.codes[i] = round->codes[place];
  }
  return turned;
}

/* Sometimes it begins again elsewhere, with another loop or the end of the chunk in between or not. */
void raw_run_do_loop(RawRun *run, uint32_t thread) {
  Round round = {.period = 1 + draw(&run->random, draw(&run->random, 3) ? 4 : RAW_PERIODS)};
  const uint32_t base = draw(&run->random, 3), period = round.period;
  for (uint32_t i = 0; i < period; i++) {
    round.places[i] = loop_place(run);
    round.codes[i] = RAW_RUN_CODE[base] + draw(&run->random, 1 << 10);
  }
  uint32_t rounds = most_rounds(run, &round, 60);
  bool known = do_rounds(run, thread, &round, rounds * period - draw(&run->random, period), 0);
  while (known && draw(&run->random, 3)) {
    const uint32_t turn = 1 + draw(&run->random, period), chunks = run->log.thread[thread].chunks.n;
    round = turn_round(run, &round, turn);
    rounds = most_rounds(run, &round, 20);
    if (!rounds || raw_log_room(&run->log, thread) < 4 * period) return;
    known = do_rounds(run, thread, &round, rounds * period, turn) && chunks == run->log.thread[thread].chunks.n;
  }
}

void raw_run_do_free(RawRun *run, uint32_t thread, uint64_t at, uint64_t size) {
  add_deed(run, thread, (Deed){.kind = RAW_FREE, .address = at, .size = size});
  raw_log_put_two(&run->log, thread, RAW_FREE, at, any_code(run), size);
}

/* Of a piece, an area with what is around it, or of all areas that are near. */
static void do_free(RawRun *run, uint32_t thread) {
  const Area *area = &run->areas[draw(&run->random, run->n_areas)];
  Deed deed = raw_run_access(run);
  if (!draw(&run->random, 3))
    deed = (Deed){.address = area->at - draw(&run->random, 5000), .size = 1 + draw(&run->random, 10000)};
  if (!draw(&run->random, 20)) deed = (Deed){.address = area->at - draw(&run->random, 5000), .size = 5 << 20};
  raw_run_do_free(run, thread, deed.address, deed.size);
}

/* It is not known from where, so nothing changes. */
static void do_alloc(RawRun *run, uint32_t thread) {
  const Deed deed = raw_run_access(run);
  raw_log_put_two(&run->log, thread, RAW_ALLOC, deed.address, any_code(run), 1 + draw(&run->random, 10000));
}

/* Nothing is known of its places, so the log says nothing of it. */
static void do_stack(RawRun *run, uint32_t thread) {
  const uint32_t n = draw(&run->random, RAW_ALLOC_CALLERS + 2);
  for (uint32_t i = 0; i < n; i++)
    raw_log_put(&run->log, thread, RAW_CALLER, any_code(run),
                (any_code(run) >> RAW_CODE_BITS << RAW_CODE_BITS) + (draw(&run->random, 9) ? i : 70));
  const uint64_t number = draw(&run->random, 9) ? draw(&run->random, 4) : draw(&run->random, 2 * RAW_STACKS);
  raw_log_put(&run->log, thread, RAW_STACK, number * 2 + draw(&run->random, 2), any_code(run));
}

static void do_lock(RawRun *run, uint32_t thread) {
  static const uint32_t KIND[] = {RAW_ACQUIRE, RAW_RELEASE, RAW_TRY};
  const Deed deed = {.kind = KIND[draw(&run->random, 3)],
                     .address = RAW_RUN_PLACE[draw(&run->random, 3)] +
                                40 * (uint64_t)draw(&run->random, draw(&run->random, 2) ? 3 : 200)};
  add_deed(run, thread, deed);
  raw_log_put(&run->log, thread, deed.kind, deed.address, any_code(run));
}

/* Frames are all different: a block that begins again in its own frame would be another matter. */
static void do_block(RawRun *run, uint32_t thread) {
  const Deed deed = {.kind = draw(&run->random, 2) ? RAW_BEGIN : RAW_END, .size = draw(&run->random, RAW_RUN_NAMES)};
  const uint64_t frame = 0x7ffc00000000 + 16 * (uint64_t)run->deeds.n;
  add_deed(run, thread, deed);
  if (deed.kind == RAW_BEGIN) raw_log_put_two(&run->log, thread, RAW_BEGIN, frame, any_code(run), deed.size + 1);
  else raw_log_put(&run->log, thread, RAW_END, frame, any_code(run));
}

static void do_fork(RawRun *run, uint32_t thread, uint32_t kind, uint32_t other) {
  const Deed deed = {.kind = kind, .size = other};
  add_deed(run, thread, deed);
  raw_log_put_two(&run->log, thread, kind, 0x7ffff7a00000, any_code(run), other + UINT64_C(1));
}

static void do_end(RawRun *run, uint32_t thread, uint32_t kind) {
  const Deed deed = {.kind = kind};
  add_deed(run, thread, deed);
  raw_log_put(&run->log, thread, kind, draw(&run->random, 2) ? RAW_RUN_CODE[1] : 0, any_code(run));
}

void raw_run_move_clock(RawRun *run, uint32_t thread) {
  run->clock[thread] += draw(&run->random, 30) ? draw(&run->random, 4)
                                               : (uint64_t)draw(&run->random, UINT32_MAX) << draw(&run->random, 16);
  raw_log_clock(&run->log, thread, run->clock[thread]);
}

void raw_run_do(RawRun *run, uint32_t thread) {
  if (!draw(&run->random, run->quick)) raw_run_move_clock(run, thread);
  if (!draw(&run->random, run->regular ? 10 : 100))
    raw_log_next_chunk(&run->log, thread); /* chunks are sifted ahead of time */
  const uint32_t what = draw(&run->random, 100);
  if (what < 8) do_free(run, thread);
  else if (what < 11) do_alloc(run, thread);
  else if (what < 12) do_stack(run, thread);
  else if (what < 14) do_lock(run, thread);
  else if (what < 18) do_block(run, thread);
  else if (what < 20 && run->n_threads > 1)
    do_fork(run, thread, draw(&run->random, 2) ? RAW_FORK : RAW_JOIN, draw(&run->random, run->n_threads));
  else if (what < (run->regular ? 40 : 22)) raw_run_do_sweep(run, thread);
  else if (what < (run->regular ? 60 : 26)) raw_run_do_loop(run, thread);
  else raw_run_do_access(run, thread);
}

/* The same access until so many words of the chunk are left. */
void raw_run_fill_chunk(RawRun *run, uint32_t thread, uint32_t left) {
  Deed deed = raw_run_access(run);
  deed = (Deed){.kind = RAW_WRITE, .size = 1, .address = deed.address};
  while (raw_log_room(&run->log, thread) > left) {
    add_deed(run, thread, deed);
    raw_log_put(&run->log, thread, RAW_WRITE, deed.address, RAW_RUN_CODE[1]);
  }
}

/* The process dies in the middle of an event. */
static void break_off(RawRun *run, uint32_t thread) {
  static const uint32_t KIND[] = {RAW_READ_RANGE, RAW_WRITE_RANGE, RAW_FREE,          RAW_BEGIN,
                                  RAW_FORK,       RAW_JOIN,        RAW_ATOMIC_UPDATE, RAW_SYNC};
  raw_log_put(&run->log, thread, KIND[draw(&run->random, sizeof KIND / sizeof *KIND)], run->areas[0].at, any_code(run));
}

RawRun raw_run_new(Heap *heap, uint64_t seed, uint32_t n_threads) {
  RawRun run = {.heap = heap, .random = hash_word(seed), .n_threads = n_threads};
  run.log = raw_log_new(heap, n_threads, hash_word(~seed));
  run.quick = 1 + draw(&run.random, 20);
  if (n_threads < RAW_RUN_MOST_THREADS && !draw(&run.random, 4)) run.regular = 10u << draw(&run.random, 10);
  choose_areas(&run);
  return run;
}

void raw_run_begin(RawRun *run) {
  do_end(run, 0, RAW_START);
  for (uint32_t i = 1; i < run->n_threads; i++) {
    do_fork(run, 0, RAW_FORK, i);
    if (draw(&run->random, 2)) do_end(run, i, RAW_START);
  }
}

void raw_run_end(RawRun *run) {
  for (uint32_t i = 0; i < run->n_threads; i++) {
    if (draw(&run->random, 2)) do_end(run, i, RAW_EXIT);
    if (!draw(&run->random, 4)) break_off(run, i);
  }
}
