/* First short proofs, which hold for any number of copies of what the program has two of. Then, in rounds with more and
 * more room: some instances, with small numbers, ascending, as most violations need two or three threads; where the
 * data is abstract, one instance that tells about all; and the search backwards, which gives an answer for all numbers
 * at once, or the least ones, with which the block is checked again, to have a witness. */
#include "ask/any_number.h"

#include "base/clock.h"
#include "petri/instance.h"
#include "petri/net_io.h"
#include "petri/safe.h"
#include "prove/backward.h"
#include "unfold/certificate_write.h"

#include <stdio.h>
#include <string.h>

/* What is known of a block that is still open. */
typedef struct {
  uint32_t n_atomic; /* it is atomic with so many of the first tuples (counted_next) */
  bool is_found;     /* it is violated, and first with the numbers that it was asked with last: a witness is missing */
} Knowledge;

/* The run. Memory may run out at any point; what was known then stays known. */
typedef struct {
  Heap *heap;
  const InFile *file; /* a program; or NULL: the instances are made of the result's net */
  const BlockInputOptions *input;
  const AtomicityOptions *options;
  const AskLimits *limits;
  const char *const *names; /* of the open counts, */
  uint32_t n_counts;        /* so many */
  uint32_t *of_group;       /* per group of the notes: which of them, or NOTE_NONE */
  const bool *chosen;       /* as BlockInput.blocks */
  bool *asked;              /* per block of the notes: in the instance under way */
  Knowledge *known;         /* per block of the result */
  uint32_t *tuple;
  Backward *backward;
  bool is_safe; /* a certificate is asked for, and counting shows that the net is 1-safe: so there can be one */
  AnyNumber *result;
  Err *err;
  bool good;
} AnyQuestion;

static bool fail(AnyQuestion *q) {
  q->good = false;
  return false;
}

static bool is_open(const AnyQuestion *q, uint32_t i) { return q->result->blocks[i].verdict == VERDICT_UNKNOWN; }

static uint32_t count_open(const AnyQuestion *q) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < q->result->n_blocks; i++) n += is_open(q, i);
  return n;
}

/* ---- limits ---- */

/* How many more events there may be; 0: any number. */
static uint64_t events_left(const AnyQuestion *q) {
  const uint64_t most = q->limits->max_events, now = q->result->stats.events;
  return !most ? 0 : most > now ? most - now : 1;
}

/* Also where memory ran out in an instance: with larger numbers there is no more of it. */
static bool is_over(AnyQuestion *q) {
  AnyNumber *result = q->result;
  const StopReason now = heap_asked(q->heap), asked = now != STOP_NOT ? now : heap_why(q->heap);
  return ask_is_over(q->limits, q->heap, asked, result->stats.events, result->why, sizeof result->why);
}

/* ---- one instance ---- */

/* The program with these numbers, of which nothing is told any more. */
static Net *compile(AnyQuestion *q, const uint32_t *tuple) {
  const SmlOptions *sml = &q->input->program.sml;
  const uint32_t n = sml->n_defines + q->n_counts;
  SmlDefine *defines = heap_alloc(q->heap, ((size_t)n + 1) * sizeof *defines);
  for (uint32_t i = 0; i < sml->n_defines; i++) defines[i] = sml->defines[i];
  for (uint32_t i = 0; i < q->n_counts; i++) defines[sml->n_defines + i] = (SmlDefine){q->names[i], tuple[i]};
  BlockInputOptions options = *q->input;
  BlockInput input = {0};
  options.program.sml.defines = defines;
  options.program.sml.n_defines = n;
  options.program.say = NULL;
  options.n_chosen = 0;
  options.shares = 0;
  const bool good = block_input_of_text(q->heap, q->file, &options, &input, q->err);
  heap_release(q->heap, defines);
  return good ? input.net : NULL;
}

/* The net with these numbers; NULL if it is too large. */
static Net *make_instance(AnyQuestion *q, const uint32_t *tuple) {
  return q->file ? compile(q, tuple) : instance_of(q->heap, q->result->net, tuple, q->err);
}

