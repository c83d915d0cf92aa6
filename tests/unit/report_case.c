#include "tests/unit/report_case.h"

#include "tests/unit/hand_net.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

void report_case_start(ReportCase *c, Heap *heap, Net *net, Verdict verdict) {
  *c = (ReportCase){.heap = heap, .net = net};
  c->block = (BlockVerdict){.verdict = verdict, .entered = ENTERED_SOMETIMES};
  c->report = (AtomicityReport){.net = net, .blocks = &c->block, .n_blocks = 1, .verdict = verdict};
  c->report.stats = (VerdictStats){31, 17, 12, 40, 0, 0.000412, 61440};
}

void report_case_violated(ReportCase *c, Heap *heap, Net *net, const char *letters) {
  TransId run[64];
  Err err;
  report_case_start(c, heap, net, VERDICT_VIOLATED);
  const uint32_t n = (uint32_t)strlen(letters);
  for (uint32_t i = 0; i < n; i++) run[i] = (TransId){(uint32_t)(letters[i] - 'a')};
  CU_ASSERT_FATAL(witness_judge(heap, net, 0, run, n, &c->witness, &err));
  c->block.witness = &c->witness;
}

void report_case_end(ReportCase *c) {
  if (c->witness.heap) witness_fini(&c->witness);
  net_free(c->net);
  CU_ASSERT_EQUAL(heap_used(c->heap), 0);
  heap_free(c->heap);
}

bool report_case_write_with(Heap *heap, const AtomicityReport *result, WriteReport *write, TextStyle style, FILE *out,
                            Err *err) {
  Report report;
  report_init(&report, heap, "causalcheck", false);
  of_blocks(&report, result);
  const bool good = write(&report, style, out, err);
  report_fini(&report);
  return good;
}

char *report_case_written(const AtomicityReport *result, WriteReport *write, TextStyle style) {
  char *text = NULL;
  size_t length;
  Err err;
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT_FATAL(report_case_write_with(result->net->arena.heap, result, write, style, out, &err));
  fclose(out);
  char *copy = strdup(text);
  free(text);
  return copy;
}

char *report_case_text(const AtomicityReport *result, TextStyle style) {
  return report_case_written(result, text_write, style);
}

char *report_case_picture(const AtomicityReport *result, WriteReport *write) {
  return report_case_written(result, write, (TextStyle){0});
}

/* T1: X := 1 .. z := Z.  T2: y := X, skip, W := y.  T3: Z := W. */
Net *report_case_long_chain(Heap *heap, bool by_locks) {
  Hand hand;
  hand_start(&hand, heap, "chain.sml");
  hand_thread(&hand, "T1", 0, 1);
  hand_thread(&hand, "T2", 1, 1);
  hand_thread(&hand, "T3", 2, 1);
  const uint32_t X = hand_variable(&hand, "X"), W = hand_variable(&hand, "W"), Z = hand_variable(&hand, "Z");
  const uint32_t l = hand_lock(&hand, "l");
  const uint32_t block = hand_block(&hand, NULL, 1, 1, 9);
  hand_begin(&hand, 0, 1, block);                                                                 /* a */
  hand_acquire(&hand, hand_event(&hand, 0, 2, "acquire(l)"), l);                                  /* b */
  hand_release(&hand, hand_event(&hand, 0, 3, "release(l)"), l);                                  /* c */
  hand_write(&hand, hand_event(&hand, 0, 4, "X := 1"), X);                                        /* d */
  hand_read(&hand, hand_event(&hand, 0, 5, by_locks ? "q := X" : "z := Z"), 0, by_locks ? X : Z); /* e */
  hand_read(&hand, hand_event(&hand, 1, 11, "y := X"), 1, X);                                     /* f */
  hand_event(&hand, 1, 12, "skip");                                                               /* g */
  hand_write(&hand, hand_event(&hand, 1, 13, "W := y"), W);                                       /* h */
  const TransId both = hand_event(&hand, 2, 21, "Z := W");                                        /* i */
  hand_read(&hand, both, 2, W);
  hand_write(&hand, both, Z);
  const TransId update = hand_event(&hand, 2, 22, "X := X + 1"); /* j */
  hand_read(&hand, update, 2, X);
  net_add_input(hand.net, hand.copy[X][0], update);
  net_add_output(hand.net, update, hand.copy[X][0]);
  net_add_input(hand.net, hand.copy[X][1], update);
  net_add_output(hand.net, update, hand.copy[X][1]);
  notes_add_access(hand.notes, update.v, (Access){X, ACCESS_WRITE});
  return hand_finish(&hand);
}

/* A foreign net: no file, no lines, no objects; names with bytes that must not reach a terminal. */
Net *report_case_foreign_net(Heap *heap) {
  NetBuilder *builder = net_builder_new(heap);
  NotesBuilder *notes = net_builder_notes(builder);
  notes_add_thread(notes, "U0", 0, (SrcPos){0});
  notes_add_block(notes, NULL, (SrcPos){0}, (SrcPos){0});
  const char *const NAMES[] = {"start", "inside", "the\33[31mre\xff", "back"};
  PlaceId p[4];
  for (uint32_t i = 0; i < 4; i++) p[i] = net_add_place(builder, NAMES[i], i == 0);
  const TransId begin = net_add_trans(builder, "go"), other = net_add_trans(builder, "x<\"\\y\">"),
                last = net_add_trans(builder, "last");
  const uint32_t ARCS[][3] = {{0, 0, 0}, {1, 0, 1}, {1, 0, 2}, {0, 1, 2}, {1, 1, 3}, {0, 2, 1}, {0, 2, 3}};
  const TransId t[] = {begin, other, last};
  for (size_t i = 0; i < sizeof ARCS / sizeof *ARCS; i++)
    if (ARCS[i][0]) net_add_output(builder, t[ARCS[i][1]], p[ARCS[i][2]]);
    else net_add_input(builder, p[ARCS[i][2]], t[ARCS[i][1]]);
  notes_set_trans(notes, begin.v, (TransNote){0, {0}, "", 0, NOTE_NONE, false});
  notes_set_trans(notes, last.v, (TransNote){0, {0}, "", NOTE_NONE, NOTE_NONE, false});
  Err err;
  Net *net = net_freeze(builder, &err);
  CU_ASSERT_FATAL(net != NULL);
  return net;
}
