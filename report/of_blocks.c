#include "report/of_blocks.h"

#include "base/text.h"
#include "prove/counted.h"
#include "report/net_members.h"
#include "report/of_witness.h"
#include "report/vocabulary.h"
#include "report/words.h"

typedef struct {
  Report *report;
  Arena *arena;
  const AtomicityReport *result;
  const Net *net;
  Runners runners;
} Making;

/* ---- open counts ---- */

/* "every N", "any N, M and K" */
static const char *all_counts(const Making *m, const char *each) {
  const char *words = each;
  for (uint32_t i = 0; i < m->result->n_open; i++) {
    const char *before = !i ? "" : i + 1 < m->result->n_open ? "," : " and";
    words = arena_format(m->arena, "%s%s %s", words, before, text_clean(m->arena, m->result->open[i]));
  }
  return words;
}

/* "N = 2, M = 1" */
static const char *these_counts(const Making *m, const uint32_t *numbers) {
  const char *words = "";
  for (uint32_t i = 0; i < m->result->n_open; i++)
    words = arena_format(m->arena, "%s%s%s = %u", words, i ? ", " : "", text_clean(m->arena, m->result->open[i]),
                         numbers[i]);
  return words;
}

/* What a sentence about a block ends with: " for every N"; " with N = 2, nor with any larger N". */
static const char *for_each(const Making *m, const char *each) {
  return m->result->n_open ? arena_format(m->arena, " for %s", all_counts(m, each)) : "";
}

static const char *with_these(const Making *m, const BlockVerdict *it) {
  if (!it->numbers) return "";
  const char *larger = m->result->n_open > 1
                           ? "nor with larger numbers"
                           : arena_format(m->arena, "nor with any larger %s", text_clean(m->arena, m->result->open[0]));
  return arena_format(m->arena, " with %s, %s", these_counts(m, it->numbers), larger);
}

/* What the verdict is about: "for every N"; "with N = 2", the first of the numbers that a block is violated with. */
static const char *scope_of_verdict(const Making *m) {
  const AtomicityReport *result = m->result;
  const uint32_t *first = NULL;
  for (uint32_t i = 0; i < result->n_blocks; i++) {
    const uint32_t *numbers = result->blocks[i].numbers;
    if (numbers && (!first || counted_is_before(numbers, first, result->n_open))) first = numbers;
  }
  if (first) return arena_format(m->arena, "with %s", these_counts(m, first));
  return result->n_open && result->verdict == VERDICT_HOLDS ? arena_format(m->arena, "for %s", all_counts(m, "every"))
                                                            : NULL;
}

/* ---- findings ---- */

/* "block 'deposit' of threads T1, T2" */
static const char *subject(const Making *m, uint32_t block) {
  const ThreadList threads = runners_list(&m->runners, block);
  const char *name = words_block(m->arena, m->net->notes, block);
  if (m->result->n_open) return name;
  if (threads.n == 0) return arena_format(m->arena, "%s, which no thread reaches,", name);
  return arena_format(m->arena, "%s of %s", name, runners_phrase(m->arena, m->net->notes, threads));
}

static Finding finding_of(const Making *m, const BlockVerdict *it, const char *rule, Level level, FindingKind kind) {
  return (Finding){.rule = rule,
                   .level = level,
                   .kind = kind,
                   .unit = "block",
                   .place = words_place(m->arena, m->net->notes, m->net->notes->blocks[it->block].begin)};
}

static Finding finding_holds(const Making *m, const BlockVerdict *it) {
  const bool never = it->entered == ENTERED_NEVER;
  Finding finding = never ? finding_of(m, it, "never-entered", LEVEL_WARNING, FINDING_FAIL)
                          : finding_of(m, it, "not-causally-atomic", LEVEL_NOTE, FINDING_PASS);
  finding.message =
      arena_format(m->arena,
                   never ? "%s is never entered%s: no run reaches its begin, so it is atomic whatever it contains"
                         : "%s is causally atomic%s",
                   subject(m, it->block), for_each(m, never ? "any" : "every"));
  return finding;
}

static Finding finding_unknown(const Making *m, const BlockVerdict *it) {
  const char *why = m->result->why;
  Finding finding = finding_of(m, it, "not-causally-atomic", LEVEL_WARNING, FINDING_OPEN);
  finding.message = arena_format(m->arena, "cannot tell whether %s is causally atomic%s%s%s", subject(m, it->block),
                                 for_each(m, "every"), why ? ": " : "", why ? why : "");
  return finding;
}

/* The witness is a run of its own net where counts are open. */
static Finding finding_violated(const Making *m, const BlockVerdict *it) {
  if (!it->net) return of_witness(m->arena, m->net, &m->runners, it->witness);
  const Runners runners = runners_of(m->arena, it->net);
  Finding finding = of_witness(m->arena, it->net, &runners, it->witness);
  const char *with = with_these(m, it);
  finding.message = arena_format(m->arena, "%s%s", finding.message, with);
  finding.title = arena_format(m->arena, "%s%s", finding.title, with);
  return finding;
}

static void add_finding(const Making *m, const BlockVerdict *it) {
  Finding finding = {0};
  switch (it->verdict) {
  case VERDICT_VIOLATED: finding = finding_violated(m, it); break;
  case VERDICT_HOLDS: finding = finding_holds(m, it); break;
  case VERDICT_UNKNOWN: finding = finding_unknown(m, it); break;
  }
  finding.grounds = it->grounds;
  finding.subject = arena_format(m->arena, "%s (line %u)", words_block(m->arena, m->net->notes, it->block),
                                 m->net->notes->blocks[it->block].begin.line);
  report_add(m->report, &finding);
}