static void add_stats(VerdictStats *all, const VerdictStats *one) {
  if (one->places > all->places) all->places = one->places, all->transitions = one->transitions;
  all->events += one->events;
  all->conditions += one->conditions;
  all->cutoffs += one->cutoffs;
}

/* Checks the blocks of q->asked in the net, with at most so many events (0: any number). */
static bool check_with(AnyQuestion *q, const Net *net, AtomicityOptions options, uint64_t max_events,
                       Atomicity *found) {
  AskLimits limits = *q->limits;
  const uint64_t left = events_left(q);
  options.colour.blocks = q->asked;
  limits.max_events = !max_events || (left && left < max_events) ? left : max_events;
  if (!atomicity_check(q->heap, net, &options, &limits, found, q->err)) return fail(q);
  add_stats(&q->result->stats, &found->stats);
  if (options.certificate) q->result->is_cut = found->is_cut, q->result->cut_at = found->cut_at;
  return true;
}

static bool check_net(AnyQuestion *q, const Net *net, uint64_t max_events, Atomicity *found) {
  AtomicityOptions options = *q->options;
  options.certificate = NULL;
  return check_with(q, net, options, max_events, found);
}

/* Those that are open, and not yet known to be atomic with tuple k. Is there any? */
static bool ask_undecided(AnyQuestion *q, uint32_t k) {
  bool any = false;
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    any |= q->asked[q->result->blocks[i].block] = is_open(q, i) && q->known[i].n_atomic <= k;
  return any;
}

/* A block can be entered with any numbers if it can be with some. */
static void note_entered(BlockVerdict *block, const BlockVerdict *found) {
  if (found->entered == ENTERED_SOMETIMES) block->entered = ENTERED_SOMETIMES;
}

static const uint32_t *keep_tuple(AnyQuestion *q, const uint32_t *tuple) {
  uint32_t *kept = arena_alloc(&q->result->arena, q->n_counts * sizeof *kept);
  memcpy(kept, tuple, q->n_counts * sizeof *kept);
  return kept;
}

static void decide_violated(AnyQuestion *q, uint32_t i, const BlockVerdict *found, const uint32_t *tuple, bool is_least,
                            const Net *net) {
  BlockVerdict *block = &q->result->blocks[i];
  const uint32_t *numbers = keep_tuple(q, tuple);
  const char *grounds = found->grounds;
  if (!is_least) grounds = arena_format(&q->result->arena, "%s; with smaller numbers it is not known", grounds);
  block->verdict = VERDICT_VIOLATED; /* from here on no memory runs out */
  block->entered = ENTERED_SOMETIMES;
  block->witness = found->witness;
  block->net = net;
  block->numbers = numbers;
  block->grounds = grounds;
}

/* Takes over what an instance with that tuple, the number of which is given, says of the blocks of q->asked. Is any
 * violated? */
static bool take_instance(AnyQuestion *q, const AnyInstance *instance, const uint32_t *tuple, uint32_t number) {
  bool any = false;
  for (uint32_t i = 0, k = 0; i < q->result->n_blocks; i++) {
    if (!q->asked[q->result->blocks[i].block]) continue;
    const BlockVerdict *found = &instance->found.blocks[k++];
    note_entered(&q->result->blocks[i], found);
    if (found->verdict == VERDICT_HOLDS && q->known[i].n_atomic == number) q->known[i].n_atomic++;
    if (found->verdict != VERDICT_VIOLATED) continue;
    decide_violated(q, i, found, tuple, q->known[i].is_found || q->known[i].n_atomic == number, instance->net);
    any = true;
  }
  return any;
}

/* Checks the blocks of q->asked with these numbers. A program that cannot be compiled, though it can be with two of
 * each, is too large: nothing is known of it. *verdict is that of all of them. */
