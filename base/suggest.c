#include "base/suggest.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FARTHEST = 3 };

typedef struct {
  uint32_t n;
  uint32_t letters[SUGGEST_MOST];
} Letters;

/* False for what is like none. */
static bool spell(const char *name, Letters *letters) {
  const size_t length = strlen(name);
  if (length > SUGGEST_MOST) return false;
  letters->n = 0;
  for (size_t i = 0; i < length;) {
    uint32_t point;
    const uint32_t bytes = utf8_decode(name + i, length - i, &point);
    if (!bytes || point < 0x20 || (point >= 0x7f && point < 0xa0)) return false;
    letters->letters[letters->n++] = point >= 'A' && point <= 'Z' ? point - 'A' + 'a' : point;
    i += bytes;
  }
  return true;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Row i of the table of distances, between the first i letters of `a` and the first j of `b`, from the two rows before
 * it. Returns the least of the row. */
static uint32_t fill_row(const Letters *a, const Letters *b, uint32_t i, uint32_t rows[3][SUGGEST_MOST + 1]) {
  uint32_t *row = rows[i % 3];
  const uint32_t *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
  uint32_t smallest = row[0] = i;
  for (uint32_t j = 1; j <= b->n; j++) {
    const bool equal = a->letters[i - 1] == b->letters[j - 1];
    row[j] = least(above[j - 1] + !equal, least(above[j], row[j - 1]) + 1);
    if (i > 1 && j > 1 && a->letters[i - 1] == b->letters[j - 2] && a->letters[i - 2] == b->letters[j - 1])
      row[j] = least(row[j], second[j - 2] + 1);
    smallest = least(smallest, row[j]);
  }
  return smallest;
}

/* Or anything beyond FARTHEST, as soon as it is known to be: two rows in which all is lead to no others. */
static uint32_t distance(const Letters *a, const Letters *b) {
  uint32_t rows[3][SUGGEST_MOST + 1], before = 0;
  for (uint32_t j = 0; j <= b->n; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= a->n; i++) {
    const uint32_t smallest = fill_row(a, b, i, rows);
    if (least(smallest, before) > FARTHEST) return FARTHEST + 1;
    before = smallest;
  }
  return rows[a->n % 3][b->n];
}

Suggestion suggest_for(const char *wrong) { return (Suggestion){.wrong = wrong}; }

void suggest_offer(Suggestion *suggestion, const char *name) {
  Letters wrong, right;
  if (!*name || !strcmp(name, suggestion->wrong) || !spell(suggestion->wrong, &wrong) || !spell(name, &right)) return;
  const uint32_t longer = wrong.n > right.n ? wrong.n : right.n, found = distance(&wrong, &right);
  if (found > least(longer / 3, FARTHEST) || (suggestion->best[0] && found >= suggestion->distance)) return;
  suggestion->distance = found;
  strcpy(suggestion->best, name);
}

const char *suggest_words(Suggestion *suggestion) {
  if (suggestion->best[0])
    snprintf(suggestion->words, sizeof suggestion->words, "; did you mean '%s'?", suggestion->best);
  return suggestion->words;
}
