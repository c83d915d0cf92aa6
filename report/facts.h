/* facts.h: what only data formats show of an answer: an ordered tree of named values, made like JSON (base/json.h).
 *
 *     facts_open(facts, "stats", '{', JSON_ROW);
 *     facts_count(facts, "places", 31);
 *     facts_close(facts);
 *
 * In an object each value has a key, in a list none: the key is NULL there. Strings are not copied, and may have any
 * bytes. */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "base/arena.h"
#include "base/json.h"
#include "base/statistics.h"

typedef enum {
  FACT_NULL, FACT_BOOL, FACT_COUNT, FACT_NUMBER, FACT_STRING, FACT_COUNTS, FACT_LIST, FACT_OBJECT, FACT_KINDS
} FactKind;

typedef struct Fact Fact;
struct Fact {
  FactKind kind;
  JsonLayout layout; /* of FACT_LIST and FACT_OBJECT */
  const char *key;
  union {
    bool truth;
    uint64_t count;
    double number;
    const char *string;
    const uint64_t *counts; /* FACT_COUNTS: a list of n numbers, in the caller's memory */
    Fact *first;
  };
  uint64_t n;
  Fact *last, *next;
};

enum { FACTS_DEPTH = 16 };

typedef struct {
  Arena *arena;
  Fact root; /* an object */
  Fact *open[FACTS_DEPTH];
  uint32_t depth;
} Facts;

void facts_init(Facts *facts, Arena *arena);

/* '{' or '['; at most FACTS_DEPTH deep */
void facts_open(Facts *facts, const char *key, char bracket, JsonLayout layout);
void facts_close(Facts *facts);
void facts_string(Facts *facts, const char *key, const char *text); /* NULL is null */
void facts_count(Facts *facts, const char *key, uint64_t number);
void facts_number(Facts *facts, const char *key, double number);
void facts_bool(Facts *facts, const char *key, bool value);
void facts_null(Facts *facts, const char *key);
void facts_counts(Facts *facts, const char *key, const uint64_t *at, uint64_t n); /* a list of numbers, on one line */

/* The object "stats": a member for each row; "cut-offs" is "cutoffs" there. */
void facts_statistics(Facts *facts, const Statistic *at, uint32_t n);

/* The members of the root, into the object that is open. All of the tree is closed. */
void facts_write(const Facts *facts, Json *json);

#endif
