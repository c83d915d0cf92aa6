/* Pictures of findings: which steps they show, where all things stand, and that nothing overlaps. */
#include "report/picture.h"

#include "base/hash.h"
#include "report/layout.h"
#include "report/measure.h"
#include "report/rows.h"
#include "report/values.h"
#include "tests/unit/hand_net.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings by hand ---- */

enum { MOST_THREADS = 16, MOST_STEPS = 2100, MOST_EDGES = 200 };

typedef struct {
  Heap *heap;
  Arena arena;
  Finding finding;
  const char *frames[MOST_THREADS]; /* that of a thread */
  FindingThread threads[MOST_THREADS];
  FindingStep steps[MOST_STEPS];
  FindingEdge edges[MOST_EDGES];
} Case;

static Case *start_case(void) {
  Case *c = calloc(1, sizeof *c);
  c->heap = heap_new(0);
  arena_init(&c->arena, c->heap);
  c->frames[0] = "block 'deposit'";
  c->finding = (Finding){.level = LEVEL_ERROR,
                         .place = {.file = "bank/account.c", .line = 3},
                         .message = "block 'deposit' is not atomic",
                         .frames = c->frames,
                         .n_frames = 1,
                         .threads = c->threads,
                         .steps = c->steps,
                         .edges = c->edges};
  return c;
}

static void end_case(Case *c) {
  arena_fini(&c->arena);
  CU_ASSERT_EQUAL(heap_used(c->heap), 0);
  heap_free(c->heap);
  free(c);
}

static void add_threads(Case *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    c->threads[c->finding.n_threads++] = (FindingThread){.name = arena_format(&c->arena, "T%u", i + 1)};
}

/* Of a thread: "Y := 5". Returns its number. */
static uint32_t add_step(Case *c, uint32_t thread, const char *text, FindingRole role, bool matters) {
  CU_ASSERT_FATAL(c->finding.n_steps < MOST_STEPS);
  const uint32_t number = c->finding.n_steps++;
  c->steps[number] = (FindingStep){.thread = thread,
                                   .place = {.file = "bank/account.c", .line = 10},
                                   .text = text,
                                   .role = role,
                                   .matters = matters,
                                   .frame = role == FINDING_BEFORE ? 0 : thread + 1,
                                   .number = (uint64_t)number + 1};
  return number;
}

/* Edges come in the order of their ends. */
static void add_edge(Case *c, uint32_t from, uint32_t to, FindingEdgeKind kind, const char *object, const char *label) {
  CU_ASSERT_FATAL(c->finding.n_edges < MOST_EDGES);
  c->edges[c->finding.n_edges++] =
      (FindingEdge){.from = from, .to = to, .kind = kind, .object = object, .label = label};
}

static char *picture_of(Case *c, bool (*draw)(Heap *, const Finding *, uint32_t, const char *, FILE *, Err *)) {
  char *text = NULL;
  size_t length;
  Err err;
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT_FATAL(draw(c->heap, &c->finding, 1, "nothing here", out, &err));
  fclose(out);
  return text;
}

/* ---- rows ---- */

static Case *spinning(uint32_t turns) {
  Case *c = start_case();
  add_threads(c, 2);
  const uint32_t first = add_step(c, 0, "f := true", FINDING_INSIDE, true);
  for (uint32_t i = 0; i < turns; i++) {
    add_step(c, 1, "[f = true]", FINDING_OTHER, false);
    add_step(c, 1, "f := M", FINDING_OTHER, false);
  }
  const uint32_t x = add_step(c, 1, "x := 5", FINDING_OTHER, true), y = add_step(c, 0, "y := x", FINDING_BACK, true);
  add_edge(c, first, first + 1, EDGE_CHAIN, "f", "write → read");
  add_edge(c, first + 1, x, EDGE_CHAIN, NULL, NULL);
  add_edge(c, x, y, EDGE_CHAIN, "x", "write → read");
  return c;
}