/* ---- members ---- */

static void add_entered(Members *members, Entered entered) {
  if (entered == ENTERED_UNKNOWN) members_null(members, "entered");
  else members_bool(members, "entered", entered == ENTERED_SOMETIMES);
}

static void add_numbers(const Making *m, const BlockVerdict *it) {
  Members *members = &m->report->members;
  if (!it->numbers) {
    members_null(members, "with");
    return;
  }
  members_open(members, "with", '[', JSON_ROW);
  for (uint32_t i = 0; i < m->result->n_open; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    members_string(members, "name", m->result->open[i]);
    members_count(members, "number", it->numbers[i]);
    members_close(members);
  }
  members_close(members);
}

static void add_block(const Making *m, const BlockVerdict *it) {
  Members *members = &m->report->members;
  const Net *net = it->net ? it->net : m->net;
  const Runners runners = it->net ? runners_of(m->arena, it->net) : m->runners;
  const NoteBlock *block = &net->notes->blocks[it->block];
  const ThreadList threads = runners_list(&runners, it->block);
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "name", block->name);
  net_members_position(members, m->net->notes, block->begin);
  members_open(members, "end", '{', JSON_ROW);
  net_members_position(members, m->net->notes, block->end);
  members_close(members);
  members_open(members, "threads", '[', JSON_ROW);
  for (uint32_t i = 0; i < threads.n; i++) members_count(members, NULL, (uint64_t)threads.at[i] + 1);
  members_close(members);
  members_string(members, "verdict", vocabulary_verdict(ASKED_ATOMIC, it->verdict));
  add_numbers(m, it);
  add_entered(members, it->entered);
  members_string(members, "grounds", it->grounds);
  members_count(members, "finding", (uint64_t)(it - m->result->blocks)); /* they are added in this order */
  members_close(members);
}

static void add_open(const Making *m) {
  Members *members = &m->report->members;
  if (!m->result->n_open) {
    members_null(members, "any_number");
    return;
  }
  members_open(members, "any_number", '[', JSON_ROW);
  for (uint32_t i = 0; i < m->result->n_open; i++) members_string(members, NULL, m->result->open[i]);
  members_close(members);
}

/* Copies of a thread are one object. */
static void add_threads(const Making *m) {
  Members *members = &m->report->members;
  const Notes *notes = m->net->notes;
  members_open(members, "threads", '[', JSON_LINES);
  for (uint32_t i = 0, end; i < notes->n_threads; i = end) {
    for (end = i + 1; end < notes->n_threads && notes->threads[end].group == notes->threads[i].group;) end++;
    members_open(members, NULL, '{', JSON_ROW);
    members_count(members, "first", (uint64_t)i + 1);
    members_count(members, "copies", end - i);
    members_string(members, "name", notes->threads[i].name);
    net_members_position(members, notes, notes->threads[i].pos);
    members_close(members);
  }
  members_close(members);
}

static void add_objects(const Making *m) {
  Members *members = &m->report->members;
  const Notes *notes = m->net->notes;
  members_open(members, "objects", '[', JSON_LINES);
  for (uint32_t i = 0; i < notes->n_objects; i++) {
    const NoteObject *object = &notes->objects[i];
    members_open(members, NULL, '{', JSON_ROW);
    members_string(members, "name", object->name);
    members_string(members, "kind", object->kind == OBJECT_LOCK ? "lock" : "variable");
    if (object->n_values) members_count(members, "values", object->n_values);
    else members_null(members, "values");
    members_close(members);
  }
  members_close(members);
}

/* ---- all of it ---- */

static void add_statistics(Report *report, const VerdictStats *stats) {
  report_add_statistic(report, STATISTIC("places", stats->places));
  report_add_statistic(report, STATISTIC("transitions", stats->transitions));
  report_add_statistic(report, STATISTIC("events", stats->events));
  report_add_statistic(report, STATISTIC("conditions", stats->conditions));
  report_add_statistic(report, STATISTIC("cut-offs", stats->cutoffs));
  report_add_statistic(report, STATISTIC_SECONDS(stats->seconds));
  report_add_statistic(report, STATISTIC_BYTES(stats->bytes));
}

void of_blocks(Report *report, const AtomicityReport *result) {
  const Making making = {.report = report,
                         .arena = &report->arena,
                         .result = result,
                         .net = result->net,
                         .runners = runners_of(&report->arena, result->net)};
  report->schema = OF_BLOCKS_SCHEMA;
  report->question = "causal atomicity";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(ASKED_ATOMIC, result->verdict);
  report->scope = scope_of_verdict(&making);
  report->shows_sources = words_have_files(result->net);
  report->why = result->verdict == VERDICT_HOLDS ? NULL : result->why; /* else why there is no certificate */
  report->nothing =
      result->verdict == VERDICT_HOLDS ? "Every marked block is causally atomic" : "No marked block was found violated";
  for (uint32_t i = 0; i < result->n_blocks; i++) add_finding(&making, &result->blocks[i]);
  add_open(&making);
  if (result->net) add_threads(&making);
  if (result->net) add_objects(&making);
  members_open(&report->members, "blocks", '[', JSON_LINES);
  for (uint32_t i = 0; i < result->n_blocks; i++) add_block(&making, &result->blocks[i]);
  members_close(&report->members);
  add_statistics(report, &result->stats);
  members_statistics(&report->members, report->statistics.at, report->statistics.n);
}
