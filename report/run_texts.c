#include "report/run_texts.h"

#include "base/intern.h"
#include "report/sources.h"

#include <string.h>

enum { LONGEST = 256 << 10, ROOM = 1 << 20 }; /* bytes: of a file, of all */

typedef struct {
  Sources *sources;
  Intern files;
  VEC(bool) fits; /* per file: it has all places so far */
} Seen;

/* An empty line has no events: then the file is another one, or was changed. */
static void see(Seen *seen, Heap *heap, const Place *place) {
  bool is_new;
  if (!place->file || !place->line) return;
  const uint32_t file = intern_add(&seen->files, place->file, strlen(place->file), &is_new);
  if (is_new) vec_push(heap, &seen->fits, true);
  seen->fits.at[file] &= sources_line(seen->sources, place->file, place->line, place->column).text != NULL;
}

static void see_all(const Report *report, Seen *seen) {
  Heap *heap = report->arena.heap;
  for (uint32_t i = 0; i < report_findings(report); i++) {
    Arena arena;
    arena_init(&arena, heap);
    const Finding finding = report_finding(report, &arena, i);
    see(seen, heap, &finding.place);
    for (uint32_t k = 0; k < finding.n_steps; k++) see(seen, heap, &finding.steps[k].place);
    arena_fini(&arena);
  }
}

static void add(const Seen *seen, Inputs *texts) {
  Heap *heap = texts->arena.heap;
  size_t room = ROOM;
  for (uint32_t i = 0; i < seen->fits.n; i++) {
    if (!seen->fits.at[i]) continue;
    const SourceLine text = sources_text(seen->sources, seen->files.strings.at[i]);
    if (text.length > LONGEST || text.length > room) continue;
    room -= text.length;
    vec_push(heap, &texts->texts,
             ((InputText){arena_copy(&texts->arena, seen->files.strings.at[i], seen->files.lengths.at[i]),
                          arena_copy(&texts->arena, text.text, text.length)}));
  }
}

void run_texts_add(const Report *report, Inputs *texts) {
  Heap *heap = report->arena.heap;
  if (!report->shows_sources) return;
  Seen seen = {.sources = sources_new(heap)};
  intern_init(&seen.files, heap);
  see_all(report, &seen);
  add(&seen, texts);
  vec_fini(heap, &seen.fits);
  intern_fini(&seen.files);
  sources_free(seen.sources);
}