static void test_turns_are_folded(void) {
  Case *c = spinning(1000);
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT_EQUAL_FATAL(rows.n, 6); /* f, one turn, the fold, x, y */
  const Row fold = rows.rows[3];
  CU_ASSERT(fold.step == 3 && fold.turns == 999 && fold.length == 2 && rows.rows[2].step == 2 &&
            rows.rows[4].step == 2001);
  CU_ASSERT(rows.steps == 0 && rows.threads == 0 && rows.n_pages == 1);
  char *svg = picture_of(c, picture_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">loop, 999 more turns</text>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">2002</text>"));
  free(svg);
  end_case(c);
}

static void test_what_matters_is_never_folded(void) {
  Case *c = spinning(1000);
  c->steps[500].matters = true;
  add_edge(c, 0, 2002, EDGE_OTHER, NULL, NULL);
  c->finding.n_edges -= 1;
  const Rows rows = rows_choose(&c->arena, &c->finding);
  uint32_t folds = 0;
  for (uint32_t i = 0; i < rows.n; i++) {
    folds += rows.rows[i].turns > 0;
    if (rows.rows[i].turns)
      CU_ASSERT(rows.rows[i].step > 500 || rows.rows[i].step + rows.rows[i].turns * rows.rows[i].length <= 500);
  }
  CU_ASSERT_EQUAL(folds, 2);
  end_case(c);
  c = spinning(1000);
  c->edges[c->finding.n_edges++] = c->edges[2];
  c->edges[2] = (FindingEdge){.to = 700, .kind = EDGE_OTHER};
  const FindingEdge swapped = c->edges[1];
  c->edges[1] = c->edges[2];
  c->edges[2] = swapped;
  const Rows with_edge = rows_choose(&c->arena, &c->finding);
  bool shown = false;
  for (uint32_t i = 0; i < with_edge.n; i++) shown |= with_edge.rows[i].step == 700 && !with_edge.rows[i].turns;
  CU_ASSERT(shown);
  end_case(c);
}

static void test_two_turns_are_no_loop(void) {
  Case *c = spinning(2);
  CU_ASSERT_EQUAL(rows_choose(&c->arena, &c->finding).n, 7);
  end_case(c);
}

/* A long run of which little matters. */
static Case *mostly_nothing(void) {
  Case *c = start_case();
  add_threads(c, 8);
  for (uint32_t i = 0; i < 70; i++) add_step(c, 1 + i % 7, arena_format(&c->arena, "work%u", i), FINDING_BEFORE, false);
  const uint32_t x = add_step(c, 0, "x := 5", FINDING_INSIDE, true), y = add_step(c, 1, "y := x", FINDING_OTHER, true);
  const uint32_t z = add_step(c, 3, "z := y", FINDING_OTHER, false),
                 last = add_step(c, 0, "a := z", FINDING_BACK, true);
  add_edge(c, x, y, EDGE_CHAIN, "x", "write → read");
  add_edge(c, y, z, EDGE_CHAIN, "y", "write → read");
  add_edge(c, z, last, EDGE_CHAIN, "z", "write → read");
  return c;
}

static void test_what_does_not_matter_is_left_out(void) {
  Case *c = mostly_nothing();
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(rows.n == 4 && rows.steps == 70 && rows.threads == 5);
  CU_ASSERT(rows.shown[0] && rows.shown[1] && !rows.shown[2] && rows.shown[3]); /* an end of an edge of the chain */
  char *dot = picture_of(c, picture_dot);
  CU_ASSERT_PTR_NOT_NULL(strstr(dot, "5 more threads, 70 more steps not shown"));
  CU_ASSERT_PTR_NOT_NULL(strstr(dot, "style=dashed"));
  free(dot);
  end_case(c);
}

static void test_short_runs_are_whole(void) {
  Case *c = start_case();
  add_threads(c, 2);
  for (uint32_t i = 0; i < ROWS_WHOLE; i++)
    add_step(c, i % 2, arena_format(&c->arena, "work%u", i), FINDING_BEFORE, i == 6 || i == 7);
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(rows.n == ROWS_WHOLE && rows.steps == 0);
  char *dot = picture_of(c, picture_dot);
  CU_ASSERT_PTR_NULL(strstr(dot, "not shown"));
  free(dot);
  end_case(c);
}

static void test_idle_threads_are_left_out(void) {
  Case *c = start_case();
  add_threads(c, 4);
  add_step(c, 1, "idle", FINDING_BEFORE, false);
  add_step(c, 0, "x := 1", FINDING_INSIDE, true);
  for (uint32_t i = 0; i < 5; i++) add_step(c, 3, "spin", FINDING_BEFORE, false);
  add_step(c, 2, "y := 1", FINDING_BEFORE, false);
  const Rows none = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(none.n == 1 && none.threads == 3 && none.steps == 7);
  add_edge(c, 1, 7, EDGE_OTHER, "y", NULL);
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(rows.n == 2 && rows.threads == 2 && rows.steps == 6 && rows.shown[0] && rows.shown[2]);
  end_case(c);
}

/* One of its threads matters: then both are shown. */
static void test_loops_of_two_threads_are_whole(void) {
  Case *c = start_case();
  add_threads(c, 3);
  add_step(c, 1, "ping", FINDING_BEFORE, true);
  add_step(c, 2, "pong", FINDING_BEFORE, false);
  for (uint32_t i = 0; i < 10; i++) {
    add_step(c, 1, "ping", FINDING_BEFORE, false);
    add_step(c, 2, "pong", FINDING_BEFORE, false);
  }
  add_step(c, 0, "idle", FINDING_BEFORE, false);
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(rows.n == 3 && rows.rows[2].turns == 10 && rows.threads == 1 && rows.steps == 1);
  end_case(c);
}

static void test_where_nothing_matters_all_is_shown(void) {
  Case *c = start_case();
  add_threads(c, 2);
  for (uint32_t i = 0; i < 100; i++) add_step(c, i % 2, arena_format(&c->arena, "work%u", i), FINDING_BEFORE, false);
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(rows.n == 100 && rows.steps == 0 && rows.n_pages == 2);
  end_case(c);
}

/* An edge that follows from two others, by way of a third thread, says nothing new. */
static void test_implied_edges(void) {
  Case *c = start_case();
  add_threads(c, 3);
  for (uint32_t i = 0; i < 3; i++) add_step(c, i, "x := 5", FINDING_OTHER, true);
  add_edge(c, 0, 1, EDGE_OTHER, "x", NULL);
  add_edge(c, 0, 2, EDGE_OTHER, "x", NULL);
  add_edge(c, 1, 2, EDGE_OTHER, "x", NULL);
  CU_ASSERT_EQUAL(layout_finding(&c->arena, &c->finding).n_edges, 2);
  c->edges[1].kind = EDGE_CHAIN;
  CU_ASSERT_EQUAL(layout_finding(&c->arena, &c->finding).n_edges, 3);
  c->edges[1].kind = EDGE_OTHER;
  c->threads[0].concurrent = true;
  CU_ASSERT_EQUAL(layout_finding(&c->arena, &c->finding).n_edges, 3);
  end_case(c);
}

/* Of two steps of one thread the second depends on what the first depends on; two of the environment need not. */
static void test_program_order_implies(void) {
  Case *c = start_case();
  add_threads(c, 2);
  for (uint32_t i = 0; i < 3; i++) add_step(c, i > 0, "x := 5", FINDING_OTHER, true);
  add_edge(c, 0, 1, EDGE_OTHER, "x", NULL);
  add_edge(c, 0, 2, EDGE_OTHER, "x", NULL);
  CU_ASSERT_EQUAL(layout_finding(&c->arena, &c->finding).n_edges, 1);
  c->threads[1].concurrent = true;
  CU_ASSERT_EQUAL(layout_finding(&c->arena, &c->finding).n_edges, 2);
  end_case(c);
}

static Case *seventy_steps(void) {
  Case *c = start_case();
  add_threads(c, 3);
  for (uint32_t i = 0; i < 70; i++) {
    const uint32_t thread = i % 7 == 3 ? 1 : i % 11 == 5 ? 2 : 0;
    add_step(c, thread, arena_format(&c->arena, "x%u := y", i), thread ? FINDING_OTHER : FINDING_INSIDE, true);
  }
  add_edge(c, 2, 3, EDGE_CHAIN, "a", "write → read");
  add_edge(c, 4, 38, EDGE_OTHER, "b", NULL);
  add_edge(c, 5, 59, EDGE_CHAIN, "counter", "write → read");
  return c;
}

static void test_long_runs_go_on_on_another_page(void) {
  Case *c = seventy_steps();
  const Rows rows = rows_choose(&c->arena, &c->finding);
  CU_ASSERT(rows.n == 70 && rows.n_pages == 2 && rows.rows[34].page == 0 && rows.rows[35].page == 1);
  const Layout layout = layout_finding(&c->arena, &c->finding);
  for (uint32_t i = 0; i < 6; i++) CU_ASSERT_STRING_EQUAL(layout.texts[layout.headers[i]].text, c->threads[i % 3].name);
  CU_ASSERT(layout.boxes[0].at.y == layout.boxes[35].at.y &&
            layout.boxes[0].at.x + layout.page == layout.boxes[35].at.x);
  char *svg = picture_of(c, picture_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">counter: write → read, to 60</text>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">from 6</text>"));
  free(svg);
  end_case(c);
}

/* ---- texts ---- */

static void test_names_are_shortened_in_front(void) {
  Case *c = start_case();
  add_threads(c, 2);
  add_step(c, 0, "read balance", FINDING_INSIDE, true);
  add_step(c, 1, "write balance", FINDING_OTHER, true);
  c->steps[1].place.file = "/home/somebody/projects/with/a/long/path/bank/transfer.c";
  char *svg = picture_of(c, picture_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">10: read balance</text>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">transfer.c:10: write balance</text>"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(svg, "xlink:title=\"/home/somebody/projects/with/a/long/path/bank/transfer.c:10: write balance\""));
  free(svg);
  end_case(c);
}

static void test_values_stand_below_their_step(void) {
  Case *c = start_case();
  add_threads(c, 1);
  add_step(c, 0, "turn := 1", FINDING_INSIDE, true);
  add_step(c, 0, "skip", FINDING_INSIDE, true);
  c->steps[0].values = "turn = 1, M = 0";
  const Layout layout = layout_finding(&c->arena, &c->finding);
  uint32_t found = 0;
  for (uint32_t i = 0; i < layout.n_texts; i++) {
    const LayoutText *text = &layout.texts[i];
    if (text->kind != LAYOUT_VALUES) continue;
    found++;
    CU_ASSERT_STRING_EQUAL(text->text, "turn = 1, M = 0");
    CU_ASSERT(text->at.y > layout.boxes[0].at.y && text->at.y < layout.boxes[1].at.y);
  }
  CU_ASSERT_EQUAL(found, 1);
  end_case(c);
}

static void test_messages_alone(void) {
  Case *c = start_case();
  char *svg = picture_of(c, picture_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">block &#39;deposit&#39; is not atomic</text>"));
  CU_ASSERT_PTR_NULL(strstr(svg, "needed before")); /* no legend */
  free(svg);
  c->finding.kind = FINDING_PASS;
  svg = picture_of(c, picture_svg);
  CU_ASSERT_PTR_NULL(strstr(svg, "deposit"));
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">nothing here</text>"));
  free(svg);
  end_case(c);
}

