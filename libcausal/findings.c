/* What was found, in the plain structs of libcausal.h; made when somebody looks. */
#include "libcausal/result.h"

#include <assert.h>

/* What is passed through heap_try. */
typedef struct {
  CausalResult *result;
  size_t n;
} Making;

/* ---- diagnostics ---- */

static void make_diagnostics(void *argument) {
  static const CausalLevel LEVELS_OF[] = {CAUSAL_ERROR, CAUSAL_WARNING, CAUSAL_NOTE}; /* ORDER Level */
  _Static_assert(sizeof LEVELS_OF / sizeof *LEVELS_OF == LEVELS, "ORDER Level");
  CausalResult *result = ((Making *)argument)->result;
  const Inputs *inputs = &result->inputs;
  CausalDiagnostic *diagnostics = arena_zeroed(&result->arena, (size_t)inputs->remarks.n + 1, sizeof *diagnostics);
  for (uint32_t i = 0; i < inputs->remarks.n; i++) {
    const DiagItem *item = &inputs->remarks.at[i].item;
    diagnostics[i] = (CausalDiagnostic){.level = LEVELS_OF[item->level],
                                        .line = item->line,
                                        .column = item->column,
                                        .length = item->length,
                                        .message = item->message,
                                        .option = item->option};
  }
  result->diagnostics = diagnostics;
}

const CausalDiagnostic *causal_diagnostics(CausalResult *result, size_t *n) {
  Making making = {.result = result};
  *n = 0;
  if (!result || (!result->diagnostics && !heap_try(result->heap, make_diagnostics, &making))) return NULL;
  *n = result->inputs.remarks.n;
  return result->diagnostics;
}

/* ---- findings ---- */

static const CausalStep *steps_of(Arena *arena, const Finding *finding) {
  CausalStep *steps = arena_zeroed(arena, (size_t)finding->n_steps + 1, sizeof *steps);
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    const FindingStep *step = &finding->steps[i];
    steps[i] = (CausalStep){.thread = finding->threads[step->thread].name,
                            .text = step->text,
                            .words = step->words,
                            .line = step->place.line,
                            .column = step->place.column,
                            .in_block = step->frame != 0};
  }
  return steps;
}

static CausalFinding finding_of(Arena *arena, const Finding *finding) {
  static const CausalVerdict VERDICTS[] = {CAUSAL_VIOLATED, CAUSAL_HOLDS, CAUSAL_UNKNOWN}; /* ORDER FindingKind */
  _Static_assert(sizeof VERDICTS / sizeof *VERDICTS == FINDING_KINDS, "ORDER FindingKind");
  return (CausalFinding){.verdict = VERDICTS[finding->kind],
                         .rule = finding->rule,
                         .message = finding->message,
                         .why = finding->why,
                         .grounds = finding->grounds,
                         .line = finding->place.line,
                         .column = finding->place.column,
                         .steps = steps_of(arena, finding),
                         .n_steps = finding->n_steps};
}

static void make_findings(void *argument) {
  CausalResult *result = ((Making *)argument)->result;
  const uint32_t n = report_findings(&result->report);
  CausalFinding *findings = arena_zeroed(&result->arena, (size_t)n + 1, sizeof *findings);
  for (uint32_t i = 0; i < n; i++) {
    const Finding finding = report_finding(&result->report, &result->arena, i);
    findings[i] = finding_of(&result->arena, &finding);
  }
  result->findings = findings;
}

const CausalFinding *causal_findings(CausalResult *result, size_t *n) {
  Making making = {.result = result};
  *n = 0;
  if (!result || !result->written || (!result->findings && !heap_try(result->heap, make_findings, &making)))
    return NULL;
  *n = report_findings(&result->report);
  return *n ? result->findings : NULL;
}

/* ---- the prefix ---- */

static const Prefix *prefix_of(const CausalResult *result) {
  const bool has = result && result->reported && result->question >= CAUSAL_DEADLOCK && result->question < CAUSAL_NET;
  return has ? result->found.questions.prefix : NULL;
}

static uint32_t *numbers(Arena *arena, uint32_t n) { return arena_alloc(arena, ((size_t)n + 1) * sizeof(uint32_t)); }

static void copy_events(Arena *arena, const Prefix *prefix, CausalPrefix *copy) {
  const uint32_t n = prefix->n_events;
  uint32_t *transition = numbers(arena, n), *corresponding = numbers(arena, n);
  uint32_t *preset = numbers(arena, prefix->pre_start[n]);
  for (uint32_t e = 0; e < n; e++) {
    transition[e] = prefix->event_trans[e].v;
    corresponding[e] = prefix->is_cutoff[e] ? prefix->corresponding[e].v : CAUSAL_NONE;
  }
  for (uint32_t i = 0; i < prefix->pre_start[n]; i++) preset[i] = prefix->pre[i].v;
  copy->event_transition = transition;
  copy->corresponding = corresponding;
  copy->preset_start = prefix->pre_start;
  copy->preset = preset;
  copy->is_cutoff = prefix->is_cutoff;
}

static void copy_conditions(Arena *arena, const Prefix *prefix, CausalPrefix *copy) {
  const uint32_t n = prefix->n_conditions;
  uint32_t *place = numbers(arena, n), *producer = numbers(arena, n);
  for (uint32_t b = 0; b < n; b++) {
    place[b] = prefix->condition_place[b].v;
    producer[b] = prefix->producer[b].v;
  }
  copy->condition_place = place;
  copy->producer = producer;
}

static void make_prefix(void *argument) {
  CausalResult *result = ((Making *)argument)->result;
  const Prefix *prefix = prefix_of(result);
  CausalPrefix *copy = arena_zeroed(&result->arena, 1, sizeof *copy);
  copy->complete = prefix->status == UNFOLD_COMPLETE;
  copy->n_events = prefix->n_events;
  copy->n_conditions = prefix->n_conditions;
  copy->n_places = prefix->net->n_places;
  copy->n_transitions = prefix->net->n_trans;
  copy->place_name = (const char *const *)prefix->net->place_name;
  copy->transition_name = (const char *const *)prefix->net->trans_name;
  copy_events(&result->arena, prefix, copy);
  copy_conditions(&result->arena, prefix, copy);
  result->prefix = copy;
}

const CausalPrefix *causal_prefix(CausalResult *result) {
  Making making = {.result = result};
  if (!prefix_of(result) || (!result->prefix && !heap_try(result->heap, make_prefix, &making))) return NULL;
  return result->prefix;
}