static bool check_instance(AnyQuestion *q, const uint32_t *tuple, uint32_t number, uint64_t max_events,
                           Verdict *verdict) {
  AnyInstance instance;
  snprintf(q->result->why, sizeof q->result->why, "the program is too large with that many threads");
  instance.net = make_instance(q, tuple);
  if (!instance.net) return true;
  if (!check_net(q, instance.net, max_events, &instance.found)) return net_free(instance.net), false;
  *verdict = instance.found.verdict;
  snprintf(q->result->why, sizeof q->result->why, "%s", instance.found.why);
  vec_reserve(q->heap, &q->result->instances, 1);
  if (take_instance(q, &instance, tuple, number)) {
    q->result->instances.at[q->result->instances.n++] = instance;
  } else {
    atomicity_fini(&instance.found);
    net_free(instance.net);
  }
  return true;
}

/* ---- proofs ---- */

static void take_proof(AnyQuestion *q, uint32_t i, const BlockVerdict *found) {
  BlockVerdict *block = &q->result->blocks[i];
  note_entered(block, found);
  if (found->verdict != VERDICT_HOLDS || !found->is_proved) return;
  block->verdict = VERDICT_HOLDS;
  block->is_proved = true;
  block->grounds = arena_format(&q->result->arena, "%s", found->grounds);
  if (!backward_begins(q->backward, block->block)) block->entered = ENTERED_NEVER;
}

/* They do not count threads; those that do are not among these. */
static bool try_proofs(AnyQuestion *q) {
  AtomicityOptions options = *q->options;
  Atomicity found;
  options.tries &= TRY_MOVERS | TRY_ENVIRONMENT;
  options.never_whole = options.every = true;
  if (!options.tries) return true;
  ask_undecided(q, 0);
  if (!check_with(q, q->result->net, options, 0, &found)) return false;
  for (uint32_t i = 0; i < found.n_blocks; i++) take_proof(q, i, &found.blocks[i]);
  atomicity_fini(&found);
  return true;
}

/* ---- small numbers ---- */

/* In each round tuples up to this sum, and one more with each further round, but no more than so many, are tried; with
 * so many events each. In each further round there are so many times more. */
enum { LARGEST_SUM = 3, MOST_TUPLES = 20, TUPLE_EVENTS = 1 << 14, NEXT_ROUND = 4 };

static uint64_t sum(const uint32_t *tuple, uint32_t n) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < n; i++) all += tuple[i];
  return all;
}

static bool try_small(AnyQuestion *q, uint32_t round, uint64_t times) {
  const uint32_t n = q->n_counts;
  Verdict verdict;
  memset(q->tuple, 0, n * sizeof *q->tuple);
  for (uint32_t k = 0; k < MOST_TUPLES * (round + 1) && sum(q->tuple, n) <= LARGEST_SUM + round; k++) {
    if (!count_open(q) || is_over(q)) return true;
    if (ask_undecided(q, k) && !check_instance(q, q->tuple, k, TUPLE_EVENTS * times, &verdict)) return false;
    counted_next(q->tuple, n);
  }
  return true;
}

/* ---- all numbers ---- */

/* "every N and M" */
static const char *words_of_open(AnyQuestion *q) {
  const char *words = "every";
  for (uint32_t i = 0; i < q->n_counts; i++) {
    const char *before = !i ? "" : i + 1 < q->n_counts ? "," : " and";
    words = arena_format(&q->result->arena, "%s%s %s", words, before, q->names[i]);
  }
  return words;
}

static void decide_atomic(AnyQuestion *q, uint32_t i, const char *by) {
  q->result->blocks[i].verdict = VERDICT_HOLDS;
  q->result->blocks[i].grounds = arena_format(&q->result->arena, "for %s: %s", words_of_open(q), by);
}

/* ---- backwards ---- */

/* In the first round; in each further one it may have NEXT_ROUND times more. */
enum { BACKWARD_ELEMENTS = 1 << 15 };

/* The block is violated with the numbers of q->tuple, and not before: there must be a witness. */
static bool confirm(AnyQuestion *q, uint32_t i) {
  Verdict verdict = VERDICT_UNKNOWN;
  memset(q->asked, 0, q->result->net->notes->n_blocks);
  q->asked[q->result->blocks[i].block] = true;
  q->known[i].is_found = true;
  if (!check_instance(q, q->tuple, UINT32_MAX, 0, &verdict)) return false;
  if (verdict != VERDICT_HOLDS) return true;
  err_set(q->err, ERR_CHECK, "a block was found violated by backward coverability, and is not");
  return fail(q);
}

