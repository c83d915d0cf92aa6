/* As a linker takes objects out of an archive. A file that nobody needs may be linked nevertheless, as an object that
 * is named. That makes a difference only if it does something by itself, in constructors, or defines what another file
 * defines weakly: these are omissions. */
#include "tools/needed.h"

#include "base/intern.h"
#include "frontend/c/bitcode.h"

#include <string.h>

enum { NO_FILE = UINT32_MAX };

/* Of a name: which files define it. */
typedef struct {
  uint32_t strong, other, soft; /* files, or NO_FILE: the first two that define it, and the first that does so weakly */
  bool is_there;                /* a file that is kept defines it */
  uint32_t by;                  /* a file that is kept and needs it, or NO_FILE */
  uint32_t weakly;              /* a file that is kept and defines it weakly, or NO_FILE */
} Name;

typedef struct {
  Heap *heap;
  const InFiles *files;
  VEC(BitcodeSymbols) symbols; /* of each file */
  Intern names;
  VEC(Name) rows; /* of each name */
  U32Vec work;    /* files whose needs are to be looked at */
  bool *kept;
} Choice;

static Name *row_of(Choice *c, const char *name) {
  bool is_new;
  const uint32_t number = intern_add(&c->names, name, strlen(name), &is_new);
  if (is_new) vec_push(c->heap, &c->rows, ((Name){NO_FILE, NO_FILE, NO_FILE, false, NO_FILE, NO_FILE}));
  return &c->rows.at[number];
}

static void define(Choice *c, uint32_t file) {
  const BitcodeSymbols *symbols = &c->symbols.at[file];
  for (uint32_t i = 0; i < symbols->all.n; i++) {
    Name *row = row_of(c, symbols->all.at[i].name);
    const BitcodeSymbolKind kind = symbols->all.at[i].kind;
    if (kind == SYMBOL_DEFINED && row->strong == NO_FILE) row->strong = file;
    else if (kind == SYMBOL_DEFINED && row->other == NO_FILE) row->other = file;
    else if ((kind == SYMBOL_WEAK || kind == SYMBOL_ALIKE) && row->soft == NO_FILE) row->soft = file;
  }
}

static void keep(Choice *c, uint32_t file) {
  if (c->kept[file]) return;
  c->kept[file] = true;
  vec_push(c->heap, &c->work, file);
}

/* If several define it, one of them may be kept for another reason. */
static void need(Choice *c, Name *row, uint32_t file) {
  if (row->by != NO_FILE) return;
  row->by = file;
  if (row->strong == NO_FILE && row->soft != NO_FILE) keep(c, row->soft);
  if (row->strong != NO_FILE && row->other == NO_FILE) keep(c, row->strong);
}

static void look_at(Choice *c, uint32_t file) {
  const BitcodeSymbols *symbols = &c->symbols.at[file];
  for (uint32_t i = 0; i < symbols->all.n; i++) {
    Name *row = row_of(c, symbols->all.at[i].name);
    const BitcodeSymbolKind kind = symbols->all.at[i].kind;
    if (kind == SYMBOL_NEEDED) need(c, row, file);
    else row->is_there = true;
    if (kind == SYMBOL_WEAK) row->weakly = file;
  }
}

static bool is_clear(const Choice *c, Err *err) {
  for (uint32_t i = 0; i < c->rows.n; i++) {
    const Name *row = &c->rows.at[i];
    if (row->by != NO_FILE && !row->is_there && row->strong != NO_FILE)
      return err_set(err, ERR_INPUT, "%.200s and %.200s: both define '%.100s', which %.200s needs",
                     c->files->at[row->strong].name, c->files->at[row->other].name, c->names.strings.at[i],
                     c->files->at[row->by].name);
  }
  return true;
}

/* Those of files that are left out say nothing any more. */
static void drop_omissions(const Choice *c, Omissions *omissions) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < omissions->n; k++) {
    bool is_left_out = false;
    for (uint32_t i = 0; i < c->files->n; i++)
      is_left_out |= !c->kept[i] && strcmp(c->files->at[i].name, omissions->at[k].file) == 0;
    if (!is_left_out) omissions->at[n++] = omissions->at[k];
  }
  omissions->n = n;
}

static void tell_omissions(Choice *c, Omissions *omissions) {
  for (uint32_t i = 0; i < c->files->n; i++)
    if (!c->kept[i] && c->symbols.at[i].is_run)
      vec_push(c->heap, omissions,
               ((COmission){c->files->at[i].name, "is left out, and has constructors or destructors"}));
  for (uint32_t i = 0; i < c->rows.n; i++) {
    const Name *row = &c->rows.at[i];
    if (row->weakly != NO_FILE && row->strong != NO_FILE && !c->kept[row->strong])
      vec_push(c->heap, omissions,
               ((COmission){c->files->at[row->strong].name, "is left out, and defines what is defined weakly"}));
  }
}

static bool read_all(Choice *c, Err *err) {
  for (uint32_t i = 0; i < c->files->n; i++) {
    vec_push(c->heap, &c->symbols, (BitcodeSymbols){0});
    if (!bitcode_symbols(c->heap, &c->files->at[i], &vec_last(&c->symbols), err)) return false;
    define(c, i);
  }
  return true;
}

static bool choose(Choice *c, uint32_t from, uint32_t main, Err *err) {
  if (!read_all(c, err)) return false;
  for (uint32_t i = 0; i < from; i++) keep(c, i);
  keep(c, main);
  while (c->work.n) look_at(c, c->work.at[--c->work.n]);
  return is_clear(c, err);
}

bool needed_keep(Heap *heap, InFiles *files, uint32_t from, uint32_t main, Omissions *omissions, Err *err) {
  Choice c = {.heap = heap, .files = files, .kept = heap_zeroed(heap, files->n)};
  uint32_t n = 0;
  intern_init(&c.names, heap);
  const bool good = choose(&c, from, main, err);
  if (good) {
    drop_omissions(&c, omissions);
    tell_omissions(&c, omissions);
    for (uint32_t i = 0; i < c.symbols.n; i++)
      if (c.kept[i]) files->at[n++] = files->at[i];
    files->n = n;
  }
  for (uint32_t i = 0; i < c.symbols.n; i++) vec_fini(heap, &c.symbols.at[i].all);
  vec_fini(heap, &c.symbols);
  vec_fini(heap, &c.rows);
  vec_fini(heap, &c.work);
  intern_fini(&c.names);
  heap_release(heap, c.kept);
  return good;
}
