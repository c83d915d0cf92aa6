#include "tools/tracerec/choosing.h"

#include "distil/places.h"
#include "distil/roots.h"
#include "tools/tracerec/compiler.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CODE = 1 << 30 }; /* bytes */

typedef struct {
  Heap *heap;
  const char *program;
  Places *places;
  VEC(uint8_t) table;
  uint8_t bit; /* that is put in; */
  bool some;   /* it was */
  RawChoice *choice;
  Err *err;
} Making;

bool choosing_is_some(const Choosing *c) { return c->sample.n || c->below.n || c->start; }

static void put_bits(void *making, uint64_t from, uint64_t to) {
  Making *m = making;
  if (to > MOST_CODE) return;
  if (to > m->table.n) vec_resize_zeroed(m->heap, &m->table, (uint32_t)to);
  for (uint64_t i = from; i < to; i++) m->table.at[i] |= m->bit;
  m->some = true;
}

static void add_words(RawChoice *choice, const char *before, const char *text, size_t length) {
  const size_t used = strlen(choice->words);
  snprintf(choice->words + used, sizeof choice->words - used, "%s%.*s", before, (int)length, text);
}

static bool add_function(Making *m, const char *name, size_t length) {
  char text[SUGGEST_MOST + 2];
  Suggestion meant;
  m->some = false;
  places_each_function(m->places, name, length, put_bits, m);
  if (m->some) return true;
  snprintf(text, sizeof text, "%.*s", (int)length, name);
  places_suggest(m->places, text, &meant);
  return err_set(m->err, ERR_INPUT, "%s has no function %s%s", m->program, text, suggest_words(&meant));
}

/* Places have full paths, and so has the folder. */
static bool add_folder(Making *m, const char *name, size_t length) {
  char text[PATH_MAX], path[2 * PATH_MAX], here[PATH_MAX];
  snprintf(text, sizeof text, "%.*s", (int)length, name);
  if (!realpath(text, path)) {
    if (*text != '/' && !getcwd(here, sizeof here)) return err_set(m->err, ERR_IO, "the folder is not known");
    snprintf(path, sizeof path, "%s/%s", *text == '/' ? "" : here, text);
    roots_normalize(path);
  }
  m->some = false;
  places_each_line(m->places, path, put_bits, m);
  return m->some || err_set(m->err, ERR_INPUT, "%s has no code of source files below %s", m->program, text);
}

typedef bool Adder(Making *making, const char *name, size_t length);

static bool add_list(Making *m, RawChoiceBit bit, const OptionList *list, const char *words, Adder *add) {
  bool first = true;
  m->bit = (uint8_t)bit;
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',') {
      const size_t length = strcspn(at, ",");
      if (length && !add(m, at, length)) return false;
      if (length) add_words(m->choice, !first ? ", " : *m->choice->words ? "; " : "", "", 0);
      if (length) add_words(m->choice, first ? words : "", at, length), first = false, m->choice->wants |= bit;
      at += length;
    }
  return true;
}

static bool add_all(Making *m, const Choosing *c) {
  const char *start[] = {c->start};
  const OptionList starts = {start, c->start != NULL};
  return add_list(m, RAW_CHOICE_SAMPLE, &c->sample, "accesses in calls of ", add_function) &&
         add_list(m, RAW_CHOICE_START, &starts, "accesses after the first call of ", add_function) &&
         add_list(m, RAW_CHOICE_BELOW, &c->below, "accesses by code below ", add_folder);
}

static Places *open_program(Making *m) {
  char path[PATH_MAX], module[PATH_MAX + 64];
  struct stat status;
  if (!compiler_find(m->program, path) || stat(path, &status)) return NULL;
  m->choice->device = status.st_dev;
  m->choice->inode = status.st_ino;
  snprintf(module, sizeof module, "0 %llx %llx %s\n", (unsigned long long)status.st_size,
           (unsigned long long)status.st_mtim.tv_sec * 1000000000 + (unsigned long long)status.st_mtim.tv_nsec, path);
  return places_open(m->heap, module);
}

bool choosing_make(Heap *heap, const Choosing *c, const char *program, RawHeader *header, uint8_t **table, Err *err) {
  Making m = {.heap = heap, .program = program, .choice = &header->choice, .err = err};
  *table = NULL;
  if (!choosing_is_some(c)) return true;
  m.places = open_program(&m);
  if (!m.places) return err_set(err, ERR_INPUT, "%s: there is no such program", program);
  const bool good = add_all(&m, c);
  places_close(m.places);
  *table = m.table.at;
  header->choice.size = m.table.n;
  header->choice.chunks = (m.table.n + RAW_CHUNK - 1) / RAW_CHUNK;
  header->chunks = RAW_FIRST + header->choice.chunks;
  return good;
}