static const char *words_of_search(AnyQuestion *q, uint64_t elements) {
  return arena_format(&q->result->arena, "backward coverability, %llu element%s", (unsigned long long)elements,
                      elements == 1 ? "" : "s");
}

/* A proof that it writes counts once it is whole, as in question_begin_proof. */
static BackwardAnswer ask_backward(AnyQuestion *q, uint32_t i, uint64_t max_elements, uint64_t *elements) {
  AnyNumber *result = q->result;
  FILE *out = q->is_safe ? q->options->certificate : NULL;
  const uint64_t left = events_left(q), most = left && left < max_elements ? left : max_elements;
  if (out) result->is_cut = true, result->cut_at = ftell(out);
  const BackwardAnswer answer = backward_search(q->backward, result->blocks[i].block, most, out, q->tuple, elements);
  result->is_cut = false;
  result->blocks[i].is_proved = out && answer == BACKWARD_NEVER;
  return answer;
}

static bool search_block(AnyQuestion *q, uint32_t i, uint64_t max_elements) {
  uint64_t elements;
  const BackwardAnswer answer = ask_backward(q, i, max_elements, &elements);
  q->result->stats.events += elements;
  switch (answer) {
  case BACKWARD_NEVER: decide_atomic(q, i, words_of_search(q, elements)); return true;
  case BACKWARD_FOUND: return confirm(q, i);
  case BACKWARD_LIMIT:
  case BACKWARD_ASKED: is_over(q); break;
  }
  return true;
}

static bool search_backward(AnyQuestion *q, uint64_t times) {
  for (uint32_t i = 0; i < q->result->n_blocks && !is_over(q); i++)
    if (is_open(q, i) && !q->known[i].is_found && !search_block(q, i, BACKWARD_ELEMENTS * times)) return false;
  return true;
}

/* ---- the cut-off ---- */

/* An instance with more threads of each kind than these is not tried. */
enum { LARGEST_CUTOFF = 12 };

/* The proof is one of backward coverability, if that is not too hard: there is no other one. */
static bool certify_cutoff(AnyQuestion *q, uint32_t i, uint64_t times) {
  uint64_t elements;
  if (!q->is_safe || is_over(q)) return true;
  if (ask_backward(q, i, BACKWARD_ELEMENTS * times, &elements) != BACKWARD_FOUND) return true;
  err_set(q->err, ERR_CHECK, "a block was found atomic by the cut-off, and is not by backward coverability");
  return fail(q);
}

static bool take_cutoff(AnyQuestion *q, const Atomicity *found, uint32_t n, uint64_t times) {
  const char *by = arena_format(&q->result->arena, "cut-off at %u threads of each kind", n);
  for (uint32_t i = 0, k = 0; i < q->result->n_blocks; i++) {
    if (!q->asked[q->result->blocks[i].block]) continue;
    note_entered(&q->result->blocks[i], &found->blocks[k]);
    if (found->blocks[k++].verdict != VERDICT_HOLDS) continue;
    decide_atomic(q, i, by);
    if (!certify_cutoff(q, i, times)) return false;
  }
  return true;
}

/* What is atomic with so many is atomic with any number. What is violated is so with fewer, which are looked for. */
static bool try_cutoff(AnyQuestion *q, uint64_t times) {
  const uint32_t n = backward_cutoff(q->backward) + 1;
  Atomicity found;
  if (n == 1 || n > LARGEST_CUTOFF || !ask_undecided(q, UINT32_MAX) || is_over(q)) return true;
  for (uint32_t i = 0; i < q->n_counts; i++) q->tuple[i] = n;
  Net *net = make_instance(q, q->tuple);
  if (!net) return true;
  bool good = check_net(q, net, TUPLE_EVENTS * times, &found);
  if (good) {
    good = take_cutoff(q, &found, n, times);
    atomicity_fini(&found);
  }
  net_free(net);
  return good;
}