/* What is said above a picture is broken into lines, and no word of it is lost. */
static void test_captions_are_whole(void) {
  static const char WORD[] = "Wmmmmmmm";
  Case *c = start_case();
  add_threads(c, 2);
  add_step(c, 0, "read balance", FINDING_INSIDE, true);
  c->finding.why = "";
  for (uint32_t i = 0; i < 40; i++)
    c->finding.why = arena_format(&c->arena, "%s%s%s", c->finding.why, i ? " " : "", WORD);
  c->finding.title = c->finding.why;
  char *svg = picture_of(c, picture_svg);
  CU_ASSERT_PTR_NULL(strstr(svg, "…"));
  free(svg);
  end_case(c);
}

static void test_texts_are_measured(void) {
  Case *c = start_case();
  CU_ASSERT_EQUAL(measure_text(FONT_MONO, 10, "12345"), 30);
  CU_ASSERT_EQUAL(measure_text(FONT_MONO, 10, "\u4f59\u989d"), 20); /* ideographs are square */
  CU_ASSERT(measure_text(FONT_SANS, 10, "iiii") < measure_text(FONT_SANS, 10, "WWWW"));
  CU_ASSERT_STRING_EQUAL(measure_fit(&c->arena, FONT_MONO, 10, "abcdef", 36), "abcdef");
  CU_ASSERT_STRING_EQUAL(measure_fit(&c->arena, FONT_MONO, 10, "abcdefg", 36), "abcde…");
  CU_ASSERT_STRING_EQUAL(measure_fit_front(&c->arena, FONT_MONO, 10, "abcdefg", 36), "…cdefg");
  CU_ASSERT_STRING_EQUAL(measure_fit(&c->arena, FONT_MONO, 10, "abc", 0), "…");
  end_case(c);
}

