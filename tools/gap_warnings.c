/* A program may access memory that is not known in hundreds of places, since one function is not known that returns an
 * address. So gaps are told by their cause: the place where the address comes from. */
#include "tools/gap_warnings.h"

#include "base/intern.h"
#include "petri/notes.h"

#include <stdio.h>
#include <string.h>

/* Of a kind so many causes are told, and of each of them so many places; of what has no cause some more places. */
enum { MOST_CAUSES = 8, MOST_OF_CAUSE = 3, MOST_ALIKE = 20 };

/* Gaps of which the same is said. */
typedef struct {
  const char *what;
  uint32_t n_causes;         /* that are told */
  uint32_t hidden, n_hidden; /* causes that are not told, and the places of all of them */
} Kind;

/* Those of a kind that have one cause, or none. */
typedef struct {
  const ProgramGap *first;
  uint32_t n, n_told;
  bool is_hidden;
} Alike;

typedef struct {
  Heap *heap;
  const Program *program;
  const char *path;
  bool all;
  Intern kind_names, keys;
  VEC(Kind) kinds;
  VEC(Alike) alike;
} Warnings;

static void put_place(const Warnings *w, const ProgramPlace *place) {
  fputs(w->program->files.at[place->file], stderr);
  if (place->line) fprintf(stderr, ":%u:%u", place->line, place->column);
}

static void tell(const Warnings *w, const ProgramGap *gap, bool with_cause) {
  put_place(w, &gap->place);
  fprintf(stderr, ": warning: %s: nothing can be proved\n", gap->what);
  if (!with_cause) return;
  put_place(w, &gap->from);
  fprintf(stderr, ": note: the address comes from here: %s\n", gap->cause);
}

static Kind *kind_of(Warnings *w, const char *what) {
  bool is_new;
  const uint32_t number = intern_add(&w->kind_names, what, strlen(what), &is_new);
  if (is_new) vec_push(w->heap, &w->kinds, ((Kind){.what = what}));
  return &w->kinds.at[number];
}

static bool same_place(const ProgramPlace *a, const ProgramPlace *b) {
  return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* It hides what there are too many causes of already. */
static Alike new_alike(const Warnings *w, Kind *kind, const ProgramGap *gap) {
  const bool hidden = gap->cause && !w->all && kind->n_causes == MOST_CAUSES;
  if (hidden) kind->hidden++;
  else if (gap->cause) kind->n_causes++;
  return (Alike){gap, 0, 0, hidden};
}

static Alike *alike_of(Warnings *w, const ProgramGap *gap) {
  char key[512];
  bool is_new;
  if (gap->cause) snprintf(key, sizeof key, "%u:%u:%u:%s", gap->from.file, gap->from.line, gap->from.column, gap->what);
  else snprintf(key, sizeof key, "%s", gap->what);
  const uint32_t number = intern_add(&w->keys, key, strlen(key), &is_new);
  if (is_new) vec_push(w->heap, &w->alike, new_alike(w, kind_of(w, gap->what), gap));
  return &w->alike.at[number];
}

static void warn_of(Warnings *w, const ProgramGap *gap) {
  Alike *alike = alike_of(w, gap);
  const uint32_t most = gap->cause ? MOST_OF_CAUSE : MOST_ALIKE;
  const bool told = w->all || (!alike->is_hidden && alike->n_told < most);
  if (told) tell(w, gap, gap->cause && !alike->n && !same_place(&gap->place, &gap->from));
  alike->n_told += told;
  alike->n++;
  if (alike->is_hidden) kind_of(w, gap->what)->n_hidden++;
}

static void tell_rest(const Warnings *w, const Alike *alike) {
  const uint32_t n = alike->n - alike->n_told;
  if (!n || alike->is_hidden) return;
  fprintf(stderr, "%s: warning: %u more place%s: %s", w->path, n, n == 1 ? "" : "s", alike->first->what);
  if (alike->first->cause) {
    fputs(": the address comes from ", stderr);
    put_place(w, &alike->first->from);
  }
  fputc('\n', stderr);
}

static void tell_hidden(const Warnings *w, const Kind *kind) {
  if (!kind->hidden) return;
  fprintf(stderr, "%s: warning: %u more place%s: %s: the addresses come from %u other place%s (-v tells each)\n",
          w->path, kind->n_hidden, kind->n_hidden == 1 ? "" : "s", kind->what, kind->hidden,
          kind->hidden == 1 ? "" : "s");
}

void gap_warnings_print(Heap *heap, const Program *program, const char *path, bool all) {
  Warnings w = {.heap = heap, .program = program, .path = path, .all = all};
  intern_init(&w.kind_names, heap);
  intern_init(&w.keys, heap);
  for (uint32_t i = 0; i < program->gaps.n; i++) {
    const ProgramGap *gap = &program->gaps.at[i];
    if (note_gap_waits(gap->what)) continue;  /* of every program */
    if (note_gap_copies(gap->what)) continue; /* which keeps no proof from being one */
    warn_of(&w, gap);
  }
  for (uint32_t i = 0; i < w.alike.n; i++) tell_rest(&w, &w.alike.at[i]);
  for (uint32_t i = 0; i < w.kinds.n; i++) tell_hidden(&w, &w.kinds.at[i]);
  intern_fini(&w.kind_names);
  intern_fini(&w.keys);
  vec_fini(heap, &w.kinds);
  vec_fini(heap, &w.alike);
}