/* ---- the run ---- */

static void say_unless_over(AnyQuestion *q, const char *why) {
  if (count_open(q) && !is_over(q)) snprintf(q->result->why, sizeof q->result->why, "%.150s", why);
}

static Verdict joint_verdict(const AnyNumber *result) {
  VerdictTally tally = {0};
  for (uint32_t i = 0; i < result->n_blocks; i++) verdict_count(&tally, result->blocks[i].verdict);
  return verdict_join(&tally);
}

/* Blocks that more work may decide. */
static bool has_more(AnyQuestion *q) {
  bool any = false;
  for (uint32_t i = 0; i < q->result->n_blocks; i++) any |= is_open(q, i) && !q->known[i].is_found;
  return any && !is_over(q);
}

/* The search backwards comes to an end, so there is one. */
static bool try_rounds(AnyQuestion *q) {
  uint64_t times = 1;
  for (uint32_t round = 0; has_more(q); round++, times *= NEXT_ROUND)
    if (!try_small(q, round, times) || !try_cutoff(q, times) || !search_backward(q, times)) return false;
  return true;
}

/* Without the search backwards, nothing is known of the copies: they may not even be alike. */
static bool decide(AnyQuestion *q) {
  Err err;
  const OpenNumbers open = {q->n_counts, q->of_group};
  q->backward = backward_new(q->heap, q->result->net, &open, &err);
  q->is_safe = q->options->certificate && net_is_safe(q->heap, q->result->net);
  if (q->backward && !try_proofs(q)) return false;
  if (q->options->never_whole) return say_unless_over(q, ATOMICITY_UNTRIED), true;
  if (q->backward) return try_rounds(q);
  return try_small(q, 0, 1) && (say_unless_over(q, err.text), true);
}

static void body(void *argument) {
  AnyQuestion *q = argument;
  if (decide(q) && !count_open(q)) q->result->why[0] = '\0';
}

static bool read_program(AnyQuestion *q, BlockInput *input) {
  BlockInputOptions options = *q->input;
  options.program.sml.any_number = true;
  return block_input_of_text(q->heap, q->file, &options, input, q->err);
}

/* Were numbers of threads left open in the net? */
static bool expect_counts(AnyQuestion *q, const Net *net) {
  if (net->notes && net->notes->n_counts) return true;
  return err_set(q->err, ERR_INPUT, "%s: a net has a fixed number of threads%s", q->file->name,
                 remedy_words(q->input->program.sml.remedies, REMEDY_FIXED_NET));
}

static bool read_net(AnyQuestion *q, BlockInput *input) {
  Net *net = net_read(q->heap, q->file, q->err);
  if (!net) return false;
  if (!expect_counts(q, net) || !instance_check(q->heap, net, q->err)) return net_free(net), false;
  return block_input_of_net(q->heap, net, q->file->name, q->input, input, q->err);
}

/* The net with two for each, whose messages are told. */
static bool read_two(AnyQuestion *q) {
  const bool passes = q->input->program.sml.unmarked == SML_UNMARKED_PASSES;
  const bool is_program = sml_recognise(q->file->text, q->file->length);
  BlockInput input = {0};
  if (!passes && !program_input_expect(q->file, "a program", q->err)) return false;
  if (!(is_program ? read_program : read_net)(q, &input)) return false;
  q->result->net = input.net;
  q->chosen = input.blocks;
  if (!input.net->notes->n_counts)
    return err_set(q->err, ERR_INPUT, "%s: no count is open%s", q->file->name,
                   remedy_words(q->input->program.sml.remedies, REMEDY_FIXED_COUNTS));
  if (!is_program) q->file = NULL;
  return true;
}

