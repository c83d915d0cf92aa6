/* What kind a mutex is of is said by an attribute when it is made, or by the bytes that an initialiser puts into it:
 * those of the program's start, or what is assigned, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP or a structure with one, as
 * a constructor of C++ does, too. So all is looked for that may have been stored there, back through copies. The kind
 * that is known says what happens; of several kinds, a recursive lock has all runs that a plain one has: where a plain
 * one would wait for itself, it goes on.
 *
 * A mutex is not copied once it has been made, nor is anything else put into it (POSIX, "Synchronization Object Copies
 * and Alternative Mappings"). So what is stored at places that are not known, as by an index in an array beside it, or
 * copied in unknown numbers, makes none. */
#include "frontend/c/kinds.h"

#include <string.h>

/* Sets of them. */
enum { IS_PLAIN = 1, IS_RECURSIVE = 2, IS_ODD = 4 };

/* glibc's __kind: the fifth word. */
enum { KIND_AT = 16, KIND_SIZE = 4, MUTEX_SIZE = 40 };

/* Something that is written; `from` is that of the object, or OFFSET_ANY. */
typedef struct {
  uint32_t object, from, context, number;
} Writing;

typedef struct {
  uint32_t object;
  uint64_t at;
} Word;

typedef struct {
  Cells *cells;
  Points *points;
  const CModule *module;
  VEC(Writing) writings;
  VEC(Word) words; /* of the lock that is asked for: the first one, and those that may be copied there */
} Kinds;

static const CInstruction *instruction(const Kinds *k, uint32_t number) { return &k->module->instructions.at[number]; }

/* PTHREAD_MUTEX_NORMAL, RECURSIVE, ERRORCHECK and ADAPTIVE_NP of glibc are 0 to 3; what else is in the word are flags.
 */
static unsigned kind_of(int64_t word) { return word == 0 || word == 3 ? IS_PLAIN : word == 1 ? IS_RECURSIVE : IS_ODD; }

/* ---- what is written ---- */

static void note_writing(Kinds *k, uint32_t context, uint32_t number, uint32_t operand) {
  const U32Vec set = points_of(k->points, context, instruction(k, number), operand);
  for (uint32_t i = 0; i < set.n; i++) {
    const CTarget t = k->points->targets.at[set.at[i]];
    vec_push(k->cells->heap, &k->writings, ((Writing){t.object, t.offset, context, number}));
  }
}

static void note_writings(Kinds *k) {
  for (PointsWalk at = {0}; points_next(k->points, &at);) {
    const CKind kind = instruction(k, at.number)->kind;
    if (kind == C_STORE) note_writing(k, at.context, at.number, 1);
    if (kind == C_COPY || kind == C_FILL) note_writing(k, at.context, at.number, 0);
  }
}

/* ---- which kinds a word of memory may be ---- */

/* Bytes `from` to `from` + `size` with that number in them: what they make of the word at `at`. */
static unsigned kind_in(uint64_t from, uint64_t size, bool known, int64_t number, uint64_t at) {
  const bool whole = from <= at && at + KIND_SIZE <= from + size && size <= 8;
  if (from >= at + KIND_SIZE || from + size <= at || (known && !number)) return 0;
  return known && whole ? kind_of((int64_t)((uint64_t)number >> 8 * (at - from) & UINT32_MAX)) : IS_ODD;
}

/* What is defined somewhere else may be of any kind; an error-checking lock is not taken again, since that fails. */
static unsigned kind_at_start(const Kinds *k, const CObject *o, uint64_t at) {
  unsigned kinds = 0;
  if (o->kind != OBJECT_GLOBAL) return 0;
  const CGlobal *g = &k->module->globals.at[o->n];
  if (!g->is_defined) return IS_PLAIN | IS_RECURSIVE;
  for (uint32_t i = 0; i < g->n_initials; i++) {
    const CInitial *initial = &k->module->initials.at[g->initials + i];
    if (points_part(k->points, OBJECT_GLOBAL, o->n, (int64_t)initial->offset) != o->part) continue;
    const uint64_t from = o->stride ? o->start + (initial->offset - o->start) % o->stride : initial->offset;
    kinds |= kind_in(from, initial->size, initial->value.kind == C_INTEGER, initial->value.number, at);
  }
  return kinds;
}

/* A word of memory that was looked at, or is to be. */
static void look_at(Kinds *k, uint32_t object, uint64_t at) {
  for (uint32_t i = 0; i < k->words.n; i++)
    if (k->words.at[i].object == object && k->words.at[i].at == at) return;
  vec_push(k->cells->heap, &k->words, ((Word){object, at}));
}

/* Of a copy, from wherever it comes: the word that comes to `at`, which is `shift` behind its first byte, is to be
 * looked at. */
static unsigned kind_of_copy(Kinds *k, const Writing *w, uint64_t shift) {
  const U32Vec set = points_of(k->points, w->context, instruction(k, w->number), 1);
  unsigned kinds = set.n ? 0 : IS_ODD;
  for (uint32_t i = 0; i < set.n; i++) {
    const CTarget t = k->points->targets.at[set.at[i]];
    if (t.offset == OFFSET_ANY) kinds |= IS_ODD;
    else look_at(k, t.object, t.offset + shift);
  }
  return kinds;
}

