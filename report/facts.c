#include "report/facts.h"

#include <assert.h>

void facts_init(Facts *facts, Arena *arena) { *facts = (Facts){.arena = arena, .root = {.kind = FACT_OBJECT}}; }

static Fact *add(Facts *facts, const char *key, FactKind kind) {
  Fact *parent = facts->depth ? facts->open[facts->depth - 1] : &facts->root;
  assert((parent->kind == FACT_OBJECT) == (key != NULL));
  Fact *fact = arena_zeroed(facts->arena, 1, sizeof *fact);
  fact->kind = kind;
  fact->key = key;
  if (parent->last) parent->last->next = fact;
  else parent->first = fact;
  parent->last = fact;
  return fact;
}

void facts_open(Facts *facts, const char *key, char bracket, JsonLayout layout) {
  assert(facts->depth < FACTS_DEPTH && (bracket == '{' || bracket == '['));
  Fact *fact = add(facts, key, bracket == '{' ? FACT_OBJECT : FACT_LIST);
  fact->layout = layout;
  facts->open[facts->depth++] = fact;
}

void facts_close(Facts *facts) {
  assert(facts->depth > 0);
  facts->depth--;
}

void facts_string(Facts *facts, const char *key, const char *text) { add(facts, key, FACT_STRING)->string = text; }
void facts_count(Facts *facts, const char *key, uint64_t number) { add(facts, key, FACT_COUNT)->count = number; }
void facts_number(Facts *facts, const char *key, double number) { add(facts, key, FACT_NUMBER)->number = number; }
void facts_bool(Facts *facts, const char *key, bool value) { add(facts, key, FACT_BOOL)->truth = value; }
void facts_null(Facts *facts, const char *key) { add(facts, key, FACT_NULL); }

void facts_counts(Facts *facts, const char *key, const uint64_t *at, uint64_t n) {
  Fact *fact = add(facts, key, FACT_COUNTS);
  fact->counts = at;
  fact->n = n;
}

/* The name without what no key has. */
static const char *key_of(Arena *arena, const char *name) {
  char *key = arena_format(arena, "%s", name), *to = key;
  for (const char *at = key; *at; at++)
    if (*at != '-') *to++ = (char)(*at == ' ' ? '_' : *at);
  *to = '\0';
  return key;
}

void facts_statistics(Facts *facts, const Statistic *at, uint32_t n) {
  facts_open(facts, "stats", '{', JSON_ROW);
  for (uint32_t i = 0; i < n; i++) {
    const char *key = key_of(facts->arena, at[i].name);
    if (at[i].unit == STATISTIC_TIME) facts_number(facts, key, at[i].seconds);
    else facts_count(facts, key, at[i].count);
  }
  facts_close(facts);
}

/* ---- as JSON ---- */

static void write_value(const Fact *fact, Json *json);

static void write_members(const Fact *parent, Json *json) {
  for (const Fact *fact = parent->first; fact; fact = fact->next) {
    if (fact->key) json_key(json, fact->key);
    write_value(fact, json);
  }
}

static void write_counts(const Fact *fact, Json *json) {
  json_open(json, '[', JSON_ROW);
  for (uint64_t i = 0; i < fact->n; i++) json_count(json, fact->counts[i]);
  json_close(json);
}

static void write_value(const Fact *fact, Json *json) {
  assert((unsigned)fact->kind < FACT_KINDS);
  switch (fact->kind) {
  case FACT_NULL: json_null(json); break;
  case FACT_BOOL: json_bool(json, fact->truth); break;
  case FACT_COUNT: json_count(json, fact->count); break;
  case FACT_NUMBER: json_number(json, fact->number); break;
  case FACT_STRING: json_string(json, fact->string); break;
  case FACT_COUNTS: write_counts(fact, json); break;
  case FACT_LIST:
  case FACT_OBJECT:
    json_open(json, fact->kind == FACT_LIST ? '[' : '{', fact->layout);
    write_members(fact, json);
    json_close(json);
    break;
  case FACT_KINDS: break;
  }
}

void facts_write(const Facts *facts, Json *json) {
  assert(facts->depth == 0);
  write_members(&facts->root, json);
}