/* A cycle through three transactions, with names as they are. */
static void test_three_transactions_fit(void) {
  Case *c = start_case();
  add_threads(c, 3);
  add_step(c, 0, "read balance", FINDING_INSIDE, true);
  add_step(c, 1, "write balance", FINDING_OTHER, true);
  add_step(c, 1, "write interest_rate", FINDING_OTHER, true);
  add_step(c, 2, "read interest_rate", FINDING_OTHER, true);
  add_step(c, 2, "release account_lock", FINDING_OTHER, true);
  add_step(c, 0, "acquire account_lock", FINDING_BACK, true);
  for (uint32_t i = 3; i < 5; i++) c->steps[i].place.file = "bank/interest.c";
  add_edge(c, 0, 1, EDGE_CHAIN, "balance", "read → write");
  add_edge(c, 2, 3, EDGE_CHAIN, "interest_rate", "write → read");
  add_edge(c, 4, 5, EDGE_CHAIN, "account_lock", "release → acquire");
  const Layout layout = layout_finding(&c->arena, &c->finding);
  CU_ASSERT(layout.width + 2 * layout.margin <= LAYOUT_WIDEST);
  for (uint32_t i = 0; i < 3; i++) CU_ASSERT_PTR_NULL(layout.boxes[i].whole);
  CU_ASSERT_STRING_EQUAL(layout.boxes[3].text, "interest.c:10: read interest_rate");
  end_case(c);
}

