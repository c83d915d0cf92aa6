#include "distil/wanted.h"

#include "base/intern.h"
#include "base/suggest.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

static const char ALL[] = "all-functions", EVERY[] = "all-calls";

typedef struct {
  const char *at;
  uint32_t length;
  bool called;
} Name;

typedef VEC(Name) NameVec;

struct Wanted {
  Heap *heap;
  NameVec atomic, except;
  bool all_functions; /* is one of `atomic`, */
  bool all_calls;     /* or this */
  Intern functions;   /* that were called */
};

/* The elements of the list, each of which may be several with commas. */
static void add_names(Heap *heap, const OptionList *list, NameVec *names) {
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',') {
      const Name name = {at, (uint32_t)strcspn(at, ","), false};
      if (name.length) vec_push(heap, names, name);
      at += name.length;
    }
}

static bool call(NameVec *names, const char *name, size_t length) {
  for (uint32_t i = 0; i < names->n; i++)
    if (names->at[i].length == length && memcmp(names->at[i].at, name, length) == 0) return names->at[i].called = true;
  return false;
}

Wanted *wanted_new(Heap *heap, const OptionList *atomic, const OptionList *except) {
  Wanted *c = heap_zeroed(heap, sizeof *c);
  c->heap = heap;
  intern_init(&c->functions, heap);
  add_names(heap, atomic, &c->atomic);
  add_names(heap, except, &c->except);
  c->all_functions = call(&c->atomic, ALL, strlen(ALL));
  c->all_calls = call(&c->atomic, EVERY, strlen(EVERY));
  return c;
}

void wanted_free(Wanted *c) {
  if (!c) return;
  vec_fini(c->heap, &c->atomic);
  vec_fini(c->heap, &c->except);
  intern_fini(&c->functions);
  heap_release(c->heap, c);
}

bool wanted_has(Wanted *c, const char *name, size_t length, bool starts) {
  intern_add(&c->functions, name, length, NULL);
  const bool all = (c->all_calls || (c->all_functions && !starts)) && !call(&c->except, name, length);
  return call(&c->atomic, name, length) || all;
}

/* " (did you mean 'deposit'?)", or "". */
static void write_meant(const Wanted *c, const Name *name, char *text, size_t size) {
  char wrong[SUGGEST_MOST + 2];
  snprintf(wrong, sizeof wrong, "%.*s", (int)name->length, name->at);
  Suggestion meant = suggest_for(wrong);
  suggest_offer(&meant, ALL);
  suggest_offer(&meant, EVERY);
  for (uint32_t i = 0; i < c->functions.strings.n; i++) suggest_offer(&meant, c->functions.strings.at[i]);
  *text = '\0';
  if (meant.best[0]) snprintf(text, size, " (did you mean '%s'?)", meant.best);
}

/* "deposti (did you mean 'deposit'?), withdraw" */
char *wanted_missing(const Wanted *c) {
  char meant[SUGGEST_MOST + 32];
  CharVec text = {0};
  for (uint32_t i = 0; i < c->atomic.n; i++) {
    const Name *name = &c->atomic.at[i];
    if (name->called) continue;
    write_meant(c, name, meant, sizeof meant);
    vec_reserve(c->heap, &text, name->length + strlen(meant) + (size_t)3);
    if (text.n) text.at[text.n++] = ',', text.at[text.n++] = ' ';
    memcpy(text.at + text.n, name->at, name->length);
    text.n += name->length;
    strcpy(text.at + text.n, meant);
    text.n += (uint32_t)strlen(meant);
  }
  return text.at;
}
