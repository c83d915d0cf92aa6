#include "report/net_steps.h"

#include "base/text.h"
#include "report/vocabulary.h"
#include "report/words.h"

#include <string.h>

const char *net_steps_thread(Arena *arena, const Notes *notes, uint32_t thread) {
  if (thread == NOTE_NONE) return NULL;
  const NoteThread *note = &notes->threads[thread];
  uint32_t copies = 0;
  for (uint32_t t = 0; t < notes->n_threads; t++) copies += notes->threads[t].group == note->group;
  const char *place = note->pos.line ? arena_format(arena, "line %u", note->pos.line) : NULL;
  if (copies == 1) return place;
  return arena_format(arena, "%s%sone of %u copies", place ? place : "", place ? ", " : "", copies);
}

static const FindingAccess *accesses_of(Arena *arena, const Notes *notes, AccessList accesses) {
  FindingAccess *made = arena_zeroed(arena, accesses.n, sizeof *made);
  for (uint32_t i = 0; i < accesses.n; i++)
    made[i] = (FindingAccess){text_clean(arena, notes->objects[accesses.at[i].object].name),
                              vocabulary_verb(accesses.at[i].mode)->name};
  return made;
}

/* From 1. */
static uint64_t event_number(Arena *arena, const Notes *notes, Intern *events, TransId t) {
  const TransNote *note = &notes->transitions[t.v];
  const AccessList accesses = notes_accesses(notes, t.v);
  const char *key = arena_format(arena, "%u %u %u %u %u", note->thread, note->pos.file, note->pos.line,
                                 note->pos.column, note->pos.function);
  for (uint32_t i = 0; i < accesses.n; i++)
    key = arena_format(arena, "%s %u.%u", key, accesses.at[i].object, (unsigned)accesses.at[i].mode);
  key = note->pos.line ? arena_format(arena, "%s %s", key, note->text) : arena_format(arena, "%s #%u", key, t.v);
  return (uint64_t)intern_add(events, key, strlen(key), NULL) + 1;
}

const char *net_steps_text(Arena *arena, const Net *net, TransId t) {
  const char *text = net->notes->transitions[t.v].text;
  return text_clean(arena, text[0] ? text : net->trans_name[t.v]);
}

void net_steps_fill(Arena *arena, const Net *net, TransId t, const Values *values, uint32_t i, Intern *events,
                    FindingStep *step) {
  const Notes *notes = net->notes;
  const AccessList accesses = notes_accesses(notes, t.v);
  step->place = words_place(arena, notes, notes->transitions[t.v].pos);
  step->text = net_steps_text(arena, net, t);
  step->values = values_phrase(arena, values, i);
  step->sets = values->sets + values->start[i];
  step->n_sets = values->start[i + 1] - values->start[i];
  step->accesses = accesses_of(arena, notes, accesses);
  step->n_accesses = accesses.n;
  step->event = event_number(arena, notes, events, t);
}