/* Where the place is not known, a copy of something as large as a mutex may be one into an element of an array. */
static unsigned kind_of_writing(Kinds *k, const Writing *w, uint64_t at) {
  const CInstruction *i = instruction(k, w->number);
  const bool any = w->from == OFFSET_ANY, whole = i->kind != C_STORE && i->size >= MUTEX_SIZE;
  const uint64_t start = k->points->objects.at[w->object].start;
  const uint64_t from = any ? at - (at - start) % (whole ? i->size : 1) : w->from;
  int64_t number = 0;
  if ((any && !whole) || from >= at + KIND_SIZE || from + i->size <= at) return 0;
  if (i->kind == C_COPY) return at < from ? IS_ODD : kind_of_copy(k, w, at - from);
  const bool known = cells_constant(k->module, cmodule_operand(k->module, i, i->kind == C_FILL), &number);
  return i->kind == C_FILL ? (known && !number ? 0 : IS_ODD) : kind_in(from, i->size, known, number, at);
}

static unsigned kind_of_word(Kinds *k, Word word) {
  const CObject *o = &k->points->objects.at[word.object];
  if (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_STACK && o->kind != OBJECT_HEAP) return IS_ODD;
  unsigned kinds = kind_at_start(k, o, word.at);
  for (uint32_t i = 0; i < k->writings.n && !(kinds & IS_ODD); i++)
    if (k->writings.at[i].object == word.object) kinds |= kind_of_writing(k, &k->writings.at[i], word.at);
  return kinds;
}

/* With all words from which it may be copied; of very many that is not known. */
static unsigned kind_at(Kinds *k, uint32_t object, uint64_t at) {
  enum { MOST_WORDS = 1000 };
  unsigned kinds = 0;
  vec_clear(&k->words);
  look_at(k, object, at);
  for (uint32_t i = 0; i < k->words.n && !(kinds & IS_ODD); i++)
    kinds |= i < MOST_WORDS ? kind_of_word(k, k->words.at[i]) : (unsigned)IS_ODD;
  return kinds;
}

/* ---- which kinds an attribute may say ---- */

static bool may_be_same(Points *p, const U32Vec *a, uint32_t context, const CInstruction *call) {
  const U32Vec b = points_of(p, context, call, 1);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < b.n; j++)
      if (p->targets.at[a->at[i]].object == p->targets.at[b.at[j]].object) return true;
  return false;
}

/* What the calls that make attributes say of one of these. One that nobody makes is odd. */
static unsigned kind_of_attribute(Kinds *k, const U32Vec *attribute) {
  unsigned kinds = 0;
  for (PointsWalk at = {0}; points_next(k->points, &at);) {
    const CInstruction *i = instruction(k, at.number);
    const Effect *effect = i->kind == C_CALL ? points_library(k->points, at.context, i) : NULL;
    const bool init = effect && strcmp(effect->name, "pthread_mutexattr_init") == 0;
    const bool type = effect && strcmp(effect->name, "pthread_mutexattr_settype") == 0;
    int64_t number;
    if ((!init && !type) || !may_be_same(k->points, attribute, at.context, i)) continue;
    const bool known = init || cells_constant(k->module, cmodule_operand(k->module, i, 2), &number);
    kinds |= init ? IS_PLAIN : known ? kind_of(number) : IS_ODD;
  }
  return kinds ? kinds : IS_ODD;
}

/* ---- all locks ---- */

static void add_kinds(Kinds *k, CCell *cell, unsigned kinds) {
  if (kinds & IS_ODD || (kinds & IS_RECURSIVE && k->points->objects.at[cell->object].instances)) cell->is_vague = true;
  else if (kinds & IS_RECURSIVE) cell->is_recursive = true;
}

/* A lock that is made by a call. */
static void see_making(Kinds *k, uint32_t context, uint32_t number) {
  const CInstruction *i = instruction(k, number);
  int64_t null;
  if (i->n_operands < 3 || (cells_constant(k->module, cmodule_operand(k->module, i, 2), &null) && !null)) return;
  U32Vec attribute = {0};
  const U32Vec set = points_of(k->points, context, i, 2);
  for (uint32_t j = 0; j < set.n; j++) vec_push(k->cells->heap, &attribute, set.at[j]);
  const unsigned kinds = kind_of_attribute(k, &attribute);
  const U32Vec made = points_of(k->points, context, i, 1);
  for (uint32_t j = 0; j < made.n; j++)
    for (uint32_t c = 0; c < k->cells->cells.n; c++)
      if (cells_may_be_at(&k->cells->cells.at[c], k->points->targets.at[made.at[j]]))
        add_kinds(k, &k->cells->cells.at[c], kinds);
  vec_fini(k->cells->heap, &attribute);
}

static void see_makings(Kinds *k) {
  for (PointsWalk at = {0}; points_next(k->points, &at);) {
    const CInstruction *i = instruction(k, at.number);
    const Effect *effect = i->kind == C_CALL ? points_library(k->points, at.context, i) : NULL;
    if (effect && effect->kind == CALL_LOCK_INIT) see_making(k, at.context, at.number);
  }
}

void kinds_find(Cells *cells) {
  Kinds k = {.cells = cells, .points = cells->points, .module = cells->points->module};
  note_writings(&k);
  see_makings(&k);
  for (uint32_t c = 0; c < cells->cells.n; c++) {
    CCell *cell = &cells->cells.at[c];
    if (cell_is_lock(cell)) add_kinds(&k, cell, kind_at(&k, cell->object, cell->from + KIND_AT));
  }
  vec_fini(cells->heap, &k.writings);
  vec_fini(cells->heap, &k.words);
}
