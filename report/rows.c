#include "report/rows.h"

#include <assert.h>
#include <string.h>

enum {
  LONGEST_TURN = 32, /* steps */
  FEWEST_TURNS = 3   /* of a loop that is worth folding, with the one that is shown */
};

typedef struct {
  const Finding *finding;
  bool *needed; /* per step: it matters, or is an end of an edge of the chain */
  bool *pinned; /* per step: needed, or an end of another edge that is drawn */
} Choice;

static void pin_steps(Choice *choice) {
  const Finding *finding = choice->finding;
  for (uint32_t i = 0; i < finding->n_steps; i++) choice->needed[i] = choice->pinned[i] = finding->steps[i].matters;
  for (uint32_t i = 0; i < finding->n_edges; i++) {
    const FindingEdge *edge = &finding->edges[i];
    assert(edge->from < edge->to && edge->to < finding->n_steps);
    const bool chain = edge->kind == EDGE_CHAIN,
               drawn = chain || finding->steps[edge->from].thread != finding->steps[edge->to].thread;
    const uint32_t ends[] = {edge->from, edge->to};
    for (uint32_t k = 0; k < 2; k++) {
      choice->needed[ends[k]] |= chain;
      choice->pinned[ends[k]] |= drawn;
    }
  }
}

/* ---- loops ---- */

static bool same_step(const FindingStep *a, const FindingStep *b) {
  return a->thread == b->thread && a->place.line == b->place.line && !strcmp(a->text, b->text);
}

/* How many turns of `length` steps after the one that starts at a step only repeat it. */
static uint32_t count_turns(const Choice *choice, uint32_t start, uint32_t length) {
  const FindingStep *steps = choice->finding->steps;
  uint32_t end = start + length;
  while (end < choice->finding->n_steps && !choice->pinned[end] && same_step(&steps[end], &steps[end - length])) end++;
  return (end - start) / length - 1;
}

/* The fold that takes away most steps of those after one turn from a step on; `turns` is 0 if there is none. */
static Row find_fold(const Choice *choice, uint32_t start) {
  const uint32_t left = choice->finding->n_steps - start;
  Row best = {0};
  for (uint32_t length = 1; length <= LONGEST_TURN && length <= left / FEWEST_TURNS; length++) {
    const uint32_t turns = count_turns(choice, start, length);
    if (turns + 1 >= FEWEST_TURNS && turns * length > best.turns * best.length)
      best = (Row){start + length, turns, length, 0};
  }
  return best;
}

static void fold_loops(const Choice *choice, Rows *rows) {
  uint32_t i = 0;
  while (i < choice->finding->n_steps) {
    const Row fold = find_fold(choice, i);
    for (const uint32_t end = fold.turns ? fold.step : i + 1; i < end; i++) rows->rows[rows->n++] = (Row){.step = i};
    if (!fold.turns) continue;
    rows->rows[rows->n++] = fold;
    i = fold.step + fold.turns * fold.length;
  }
}

/* ---- what matters, and pages ---- */

/* Threads with a pinned step; where there is none, all. */
static bool *find_busy(Arena *arena, const Choice *choice) {
  const Finding *finding = choice->finding;
  bool *busy = arena_zeroed(arena, finding->n_threads, sizeof *busy), some = false;
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    busy[finding->steps[i].thread] |= choice->pinned[i];
    some |= choice->pinned[i];
  }
  for (uint32_t t = 0; t < finding->n_threads; t++) busy[t] |= !some;
  return busy;
}

static uint32_t row_steps(const Row *row) { return row->turns ? row->length : 1; }

/* Is a step of the row, or of one turn of a fold, of such a thread? */
static bool is_busy(const Choice *choice, const bool *busy, const Row *row) {
  bool is = false;
  for (uint32_t k = 0; k < row_steps(row); k++) is |= busy[choice->finding->steps[row->step + k].thread];
  return is;
}

/* All threads of a loop are busy if one is. True if that is news. */
static bool spread_busy(const Choice *choice, bool *busy, const Row *row) {
  bool news = false;
  for (uint32_t k = 0; k < row->length && is_busy(choice, busy, row); k++) {
    bool *of = &busy[choice->finding->steps[row->step + k].thread];
    news |= !*of;
    *of = true;
  }
  return news;
}

/* Leaves out the threads that have nothing to do with the others. */
static void keep_busy(Arena *arena, const Choice *choice, Rows *rows) {
  bool *busy = find_busy(arena, choice);
  for (bool news = true; news;) {
    news = false;
    for (uint32_t i = 0; i < rows->n; i++) news |= rows->rows[i].turns && spread_busy(choice, busy, &rows->rows[i]);
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < rows->n; i++)
    if (is_busy(choice, busy, &rows->rows[i])) rows->rows[n++] = rows->rows[i];
  rows->n = n;
}

/* Where nothing is needed, nothing can be left out. */
static void keep_needed(const Choice *choice, Rows *rows) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < rows->n; i++)
    if (!rows->rows[i].turns && choice->needed[rows->rows[i].step]) rows->rows[n++] = rows->rows[i];
  if (n > 0) rows->n = n;
}

static void count_left_out(const Finding *finding, Rows *rows) {
  rows->steps = finding->n_steps;
  rows->threads = finding->n_threads;
  for (uint32_t i = 0; i < rows->n; i++) {
    const Row *row = &rows->rows[i];
    const uint32_t thread = finding->steps[row->step].thread;
    rows->steps -= row->turns ? row->turns * row->length : 1;
    rows->threads -= !rows->shown[thread];
    rows->shown[thread] = true;
  }
}

/* Pages of about the same length. */
static void number_pages(Rows *rows) {
  rows->n_pages = rows->n / ROWS_PAGE + (rows->n % ROWS_PAGE > 0);
  for (uint32_t i = 0; i < rows->n; i++) rows->rows[i].page = (uint32_t)((uint64_t)i * rows->n_pages / rows->n);
}

Rows rows_choose(Arena *arena, const Finding *finding) {
  Rows rows = {0};
  Choice choice = {.finding = finding};
  rows.rows = arena_zeroed(arena, finding->n_steps, sizeof *rows.rows);
  rows.shown = arena_zeroed(arena, finding->n_threads, sizeof *rows.shown);
  choice.needed = arena_zeroed(arena, finding->n_steps, sizeof *choice.needed);
  choice.pinned = arena_zeroed(arena, finding->n_steps, sizeof *choice.pinned);
  pin_steps(&choice);
  fold_loops(&choice, &rows);
  keep_busy(arena, &choice, &rows);
  if (rows.n > ROWS_WHOLE) keep_needed(&choice, &rows);
  count_left_out(finding, &rows);
  number_pages(&rows);
  return rows;
}
