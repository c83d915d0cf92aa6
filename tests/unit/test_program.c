/* Programs made by hand, as a frontend other than SML's would: jumps that no text of SML has, several files,
 * functions; and what the rules of program/program.h forbid. */
#include "program/compile.h"
#include "program/control.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static void open_program(Program *p) {
  program_init(p, heap_new(0));
  vec_push(p->heap, &p->files, "a.c");
  vec_push(p->heap, &p->files, "b.c");
  vec_push(p->heap, &p->functions, "work");
  vec_push(p->heap, &p->objects, ((ProgramObject){.name = "X", .kind = PROGRAM_DATA}));
  vec_push(p->heap, &p->objects, ((ProgramObject){.name = "F", .kind = PROGRAM_TRACKED, .n_values = 2}));
  vec_push(p->heap, &p->objects, ((ProgramObject){.name = "l", .kind = PROGRAM_LOCK}));
  const ProgramPlace begin = {.file = 0, .function = 0, .line = 1, .column = 1};
  const ProgramPlace end = {.file = 1, .function = 0, .line = 9, .column = 1};
  vec_push(p->heap, &p->blocks, ((ProgramBlock){"B", begin, end}));
}

static void close_program(Program *p) {
  Heap *heap = p->heap;
  program_fini(p);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* An operation in line `line` of b.c; its number. */
static uint32_t add(Program *p, OpKind kind, uint32_t number, const char *text, uint32_t line) {
  const uint32_t at = program_add_op(p, kind);
  ProgramOp *op = &p->ops.at[at];
  op->number = number;
  op->place = (ProgramPlace){.file = 1, .function = 0, .line = line, .column = 1};
  op->text = text;
  op->otherwise_text = "[else]";
  return at;
}

static void add_item(Program *p, ProgramItemKind kind, uint32_t variable, int64_t value) {
  vec_push(p->heap, &p->items, ((ProgramItem){.kind = kind, .variable = variable, .value = value, .text = "item"}));
}

/* The object gets the literal. */
static uint32_t add_write(Program *p, uint32_t object, int64_t value, const char *text, uint32_t line) {
  const uint32_t at = add(p, OP_ASSIGN, PROGRAM_NONE, text, line);
  p->ops.at[at].items = p->items.n;
  p->ops.at[at].n_items = 1;
  add_item(p, ITEM_LITERAL, 0, value);
  p->ops.at[at].targets = p->items.n;
  p->ops.at[at].n_targets = 1;
  add_item(p, ITEM_OBJECT, object, 0);
  return at;
}

/* A test of anything, or of the object. */
static uint32_t add_test(Program *p, ProgramItemKind kind, uint32_t object, uint32_t line) {
  const uint32_t at = add(p, OP_TEST, PROGRAM_NONE, "[then]", line);
  p->ops.at[at].items = p->items.n;
  p->ops.at[at].n_items = 1;
  add_item(p, kind, object, 0);
  return at;
}

static void lead(Program *p, uint32_t op, uint32_t next) { p->ops.at[op].next = next; }

/* The operations from `start` on are a proc; its number. */
static uint32_t add_proc(Program *p, uint32_t start) {
  program_add_op(p, OP_RETURN);
  vec_push(p->heap, &p->procs, ((ProgramProc){start, p->ops.n, "proc"}));
  return p->procs.n - 1;
}

static void add_thread(Program *p, uint32_t proc, uint32_t count) {
  const ProgramPlace place = {.function = PROGRAM_NONE, .line = 1};
  vec_push(p->heap, &p->threads, ((ProgramThread){.proc = proc, .count = count, .place = place}));
}

/* The net's lines, or NULL. */
static void check_net(const Program *p, const char *expected) {
  NoticeVec notices = {0};
  Err err = {0};
  Net *net = compile_program(p, &(CompileOptions){GRANULARITY_STATEMENT, ENCODING_COMPACT, false, 0}, &notices, &err);
  CU_ASSERT_PTR_NOT_NULL(net);
  if (net) {
    char *lines = net_lines(net);
    check_text(lines, expected);
    free(lines);
    CU_ASSERT_STRING_EQUAL(net->notes->file, "a.c");
  }
  net_free(net);
  vec_fini(p->heap, &notices);
}

static bool is_good(const Program *p) {
  Err err;
  return program_audit(p, &err);
}

/* A loop with two ways into it, and jumps that lead to jumps. */
static void add_two_ways_in(Program *p) {
  const uint32_t jump = add(p, OP_JUMP, PROGRAM_NONE, "", 1), test = add_test(p, ITEM_ANY, 0, 2);
  const uint32_t first = add_write(p, 0, 1, "X := 1", 3), second = add_write(p, 0, 2, "X := 2", 4);
  const uint32_t back = add(p, OP_JUMP, PROGRAM_NONE, "", 5), start = add(p, OP_JUMP, PROGRAM_NONE, "", 6);
  const uint32_t again = add(p, OP_JUMP, PROGRAM_NONE, "", 7);
  lead(p, jump, start);
  lead(p, start, test);
  p->ops.at[test].next = first;
  p->ops.at[test].otherwise = second;
  lead(p, second, back);
  lead(p, back, again);
  lead(p, again, first);
  add_thread(p, add_proc(p, jump), 1);
}

static void jumps_are_free(void) {
  Program p;
  open_program(&p);
  add_two_ways_in(&p);
  CU_ASSERT_TRUE(is_good(&p));
  check_net(&p, "T1.1 [then] 2:1: T1.1 -> T1.2\nT1.1#2 [else] 2:1: T1.1 -> T1.3\nT1.2 X := 1 3:1: T1.2 -> T1.3 | X:w\n"
                "T1.3 X := 2 4:1: T1.3 -> T1.2 | X:w\nmarked: l T1.1\n");
  Control control;
  control_init(&control, p.heap);
  control_build(&control, &p, GRANULARITY_STATEMENT);
  CU_ASSERT_FALSE(control.returns[control.procs.at[0].start]); /* it never ends */
  control_fini(&control);
  close_program(&p);
}

static void jumps_back_lead_to_their_end(void) {
  Program p;
  open_program(&p);
  const uint32_t start = add(&p, OP_JUMP, PROGRAM_NONE, "", 1), last = add(&p, OP_JUMP, PROGRAM_NONE, "", 2);
  const uint32_t first = add(&p, OP_JUMP, PROGRAM_NONE, "", 3), write = add_write(&p, 0, 1, "X := 1", 4);
  lead(&p, start, write);
  lead(&p, write, first);
  lead(&p, first, last);
  lead(&p, last, write);
  add_thread(&p, add_proc(&p, start), 1);
  CU_ASSERT_TRUE(is_good(&p));
  check_net(&p, "T1.1 X := 1 4:1: T1.1 -> T1.1 | X:w\nmarked: l T1.1\n");
  close_program(&p);
}

/* Of the nodes that the operation became: do some lead to the return? -1: there are none. */
static int returns(const Control *control, uint32_t op) {
  int result = -1;
  for (uint32_t i = 0; i < control->nodes.n; i++)
    if (control->nodes.at[i].op == op) result = control->returns[i] || result == 1;
  return result;
}

/* What stands behind an operation need not come after it; and to some no path leads. */
static void the_control_follows_the_paths(void) {
  Program p;
  open_program(&p);
  const uint32_t test = add_test(&p, ITEM_ANY, 0, 1), on = add_write(&p, 0, 1, "X := 1", 2);
  const uint32_t loop = add_write(&p, 0, 2, "X := 2", 3), dead = add_write(&p, 0, 3, "X := 3", 4);
  p.ops.at[test].otherwise = loop;
  lead(&p, loop, loop);
  add_thread(&p, add_proc(&p, test), 1);
  lead(&p, on, p.ops.n - 1);
  CU_ASSERT_TRUE(is_good(&p));
  Control control;
  control_init(&control, p.heap);
  control_build(&control, &p, GRANULARITY_STATEMENT);
  CU_ASSERT_EQUAL(returns(&control, on), 1);
  CU_ASSERT_EQUAL(returns(&control, loop), 0);
  CU_ASSERT_EQUAL(returns(&control, dead), -1);
  control_fini(&control);
  close_program(&p);
}

/* Two calls, in two threads with copies, of a proc with a block. */
static void add_called_block(Program *p) {
  const uint32_t begin = add(p, OP_BEGIN, 0, "begin:B", 1);
  add_write(p, 0, 1, "X := 1", 2);
  add(p, OP_END, 0, "end", 3);
  const uint32_t proc = add_proc(p, begin);
  const uint32_t first = add(p, OP_CALL, proc, "call", 4);
  add(p, OP_CALL, proc, "call", 5);
  add_thread(p, add_proc(p, first), 1);
  const uint32_t second = add(p, OP_CALL, proc, "call", 6);
  add_thread(p, add_proc(p, second), 2);
}

static void a_block_is_one_however_often_it_is_called(void) {
  Program p;
  NoticeVec notices = {0};
  Err err = {0};
  uint32_t begins = 0, ends = 0;
  open_program(&p);
  add_called_block(&p);
  CU_ASSERT_TRUE(is_good(&p));
  Net *net = compile_program(&p, &(CompileOptions){GRANULARITY_STATEMENT, ENCODING_COMPACT, false, 0}, &notices, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT_EQUAL(net->notes->n_blocks, 1);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    begins += net->notes->transitions[t].begin == 0;
    ends += net->notes->transitions[t].end == 0;
  }
  CU_ASSERT_EQUAL(begins, 4);
  CU_ASSERT_EQUAL(ends, 4);
  CU_ASSERT_EQUAL(notices.n, 0);
  net_free(net);
  close_program(&p);
}

/* As many transitions as there may be are not too many. */
static void a_net_may_be_too_large(void) {
  Program p;
  NoticeVec notices = {0};
  Err err = {0};
  open_program(&p);
  add_called_block(&p);
  CompileOptions options = {GRANULARITY_STATEMENT, ENCODING_COMPACT, false, 0};
  Net *net = compile_program(&p, &options, &notices, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  options.most = net->n_trans;
  net_free(net);
  net = compile_program(&p, &options, &notices, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  net_free(net);
  options.most--;
  CU_ASSERT_PTR_NULL(compile_program(&p, &options, &notices, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_LIMIT);
  CU_ASSERT_EQUAL(notices.n, 0);
  close_program(&p);
}

static void notes_say_file_and_function(void) {
  Program p;
  NoticeVec notices = {0};
  Err err = {0};
  open_program(&p);
  add_called_block(&p);
  Net *net = compile_program(&p, &(CompileOptions){GRANULARITY_STATEMENT, ENCODING_COMPACT, false, 0}, &notices, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  const Notes *notes = net->notes;
  CU_ASSERT_EQUAL_FATAL(notes->n_files, 2);
  CU_ASSERT_EQUAL_FATAL(notes->n_functions, 2);
  CU_ASSERT_STRING_EQUAL(notes->functions[0], "");
  CU_ASSERT_STRING_EQUAL(notes->functions[1], "work");
  CU_ASSERT_STRING_EQUAL(notes_file_of(notes, notes->blocks[0].begin), "a.c");
  CU_ASSERT_STRING_EQUAL(notes_file_of(notes, notes->blocks[0].end), "b.c");
  CU_ASSERT_EQUAL(notes->threads[0].pos.function, 0);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    CU_ASSERT_STRING_EQUAL(notes_file_of(notes, notes->transitions[t].pos), "b.c");
    CU_ASSERT_EQUAL(notes->transitions[t].pos.function, 1);
  }
  net_free(net);
  close_program(&p);
}

/* test; begin of one block or of another; write; end of the first block: the same block may begin on two paths, as
 * compilers make them. */
static bool meets_well(uint32_t first, uint32_t second) {
  Program p;
  open_program(&p);
  vec_push(p.heap, &p.blocks, p.blocks.at[0]);
  const uint32_t test = add_test(&p, ITEM_ANY, 0, 1), one = add(&p, OP_BEGIN, first, "begin", 2);
  const uint32_t two = add(&p, OP_BEGIN, second, "begin", 2), write = add_write(&p, 0, 1, "X := 1", 3);
  add(&p, OP_END, 0, "end", 4);
  p.ops.at[test].otherwise = two;
  lead(&p, one, write);
  add_thread(&p, add_proc(&p, test), 1);
  const bool good = is_good(&p);
  close_program(&p);
  return good;
}

static void a_block_may_begin_twice(void) {
  CU_ASSERT_TRUE(meets_well(0, 0));
  CU_ASSERT_FALSE(meets_well(0, 1));
  CU_ASSERT_FALSE(meets_well(1, 0));
}

/* The transactions of the control: a block that is left by a jump into the middle of its own end. */
static void the_open_blocks_follow_the_paths(void) {
  Program p;
  open_program(&p);
  const uint32_t begin = add(&p, OP_BEGIN, 0, "begin", 1), test = add_test(&p, ITEM_ANY, 0, 2);
  const uint32_t write = add_write(&p, 0, 1, "X := 1", 3), over = add(&p, OP_JUMP, PROGRAM_NONE, "", 4);
  const uint32_t after = add_write(&p, 0, 2, "X := 2", 5), out = add(&p, OP_JUMP, PROGRAM_NONE, "", 6);
  const uint32_t end = add(&p, OP_END, 0, "end", 7), back = add(&p, OP_JUMP, PROGRAM_NONE, "", 8);
  p.ops.at[test].otherwise = over;
  lead(&p, over, end);
  lead(&p, write, end);
  lead(&p, back, after);
  add_thread(&p, add_proc(&p, begin), 1);
  lead(&p, out, p.ops.n - 1);
  CU_ASSERT_TRUE(is_good(&p));
  uint32_t open[16];
  program_find_open(&p, open);
  const uint32_t expected[] = {0, 1, 1, 1, 0, 0, 1, 0, 0};
  for (uint32_t i = 0; i < p.ops.n; i++) CU_ASSERT_EQUAL(open[i], expected[i]);
  Control control;
  control_init(&control, p.heap);
  control_build(&control, &p, GRANULARITY_STATEMENT);
  for (uint32_t i = 0; i < control.nodes.n; i++) {
    const ControlNode *node = &control.nodes.at[i];
    if (node->kind == CONTROL_DONE) CU_ASSERT_EQUAL(node->inside, node->op != after);
  }
  CU_ASSERT_TRUE(control.returns[control.procs.at[0].start]);
  control_fini(&control);
  close_program(&p);
}

/* Several targets: one event, which reads both and writes both. */
static void a_swap_is_one_event(void) {
  Program p;
  open_program(&p);
  const uint32_t swap = add(&p, OP_ASSIGN, PROGRAM_NONE, "swap(X, F)", 1);
  p.ops.at[swap].whole = true;
  p.ops.at[swap].n_items = p.ops.at[swap].n_targets = 2;
  for (uint32_t i = 0; i < 4; i++) add_item(&p, ITEM_OBJECT, i == 0 || i == 3, 0);
  p.ops.at[swap].targets = 2;
  const uint32_t proc = add_proc(&p, swap);
  add_thread(&p, proc, 1);
  add_thread(&p, proc, 1);
  CU_ASSERT_TRUE(is_good(&p));
  check_net(&p, "T1.1 swap(X, F) 1:1: X F=0 T1.1 -> X F=0 T1.2 | F:r X:r X:w F:w\n"
                "T1.1#2 swap(X, F) 1:1: X F=0 T1.1 -> X F=1 T1.2 | F:r X:r X:w F:w\n"
                "T1.1#3 swap(X, F) 1:1: X F=1 T1.1 -> X F=0 T1.2 | F:r X:r X:w F:w\n"
                "T1.1#4 swap(X, F) 1:1: X F=1 T1.1 -> X F=1 T1.2 | F:r X:r X:w F:w\n"
                "T2.1 swap(X, F) 1:1: X F=0 T2.1 -> X F=0 T2.2 | F:r X:r X:w F:w\n"
                "T2.1#2 swap(X, F) 1:1: X F=0 T2.1 -> X F=1 T2.2 | F:r X:r X:w F:w\n"
                "T2.1#3 swap(X, F) 1:1: X F=1 T2.1 -> X F=0 T2.2 | F:r X:r X:w F:w\n"
                "T2.1#4 swap(X, F) 1:1: X F=1 T2.1 -> X F=1 T2.2 | F:r X:r X:w F:w\nmarked: X F=0 l T1.1 T2.1\n");
  close_program(&p);
}

/* An OP_SELECT from two writes by a value, or one that nobody knows. */
static void add_selection(Program *p, ProgramItemKind kind, int64_t value) {
  const uint32_t select = add(p, OP_SELECT, 2, "", 1);
  p->ops.at[select].items = p->items.n;
  p->ops.at[select].n_items = 1;
  add_item(p, kind, 0, value);
  const uint32_t first = add(p, OP_JUMP, PROGRAM_NONE, "", 1), second = add(p, OP_JUMP, PROGRAM_NONE, "", 1);
  const uint32_t one = add_write(p, 0, 1, "X := 1", 2), other = add_write(p, 0, 2, "X := 2", 3);
  lead(p, first, one);
  lead(p, second, other);
  lead(p, one, other + 1);
  const uint32_t proc = add_proc(p, select);
  add_thread(p, proc, 1);
}

static void a_selection_is_a_part_of_the_event_after_it(void) {
  static const char *const LINES[] = {
      "T1.2 X := 1 2:1: T1.1 -> T1.4 | X:w\nT1.3 X := 2 3:1: T1.1 -> T1.4 | X:w\nmarked: l T1.1\n",
      "T1.3 X := 2 3:1: T1.1 -> T1.4 | X:w\nmarked: l T1.1\n", "marked: l T1.1\n"};
  for (int i = 0; i < 3; i++) {
    Program p;
    Control control;
    open_program(&p);
    add_selection(&p, i ? ITEM_LITERAL : ITEM_ANY, i);
    CU_ASSERT_TRUE(is_good(&p));
    check_net(&p, LINES[i]);
    control_init(&control, p.heap);
    control_build(&control, &p, GRANULARITY_STATEMENT);
    CU_ASSERT_EQUAL(control.returns[control.procs.at[0].start], i < 2);
    control_fini(&control);
    close_program(&p);
  }
}

/* ---- rules ---- */

enum { BEGIN, TEST, WRITE, END, CALL, ATOMIC, SKIP, ATOMIC_END, SELECT, ONE, OTHER, LAST, RETURN };

static void open_good(Program *p) {
  open_program(p);
  const uint32_t proc = add_proc(p, add(p, OP_SKIP, PROGRAM_NONE, "skip", 1)), start = p->ops.n;
  add(p, OP_BEGIN, 0, "begin", 1);
  p->ops.at[add_test(p, ITEM_ANY, 0, 2)].otherwise = start + END;
  add_write(p, 0, 1, "X := 1", 3);
  add(p, OP_END, 0, "end", 4);
  add(p, OP_CALL, proc, "call", 5);
  add(p, OP_ATOMIC, PROGRAM_NONE, "atomic", 6);
  add(p, OP_SKIP, PROGRAM_NONE, "skip", 6);
  add(p, OP_ATOMIC_END, PROGRAM_NONE, "", 6);
  const uint32_t select = add(p, OP_SELECT, 2, "", 7);
  p->ops.at[select].items = p->items.n;
  p->ops.at[select].n_items = 1;
  add_item(p, ITEM_LOCAL, 0, 0);
  vec_push(p->heap, &p->locals, "i");
  for (int i = 0; i < 2; i++) lead(p, add(p, OP_JUMP, PROGRAM_NONE, "", 7), start + LAST);
  add(p, OP_SKIP, PROGRAM_NONE, "skip", 7);
  add_thread(p, add_proc(p, start), 1);
}

/* Breaks rule number i in one way; false if there is no such number. */
static bool break_rule(Program *p, uint32_t i) {
  ProgramOp *op = p->ops.at + p->procs.at[1].start;
  switch (i) {
  case 0: op[TEST].next = p->ops.n; return true;
  case 1: op[TEST].otherwise = 0; return true;
  case 2: op[WRITE].kind = OP_RETURN; return true;
  case 3: op[RETURN].kind = OP_SKIP; return true;
  case 4: op[CALL].number = p->procs.n; return true;
  case 5: op[CALL].next++; return true;
  case 6: op[BEGIN].number = 1; return true;
  case 7: op[SKIP].number = 0; return true;
  case 8: op[TEST].n_items = 0; return true;
  case 9: op[WRITE].n_targets = 0; return true;
  case 10: op[WRITE].targets = p->items.n; return true;
  case 11: p->items.at[op[WRITE].targets].kind = ITEM_LITERAL; return true;
  case 12: p->items.at[op[WRITE].targets - 1].kind = ITEM_OPERATOR; return true;
  case 13: op[ATOMIC_END].kind = OP_SKIP; return true;
  case 14: op[ATOMIC].kind = OP_SKIP; return true;
  case 15: op[END].kind = OP_SKIP, op[END].number = PROGRAM_NONE; return true;
  case 16: op[BEGIN].kind = OP_SKIP, op[BEGIN].number = PROGRAM_NONE; return true;
  case 17: op[TEST].otherwise = p->procs.at[1].start + CALL; return true;
  case 18: op[SKIP].kind = OP_JUMP, op[SKIP].next = p->procs.at[1].start + SKIP; return true;
  case 19: p->objects.at[1].initial = 2; return true;
  case 20: p->threads.at[0].proc = 2; return true;
  case 21: p->threads.at[0].n_tracked = 1; return true;
  case 22: vec_push(p->heap, &p->blocks, p->blocks.at[0]), op[END].number = 1; return true;
  case 23: p->procs.at[1].end = p->ops.n + 1; return true;
  case 24: p->items.at[op[WRITE].targets].variable = 2; return true;
  case 25: op[SKIP].kind = OP_ACQUIRE, op[SKIP].number = 2; return true;
  case 26: op[CALL].kind = OP_ACQUIRE, op[CALL].number = 1; return true;
  case 27: op[WRITE].place.file = 2; return true;
  case 28: op[WRITE].place.function = 1; return true;
  case 29: p->blocks.at[0].end.file = 2; return true;
  case 30: p->threads.at[0].place.function = 1; return true;
  case 31: p->items.at[op[WRITE].targets].place.file = 2; return true;
  case 32: op[CALL].kind = OP_JUMP, op[CALL].number = PROGRAM_NONE, op[CALL].next += 1; return true;
  case 33: op[SKIP].next++; return true;
  case 34: op[SKIP].next = p->procs.at[1].start + SKIP; return true;
  case 35: p->files.n = 0; return true;
  case 36: p->items.at[op[TEST].items].kind = ITEM_OBJECT, p->items.at[op[TEST].items].variable = 2; return true;
  case 37: op[SELECT].number = 3; return true;
  case 38: op[SELECT].number = PROGRAM_NONE; return true;
  case 39: op[SELECT].n_items = 0; return true;
  case 40: op[SELECT].next++; return true;
  case 41: p->items.at[op[SELECT].items].kind = ITEM_OBJECT; return true;
  case 42: op[ONE].next = p->procs.at[1].start + SELECT; return true;
  case 43: op[ONE].next = p->procs.at[1].start + OTHER; return true;
  case 44: op[OTHER].next = p->procs.at[1].start + RETURN; return true;
  case 45: op[ONE].kind = OP_SKIP; return true;
  default: return false;
  }
}

static void a_broken_rule_is_found(void) {
  bool there = true;
  for (uint32_t i = 0; there; i++) {
    Program p;
    open_good(&p);
    CU_ASSERT_TRUE(is_good(&p));
    there = break_rule(&p, i);
    if (there && is_good(&p)) printf("(rule %u) ", i);
    CU_ASSERT_EQUAL(is_good(&p), !there);
    close_program(&p);
  }
}

/* A chain of calls that closes would never end. */
static void calls_in_a_circle_have_no_net(void) {
  Program p;
  NoticeVec notices = {0};
  Err err = {0};
  open_program(&p);
  const uint32_t call = add(&p, OP_CALL, 0, "call", 1);
  add_thread(&p, add_proc(&p, call), 1);
  CU_ASSERT_TRUE(is_good(&p));
  CU_ASSERT_PTR_NULL(
      compile_program(&p, &(CompileOptions){GRANULARITY_STATEMENT, ENCODING_COMPACT, false, 0}, &notices, &err));
  CU_ASSERT_EQUAL(notices.n, 1);
  CU_ASSERT_EQUAL(notices.at[0].kind, NOTICE_DEEP);
  CU_ASSERT_EQUAL(notices.at[0].number, call);
  vec_fini(p.heap, &notices);
  close_program(&p);
}

void suite_program(void) {
  CU_pSuite suite = CU_add_suite("program", NULL, NULL);
  CU_ADD_TEST(suite, jumps_are_free);
  CU_ADD_TEST(suite, jumps_back_lead_to_their_end);
  CU_ADD_TEST(suite, the_control_follows_the_paths);
  CU_ADD_TEST(suite, a_block_is_one_however_often_it_is_called);
  CU_ADD_TEST(suite, a_net_may_be_too_large);
  CU_ADD_TEST(suite, notes_say_file_and_function);
  CU_ADD_TEST(suite, a_block_may_begin_twice);
  CU_ADD_TEST(suite, the_open_blocks_follow_the_paths);
  CU_ADD_TEST(suite, a_swap_is_one_event);
  CU_ADD_TEST(suite, a_selection_is_a_part_of_the_event_after_it);
  CU_ADD_TEST(suite, a_broken_rule_is_found);
  CU_ADD_TEST(suite, calls_in_a_circle_have_no_net);
}