static void list_counts(AnyQuestion *q) {
  const Notes *notes = q->result->net->notes;
  q->names = q->result->open = notes->counts;
  q->n_counts = q->result->n_open = notes->n_counts;
  q->tuple = heap_zeroed(q->heap, ((size_t)q->n_counts + 1) * sizeof *q->tuple);
  q->of_group = heap_alloc(q->heap, ((size_t)notes->n_threads + 1) * sizeof *q->of_group);
  for (uint32_t i = 0; i < notes->n_threads; i++) q->of_group[i] = NOTE_NONE;
  for (uint32_t i = 0; i < notes->n_threads; i++) q->of_group[notes->threads[i].group] = notes->threads[i].count;
}

static void list_blocks(AnyQuestion *q) {
  const uint32_t n = q->result->net->notes->n_blocks;
  AnyNumber *result = q->result;
  result->blocks = heap_zeroed(q->heap, ((size_t)n + 1) * sizeof *result->blocks);
  q->asked = heap_zeroed(q->heap, (size_t)n + 1);
  q->known = heap_zeroed(q->heap, ((size_t)n + 1) * sizeof *q->known);
  for (uint32_t b = 0; b < n; b++)
    if (!q->chosen || q->chosen[b]) result->blocks[result->n_blocks++] = (BlockVerdict){.block = b};
}

static void finish(AnyQuestion *q, double start) {
  AnyNumber *result = q->result;
  backward_free(q->backward);
  heap_release(q->heap, q->asked);
  heap_release(q->heap, q->known);
  heap_release(q->heap, q->of_group);
  heap_release(q->heap, q->tuple);
  result->verdict = joint_verdict(result);
  result->stats.bytes = heap_peak(q->heap);
  result->stats.seconds = clock_seconds() - start;
}

/* Of the result's net. */
static bool run(AnyQuestion *q, double start) {
  AnyNumber *result = q->result;
  list_counts(q);
  list_blocks(q);
  if (!heap_try(q->heap, body, q))
    heap_explain_after(q->heap, heap_why(q->heap), result->stats.events, "events", result->why, sizeof result->why);
  finish(q, start);
  return q->good;
}

static AnyQuestion begin(Heap *heap, const AtomicityOptions *options, const AskLimits *limits, AnyNumber *result,
                         Err *err) {
  *result = (AnyNumber){.heap = heap};
  arena_init(&result->arena, heap);
  return (AnyQuestion){.heap = heap, .options = options, .limits = limits, .result = result, .err = err, .good = true};
}

bool any_number_check(Heap *heap, const InFile *file, const BlockInputOptions *input, const AtomicityOptions *options,
                      const AskLimits *limits, AnyNumber *result, Err *err) {
  const double start = clock_seconds();
  AnyQuestion q = begin(heap, options, limits, result, err);
  q.file = file;
  q.input = input;
  bool good = read_two(&q);
  if (good && options->certificate) {
    certificate_begin(options->certificate, result->net);
    q.file = NULL;
  }
  good = good && run(&q, start);
  if (!good) any_number_fini(result);
  return good;
}

bool any_number_check_net(Heap *heap, BlockInput *input, const AtomicityOptions *options, const AskLimits *limits,
                          AnyNumber *result, Err *err) {
  const double start = clock_seconds();
  AnyQuestion q = begin(heap, options, limits, result, err);
  result->net = input->net;
  input->net = NULL;
  q.chosen = input->blocks;
  const bool good = instance_check(heap, result->net, err) && run(&q, start);
  if (!good) any_number_fini(result);
  return good;
}

void any_number_fini(AnyNumber *result) {
  Heap *heap = result->heap;
  for (uint32_t i = 0; i < result->instances.n; i++) {
    atomicity_fini(&result->instances.at[i].found);
    net_free(result->instances.at[i].net);
  }
  vec_fini(heap, &result->instances);
  heap_release(heap, result->blocks);
  net_free(result->net);
  arena_fini(&result->arena);
  *result = (AnyNumber){.heap = heap};
}

AtomicityReport any_number_report(const AnyNumber *result) {
  return (AtomicityReport){.net = result->net,
                           .blocks = result->blocks,
                           .n_blocks = result->n_blocks,
                           .verdict = result->verdict,
                           .why = result->why[0] ? result->why : NULL,
                           .stats = result->stats,
                           .open = result->open,
                           .n_open = result->n_open};
}