/* ---- nothing overlaps ---- */

typedef struct {
  int left, top, right, bottom;
  const char *what;
} Area;

static Area box_area(const Finding *finding, const Layout *layout, uint32_t box) {
  const LayoutBox *at = &layout->boxes[box];
  const int border = sketch_border(finding->steps[at->step].role),
            half = layout->columns[at->column].width / 2 + border;
  const int high = LAYOUT_BOX / 2 + border;
  return (Area){at->at.x - half, at->at.y - high, at->at.x + half, at->at.y + high, at->text};
}

static Area text_area(const LayoutText *text) {
  const int half = text->width / 2, high = layout_font(text->kind).size / 2;
  return (Area){text->at.x - half, text->at.y - high, text->at.x + half, text->at.y + high, text->text};
}

static bool overlap(const Area *a, const Area *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* Borders may reach a little below the last row, as frames do. */
static bool inside(const Area *area, const Layout *layout) {
  enum { BORDER = 4 };
  return area->left >= -layout->margin && area->right <= layout->width + layout->margin && area->top >= 0 &&
         area->bottom <= layout->height + BORDER;
}

/* The number of pairs that overlap, and of things that stand outside. */
static uint32_t count_faults(const Finding *finding, const Layout *layout) {
  const uint32_t n = layout->n_boxes + layout->n_texts;
  Area *areas = calloc(n, sizeof *areas);
  uint32_t faults = 0;
  for (uint32_t i = 0; i < layout->n_boxes; i++) areas[i] = box_area(finding, layout, i);
  for (uint32_t i = 0; i < layout->n_texts; i++) areas[layout->n_boxes + i] = text_area(&layout->texts[i]);
  for (uint32_t i = 0; i < n; i++) {
    if (!inside(&areas[i], layout)) faults++, printf("outside: '%s'\n", areas[i].what);
    for (uint32_t k = 0; k < i; k++)
      if (overlap(&areas[i], &areas[k])) faults++, printf("overlap: '%s' and '%s'\n", areas[i].what, areas[k].what);
  }
  free(areas);
  return faults;
}

static uint32_t draw(uint64_t *random, uint32_t n) {
  *random = hash_word(*random + 1);
  return (uint32_t)((*random >> 32) % n);
}

static const char *random_name(Case *c, uint64_t *random) {
  static const char *const LETTERS[] = {"a", "i", "W", "Ж", "\u4f59", "x := ", "<b>", "\U0001f600"};
  const uint32_t length = draw(random, 8) ? 1 + draw(random, 6) : 1 + draw(random, 60);
  const char *name = "";
  for (uint32_t i = 0; i < length; i++)
    name = arena_format(&c->arena, "%s%s", name, LETTERS[draw(random, sizeof LETTERS / sizeof *LETTERS)]);
  return name;
}

static void random_steps(Case *c, uint64_t *random, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const FindingRole role = (FindingRole)draw(random, FINDING_ROLES);
    const char *text = i > 3 && draw(random, 3) == 0 ? c->steps[i - 1 - draw(random, 3)].text : random_name(c, random);
    FindingStep *step = &c->steps[add_step(c, draw(random, c->finding.n_threads), text, role, draw(random, 3) > 0)];
    if (draw(random, 4) == 0) step->values = random_name(c, random);
    if (draw(random, 6) == 0) step->place.file = random_name(c, random);
    if (draw(random, 9) == 0) step->number = UINT64_MAX - i;
  }
}

