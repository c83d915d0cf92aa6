#include "report/of_blocks.h"

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

/* ---- findings ---- */

/* "block 'deposit' of threads T1, T2" */
static const char *subject(const Making *m, uint32_t block) {
  const ThreadList threads = runners_list(&m->runners, block);
  const char *name = words_block(m->arena, m->net->notes, block);
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
                   never ? "%s is never entered: no run reaches its begin, so it is atomic whatever it contains"
                         : "%s is causally atomic",
                   subject(m, it->block));
  return finding;
}

static Finding finding_unknown(const Making *m, const BlockVerdict *it) {
  const char *why = m->result->why;
  Finding finding = finding_of(m, it, "not-causally-atomic", LEVEL_WARNING, FINDING_OPEN);
  finding.message = arena_format(m->arena, "cannot tell whether %s is causally atomic%s%s", subject(m, it->block),
                                 why ? ": " : "", why ? why : "");
  return finding;
}

static void add_finding(const Making *m, const BlockVerdict *it) {
  Finding finding = {0};
  switch (it->verdict) {
  case VERDICT_VIOLATED: finding = of_witness(m->arena, m->net, &m->runners, it->witness); break;
  case VERDICT_HOLDS: finding = finding_holds(m, it); break;
  case VERDICT_UNKNOWN: finding = finding_unknown(m, it); break;
  }
  finding.grounds = it->grounds;
  report_add(m->report, &finding);
}

/* ---- members ---- */

static void add_step(const Making *m, const WitnessStep *step) {
  static const char *const ROLES[] = {NULL, "begin", "out", "in", "chain", "back"}; /* ORDER StepRole */
  _Static_assert(sizeof ROLES / sizeof *ROLES == STEP_BACK + 1, "ORDER StepRole");
  Members *members = &m->report->members;
  members_open(members, NULL, '{', JSON_ROW);
  net_members_event(members, m->net, step->thread, step->transition);
  members_string(members, "role", ROLES[step->role]);
  members_close(members);
}

static void add_entered(Members *members, Entered entered) {
  if (entered == ENTERED_UNKNOWN) members_null(members, "entered");
  else members_bool(members, "entered", entered == ENTERED_SOMETIMES);
}

static void add_block(const Making *m, const BlockVerdict *it) {
  Members *members = &m->report->members;
  const NoteBlock *block = &m->net->notes->blocks[it->block];
  const ThreadList threads = runners_list(&m->runners, it->block);
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "name", block->name);
  net_members_position(members, m->net->notes, block->begin);
  members_open(members, "threads", '[', JSON_ROW);
  for (uint32_t i = 0; i < threads.n; i++) members_count(members, NULL, (uint64_t)threads.at[i] + 1);
  members_close(members);
  members_string(members, "verdict", vocabulary_verdict(ASKED_ATOMIC, it->verdict));
  add_entered(members, it->entered);
  members_string(members, "grounds", it->grounds);
  members_open(members, "witness", '[', JSON_LINES);
  for (uint32_t i = 0; it->witness && i < it->witness->n_steps; i++) add_step(m, &it->witness->steps[i]);
  members_close(members);
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
  report->schema = "causalcheck/1";
  report->question = "causal atomicity";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(ASKED_ATOMIC, result->verdict);
  report->why = result->why;
  report->nothing =
      result->verdict == VERDICT_HOLDS ? "Every marked block is causally atomic" : "No marked block was found violated";
  for (uint32_t i = 0; i < result->n_blocks; i++) add_finding(&making, &result->blocks[i]);
  members_open(&report->members, "blocks", '[', JSON_LINES);
  for (uint32_t i = 0; i < result->n_blocks; i++) add_block(&making, &result->blocks[i]);
  members_close(&report->members);
  add_statistics(report, &result->stats);
  members_statistics(&report->members, report->statistics.at, report->statistics.n);
}
