#include "ask/chosen.h"

#include "base/suggest.h"

#include <assert.h>
#include <string.h>

static const char ALL[] = "all-functions";

enum { CHOSEN_COUNTS = 1, CHOSEN_NOT };

/* ---- lists of names ---- */

/* The name at *at, up to a comma, and *at behind it; 0: there is none. */
static size_t next_name(const char **at, const char **name) {
  *at += strspn(*at, ",");
  *name = *at;
  const size_t length = strcspn(*at, ",");
  *at += length;
  return length;
}

static bool has_name(const OptionList *list, const char *wanted) {
  const char *name;
  const size_t length = strlen(wanted);
  for (uint32_t i = 0; i < list->n; i++) {
    const char *at = list->at[i];
    for (size_t n; (n = next_name(&at, &name)) > 0;)
      if (n == length && memcmp(name, wanted, n) == 0) return true;
  }
  return false;
}

bool chosen_is_some(const Chosen *chosen) {
  return chosen->names.atomic.n || chosen->names.except.n || chosen->names.only;
}

bool chosen_counts(const ChosenNames *names, const char *label) {
  if (names->only) return strcmp(names->only, label) == 0;
  const OptionList *atomic = &names->atomic;
  const bool named = *label && has_name(atomic, label), all = atomic->n == 0 || has_name(atomic, ALL);
  return named || (all && !has_name(&names->except, label));
}

/* ---- events ---- */

void chosen_restart(Chosen *chosen) {
  vec_clear(&chosen->kinds);
  vec_clear(&chosen->depths);
}

static bool label_counts(Chosen *chosen, const TraceNames *names, uint32_t label) {
  if (label == TRACE_NONE) return chosen_counts(&chosen->names, "");
  if (label >= chosen->kinds.n) vec_resize_zeroed(chosen->heap, &chosen->kinds, label + 1);
  uint8_t *kind = &chosen->kinds.at[label];
  if (!*kind)
    *kind = chosen_counts(&chosen->names, trace_name(names, TRACE_LABEL_NAME, label)) ? CHOSEN_COUNTS : CHOSEN_NOT;
  return *kind == CHOSEN_COUNTS;
}

static void choose(Chosen *chosen, const TraceNames *names, TraceEvent *event) {
  if (event->op != TRACE_BEGIN && event->op != TRACE_END && event->op != TRACE_EXIT) return;
  if (event->thread >= chosen->depths.n) vec_resize_zeroed(chosen->heap, &chosen->depths, event->thread + 1);
  uint32_t *depth = &chosen->depths.at[event->thread];
  if (event->op == TRACE_EXIT) *depth = 0;
  else if (event->op == TRACE_END) *depth -= *depth > 0;
  else if (*depth || label_counts(chosen, names, event->object)) ++*depth;
  else event->op = TRACE_END, event->object = TRACE_NONE;
}

const TraceEvent *chosen_events(Chosen *chosen, const TraceNames *names, const TraceEvent *events, uint32_t n) {
  assert(n <= TRACE_BATCH);
  if (!chosen_is_some(chosen) || n == 0) return events;
  if (!chosen->batch) chosen->batch = heap_alloc(chosen->heap, TRACE_BATCH * sizeof *events);
  memcpy(chosen->batch, events, n * sizeof *events);
  for (uint32_t i = 0; i < n; i++) choose(chosen, names, &chosen->batch[i]);
  return chosen->batch;
}

/* ---- names that are not there ---- */

static bool is_missing(const TraceNames *names, const char *name, Suggestion *meant) {
  for (uint32_t i = 0; i < trace_name_count(names, TRACE_LABEL_NAME); i++) {
    const char *label = trace_name(names, TRACE_LABEL_NAME, i);
    if (strcmp(label, name) == 0) return false;
    suggest_offer(meant, label);
  }
  return strcmp(name, ALL) != 0;
}

static bool find_missing(const OptionList *list, const TraceNames *names, char text[CHOSEN_MISSING]) {
  const char *at, *name;
  char wrong[SUGGEST_MOST + 2];
  for (uint32_t i = 0; i < list->n; i++)
    for (at = list->at[i]; next_name(&at, &name) > 0;) {
      snprintf(wrong, sizeof wrong, "%.*s", (int)(at - name), name);
      Suggestion meant = suggest_for(wrong);
      if ((size_t)(at - name) >= sizeof wrong || !is_missing(names, wrong, &meant)) continue;
      snprintf(text, CHOSEN_MISSING, "no transaction is called '%s'%s", wrong, suggest_words(&meant));
      return true;
    }
  return false;
}

void chosen_missing(const Chosen *chosen, const TraceNames *names, char text[CHOSEN_MISSING]) {
  *text = '\0';
  if (!find_missing(&chosen->names.atomic, names, text)) find_missing(&chosen->names.except, names, text);
}

void chosen_fini(Chosen *chosen) {
  vec_fini(chosen->heap, &chosen->kinds);
  vec_fini(chosen->heap, &chosen->depths);
  heap_release(chosen->heap, chosen->batch);
  chosen->batch = NULL;
}