/* So many turns of the last steps, one after the other. */
static void random_loop(Case *c, uint64_t *random) {
  const uint32_t length = 1 + draw(random, c->finding.n_steps < 3 ? c->finding.n_steps : 3),
                 turns = 2 + draw(random, 20);
  for (uint32_t i = 0; i < turns * length; i++) {
    const FindingStep *like = &c->steps[c->finding.n_steps - length];
    add_step(c, like->thread, like->text, FINDING_BEFORE, false);
  }
}

/* As a rule edges go from one thread to another, and are few. */
static void random_edges(Case *c, uint64_t *random) {
  const uint32_t one_in = 1 + draw(random, 40);
  for (uint32_t to = 1; to < c->finding.n_steps; to++)
    for (uint32_t from = to > 50 ? to - 50 : 0; from < to; from++)
      if (draw(random, one_in * 4) == 0 && c->finding.n_edges < MOST_EDGES)
        add_edge(c, from, to, (FindingEdgeKind)draw(random, 3), draw(random, 5) ? random_name(c, random) : NULL,
                 draw(random, 3) ? "write → read" : NULL);
}

static Case *random_case(uint64_t seed) {
  uint64_t random = hash_word(seed);
  Case *c = start_case();
  add_threads(c, 1 + draw(&random, MOST_THREADS));
  for (uint32_t i = 0; i < c->finding.n_threads; i++) {
    if (draw(&random, 3) == 0) c->threads[i].name = random_name(c, &random);
    if (draw(&random, 2) == 0) c->threads[i].about = random_name(c, &random);
    c->threads[i].concurrent = draw(&random, 8) == 0;
  }
  if (draw(&random, 4) == 0) c->frames[0] = draw(&random, 2) ? NULL : random_name(c, &random);
  c->finding.n_frames = draw(&random, c->finding.n_threads + 1);
  for (uint32_t i = 1; i < c->finding.n_frames; i++)
    if (draw(&random, 2)) c->frames[i] = random_name(c, &random);
  random_steps(c, &random, 1 + draw(&random, draw(&random, 3) ? 15 : 200));
  if (draw(&random, 2)) random_loop(c, &random);
  random_steps(c, &random, draw(&random, 4));
  random_edges(c, &random);
  return c;
}

static void test_nothing_overlaps(void) {
  for (uint64_t seed = 1; seed <= 400; seed++) {
    Case *c = random_case(seed);
    const Layout layout = layout_finding(&c->arena, &c->finding);
    const uint32_t faults = count_faults(&c->finding, &layout);
    if (faults) printf("seed %llu: %u faults\n", (unsigned long long)seed, faults);
    CU_ASSERT_EQUAL(faults, 0);
    end_case(c);
    if (faults) break;
  }
}

/* What can be shown is shown, is folded, or is counted as left out; and the chain's edges are all drawn. */
static void test_nothing_is_lost(void) {
  for (uint64_t seed = 1; seed <= 400; seed++) {
    Case *c = random_case(seed);
    const Rows rows = rows_choose(&c->arena, &c->finding);
    uint32_t steps = rows.steps;
    for (uint32_t i = 0; i < rows.n; i++) {
      steps += rows.rows[i].turns ? rows.rows[i].turns * rows.rows[i].length : 1;
      CU_ASSERT(i == 0 || rows.rows[i - 1].step < rows.rows[i].step);
    }
    CU_ASSERT_EQUAL(steps, c->finding.n_steps);
    const Layout layout = layout_finding(&c->arena, &c->finding);
    uint32_t chain = 0;
    for (uint32_t i = 0; i < c->finding.n_edges; i++)
      chain += c->edges[i].kind == EDGE_CHAIN && c->steps[c->edges[i].from].thread != c->steps[c->edges[i].to].thread;
    for (uint32_t i = 0; i < layout.n_edges; i++) chain -= layout.edges[i].kind == EDGE_CHAIN;
    CU_ASSERT_EQUAL(chain, 0);
    end_case(c);
  }
}

/* ---- values ---- */

static PlaceId tracked_place(Hand *hand, uint32_t object, uint32_t value, bool marked) {
  const PlaceId place = net_add_place(hand->net, "copy", marked);
  notes_set_place(hand->notes, place.v, (PlaceNote){ROLE_COPY, NOTE_NONE, object, 0, value, NOTE_NONE, POINT_OTHER});
  return place;
}

static void move_token(Hand *hand, TransId t, PlaceId from, PlaceId to) {
  net_add_input(hand->net, from, t);
  net_add_output(hand->net, t, to);
}

static void test_values_of_tracked_variables(void) {
  Heap *heap = heap_new(0);
  Hand hand;
  Arena arena;
  arena_init(&arena, heap);
  hand_start(&hand, heap, "v.sml");
  hand_thread(&hand, "T1", 0, 1);
  const uint32_t x = hand_variable(&hand, "x"); /* abstracted */
  const uint32_t turn = notes_add_object(hand.notes, "turn", OBJECT_VARIABLE, 3),
                 m = notes_add_object(hand.notes, "M", OBJECT_VARIABLE, 2);
  notes_set_bool(hand.notes, m);
  const PlaceId turn0 = tracked_place(&hand, turn, 0, true), turn2 = tracked_place(&hand, turn, 2, false);
  const PlaceId m0 = tracked_place(&hand, m, 0, false), m1 = tracked_place(&hand, m, 1, true);
  const TransId both = hand_event(&hand, 0, 1, "M := false; turn := 2"), read = hand_event(&hand, 0, 2, "y := turn");
  hand_write(&hand, both, x);
  notes_add_access(hand.notes, both.v, (Access){turn, ACCESS_WRITE});
  notes_add_access(hand.notes, both.v, (Access){m, ACCESS_WRITE});
  move_token(&hand, both, m1, m0);
  move_token(&hand, both, turn0, turn2);
  move_token(&hand, read, turn2, turn2);
  Net *net = hand_finish(&hand);
  const Values values = values_of_run(&arena, net, (const TransId[]){both, read}, 2);
  CU_ASSERT_STRING_EQUAL(values_phrase(&arena, &values, 0), "turn = 2, M = false");
  CU_ASSERT_PTR_NULL(values_phrase(&arena, &values, 1));
  CU_ASSERT_EQUAL_FATAL(values.n, 2); /* x is abstracted */
  CU_ASSERT_STRING_EQUAL(values.variables[0].initial, "0");
  CU_ASSERT_STRING_EQUAL(values.variables[1].initial, "true");
  net_free(net);
  arena_fini(&arena);
  heap_free(heap);
}

void suite_picture(void);
void suite_picture(void) {
  CU_pSuite suite = CU_add_suite("picture", NULL, NULL);
  CU_ADD_TEST(suite, test_turns_are_folded);
  CU_ADD_TEST(suite, test_what_matters_is_never_folded);
  CU_ADD_TEST(suite, test_two_turns_are_no_loop);
  CU_ADD_TEST(suite, test_what_does_not_matter_is_left_out);
  CU_ADD_TEST(suite, test_short_runs_are_whole);
  CU_ADD_TEST(suite, test_idle_threads_are_left_out);
  CU_ADD_TEST(suite, test_loops_of_two_threads_are_whole);
  CU_ADD_TEST(suite, test_where_nothing_matters_all_is_shown);
  CU_ADD_TEST(suite, test_implied_edges);
  CU_ADD_TEST(suite, test_program_order_implies);
  CU_ADD_TEST(suite, test_long_runs_go_on_on_another_page);
  CU_ADD_TEST(suite, test_names_are_shortened_in_front);
  CU_ADD_TEST(suite, test_values_stand_below_their_step);
  CU_ADD_TEST(suite, test_messages_alone);
  CU_ADD_TEST(suite, test_captions_are_whole);
  CU_ADD_TEST(suite, test_texts_are_measured);
  CU_ADD_TEST(suite, test_three_transactions_fit);
  CU_ADD_TEST(suite, test_nothing_overlaps);
  CU_ADD_TEST(suite, test_nothing_is_lost);
  CU_ADD_TEST(suite, test_values_of_tracked_variables);
}
