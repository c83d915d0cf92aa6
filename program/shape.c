/* Control is followed from the start on, in a region: the operations that may be placed there. The ends that are loose
 * lead on: to one operation, which is placed next; to several, of which each gets what only it leads to; or out of the
 * region. An operation that leads back to itself is the head of a loop, of all that leads back to it; in there, the way
 * back is one out of the region. */
#include "program/shape.h"

#include <assert.h>
#include <string.h>

/* An end of control: its SHAPE_GO, and the operation that it leads to. */
typedef struct {
  uint32_t go, to;
} Loose;

typedef VEC(Loose) LooseVec;

/* A list of shapes, and how control leaves it. */
typedef struct {
  uint32_t first, last;
  LooseVec loose;
} Part;

/* Per operation of the proc, from its start on: may it be placed? */
typedef bool *Region;

typedef struct {
  const Program *program;
  const ProgramProc *proc;
  Heap *heap;
  Shapes *shapes;
  uint32_t *open;                /* per operation of the program: program_find_open */
  U32Vec next, before;           /* where control comes to, and where it comes from, one operation after another */
  uint32_t *next_at, *before_at; /* per operation of the proc: where its part begins there; one more at the end */
  uint32_t n, depth;
  bool too_deep;
} Shaper;

static const ProgramOp *op_at(const Shaper *s, uint32_t op) { return &s->program->ops.at[op]; }

/* ---- the control ---- */

static uint32_t behind_jumps(const Shaper *s, uint32_t op) {
  while (op_at(s, op)->kind == OP_JUMP) op = op_at(s, op)->next;
  return op;
}

static uint32_t end_of_atomic(const Shaper *s, uint32_t op) {
  while (op_at(s, op)->kind != OP_ATOMIC_END) op++;
  return op;
}

static void add_once(Heap *heap, U32Vec *set, uint32_t number) {
  for (uint32_t i = 0; i < set->n; i++)
    if (set->at[i] == number) return;
  vec_push(heap, set, number);
}

static bool never_passes(const Shaper *s, uint32_t op) {
  return op_at(s, op)->kind == OP_AWAIT && op_at(s, op)->next == op;
}

static void add_successors(const Shaper *s, uint32_t op, U32Vec *to);

static Region new_region(const Shaper *s) { return heap_zeroed(s->heap, (size_t)s->n + 1); }

/* Does it end the block that the other one begins? */
static bool ends(const Shaper *s, uint32_t op, uint32_t begin) {
  return op_at(s, op)->kind == OP_END && s->open[op] == s->open[begin] + 1;
}

/* What is in the block that begins there, and the ends of it. */
static Region find_inside(const Shaper *s, uint32_t begin, U32Vec *found) {
  Region inside = new_region(s);
  U32Vec todo = {0};
  vec_push(s->heap, &todo, behind_jumps(s, op_at(s, begin)->next));
  while (todo.n) {
    const uint32_t op = todo.at[--todo.n];
    if (inside[op - s->proc->start]) continue;
    if (ends(s, op, begin)) add_once(s->heap, found, op);
    else inside[op - s->proc->start] = true, add_successors(s, op, &todo);
  }
  vec_fini(s->heap, &todo);
  return inside;
}

static void add_behind_block(const Shaper *s, uint32_t begin, U32Vec *to) {
  U32Vec found = {0};
  heap_release(s->heap, find_inside(s, begin, &found));
  for (uint32_t i = 0; i < found.n; i++) vec_push(s->heap, to, behind_jumps(s, op_at(s, found.at[i])->next));
  vec_fini(s->heap, &found);
}

/* Where control comes to after an operation, a whole block, or a whole event. */
static void add_successors(const Shaper *s, uint32_t op, U32Vec *to) {
  const ProgramOp *o = op_at(s, op);
  if (o->kind == OP_RETURN || never_passes(s, op)) return;
  if (o->kind == OP_BEGIN) {
    add_behind_block(s, op, to);
    return;
  }
  const uint32_t next = o->kind == OP_ATOMIC ? op_at(s, end_of_atomic(s, op))->next : o->next;
  vec_push(s->heap, to, behind_jumps(s, next));
  if (o->kind == OP_TEST) vec_push(s->heap, to, behind_jumps(s, o->otherwise));
}

/* What no way leads to has none. */
static void find_next(Shaper *s) {
  s->next_at = heap_zeroed(s->heap, ((size_t)s->n + 1) * sizeof *s->next_at);
  for (uint32_t i = 0; i < s->n; i++) {
    s->next_at[i] = s->next.n;
    const uint32_t op = s->proc->start + i;
    if (op_at(s, op)->kind != OP_JUMP && s->open[op] != PROGRAM_NONE) add_successors(s, op, &s->next);
  }
  s->next_at[s->n] = s->next.n;
}

/* The same the other way. */
static void find_before(Shaper *s) {
  s->before_at = heap_zeroed(s->heap, ((size_t)s->n + 2) * sizeof *s->before_at);
  vec_resize_zeroed(s->heap, &s->before, s->next.n);
  for (uint32_t k = 0; k < s->next.n; k++) s->before_at[s->next.at[k] - s->proc->start + 2]++;
  for (uint32_t i = 0; i < s->n; i++) s->before_at[i + 2] += s->before_at[i + 1];
  for (uint32_t i = 0; i < s->n; i++)
    for (uint32_t k = s->next_at[i]; k < s->next_at[i + 1]; k++)
      s->before.at[s->before_at[s->next.at[k] - s->proc->start + 1]++] = s->proc->start + i;
}

/* What can be come to in the region, forwards or backwards, from the operations of the list, which it uses up. */
static Region walk(const Shaper *s, const bool *region, const U32Vec *edges, const uint32_t *edges_at, U32Vec *todo) {
  Region reached = new_region(s);
  heap_poll(s->heap);
  while (todo->n) {
    const uint32_t i = todo->at[--todo->n] - s->proc->start;
    if (!region[i] || reached[i]) continue;
    reached[i] = true;
    for (uint32_t k = edges_at[i]; k < edges_at[i + 1]; k++) vec_push(s->heap, todo, edges->at[k]);
  }
  return reached;
}

static Region reach(const Shaper *s, const bool *region, U32Vec *todo) {
  return walk(s, region, &s->next, s->next_at, todo);
}

static Region reach_from(const Shaper *s, const bool *region, uint32_t op) {
  U32Vec todo = {0};
  vec_push(s->heap, &todo, op);
  Region reached = reach(s, region, &todo);
  vec_fini(s->heap, &todo);
  return reached;
}

static bool comes_back(const Shaper *s, const bool *region, uint32_t op) {
  U32Vec todo = {0};
  add_successors(s, op, &todo);
  Region reached = reach(s, region, &todo);
  const bool back = reached[op - s->proc->start];
  heap_release(s->heap, reached);
  vec_fini(s->heap, &todo);
  return back;
}

/* ---- parts ---- */

static uint32_t add_shape(Shaper *s, ShapeKind kind, uint32_t op) {
  vec_push(s->heap, &s->shapes->at,
           ((Shape){.kind = kind, .op = op, .first = PROGRAM_NONE, .otherwise = PROGRAM_NONE, .next = PROGRAM_NONE}));
  return s->shapes->at.n - 1;
}

static Shape *shape_at(Shaper *s, uint32_t shape) { return &s->shapes->at.at[shape]; }

static void append(Shaper *s, Part *part, uint32_t shape) {
  if (part->first == PROGRAM_NONE) part->first = shape;
  else shape_at(s, part->last)->next = shape;
  part->last = shape;
}

/* One that leads to the operation. */
static Part part_to(Shaper *s, uint32_t op) {
  Part part = {.first = PROGRAM_NONE, .last = PROGRAM_NONE};
  append(s, &part, add_shape(s, SHAPE_GO, op));
  vec_push(s->heap, &part.loose, ((Loose){part.last, op}));
  return part;
}

/* The list of the second one comes behind the first one, and its loose ends are those of both. */
static void join(Shaper *s, Part *part, Part *more) {
  if (more->first != PROGRAM_NONE) {
    append(s, part, more->first);
    part->last = more->last;
  }
  vec_fini(s->heap, &part->loose);
  part->loose = more->loose;
}

static void take_loose(Shaper *s, LooseVec *to, LooseVec *from) {
  for (uint32_t i = 0; i < from->n; i++) vec_push(s->heap, to, from->at[i]);
  vec_fini(s->heap, from);
}

static void need_all(Shaper *s, const LooseVec *loose) {
  for (uint32_t i = 0; i < loose->n; i++) shape_at(s, loose->at[i].go)->needed = true;
}

static void retarget(Shaper *s, Loose *loose, uint32_t to) { loose->to = shape_at(s, loose->go)->op = to; }

/* The loose ends that lead to the operation are loose no more. */
static void tie(LooseVec *loose, uint32_t op) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < loose->n; i++)
    if (loose->at[i].to != op) loose->at[n++] = loose->at[i];
  loose->n = n;
}

static bool all_lead_to(const LooseVec *loose, uint32_t op) {
  for (uint32_t i = 0; i < loose->n; i++)
    if (loose->at[i].to != op) return false;
  return true;
}

static bool is_in(const Shaper *s, const bool *region, uint32_t op) { return region[op - s->proc->start]; }

static void follow(Shaper *s, Part *part, Region region);

/* ---- one operation ---- */

/* Takes what the region has of the other one out of it. */
static void take_out(const Shaper *s, Region region, const bool *other) {
  for (uint32_t i = 0; i < s->n; i++) region[i] &= !other[i];
}

/* What a way has for itself: what it comes to, and the others do not. Taken out of the region. */
static Region take_own(const Shaper *s, Region region, Region reached, const bool *others) {
  take_out(s, reached, others);
  take_out(s, region, reached);
  return reached;
}

static Part choose(Shaper *s, uint32_t op, Region region) {
  const uint32_t yes = behind_jumps(s, op_at(s, op)->next), no = behind_jumps(s, op_at(s, op)->otherwise);
  Region by_yes = reach_from(s, region, yes), by_no = reach_from(s, region, no);
  Region both = new_region(s);
  for (uint32_t i = 0; i < s->n; i++) both[i] = by_yes[i] && by_no[i];
  by_yes = take_own(s, region, by_yes, both);
  by_no = take_own(s, region, by_no, both);
  heap_release(s->heap, both);
  Part part = {.first = PROGRAM_NONE, .last = PROGRAM_NONE}, a = part_to(s, yes), b = part_to(s, no);
  follow(s, &a, by_yes);
  follow(s, &b, by_no);
  append(s, &part, add_shape(s, SHAPE_IF, op));
  shape_at(s, part.last)->first = a.first;
  shape_at(s, part.last)->otherwise = b.first;
  take_loose(s, &part.loose, &a.loose);
  take_loose(s, &part.loose, &b.loose);
  return part;
}

/* A block, or an event, as one: `inside` is used up. */
static Part enclose(Shaper *s, ShapeKind kind, uint32_t op, Region inside) {
  Part part = {.first = PROGRAM_NONE, .last = PROGRAM_NONE}, body = part_to(s, behind_jumps(s, op_at(s, op)->next));
  follow(s, &body, inside);
  for (uint32_t i = 0; i < body.loose.n; i++)
    retarget(s, &body.loose.at[i], behind_jumps(s, op_at(s, body.loose.at[i].to)->next));
  append(s, &part, add_shape(s, kind, op));
  shape_at(s, part.last)->first = body.first;
  part.loose = body.loose;
  return part;
}

static Part enclose_block(Shaper *s, uint32_t op) {
  U32Vec found = {0};
  Region inside = find_inside(s, op, &found);
  vec_fini(s->heap, &found);
  return enclose(s, SHAPE_BLOCK, op, inside);
}

static Part enclose_atomic(Shaper *s, uint32_t op) {
  Region inside = new_region(s);
  for (uint32_t i = op + 1; op_at(s, i)->kind != OP_ATOMIC_END; i++) inside[i - s->proc->start] = true;
  return enclose(s, SHAPE_ATOMIC, op, inside);
}

/* The operation, which is out of the region by now, and what only it leads to. */
static Part place(Shaper *s, uint32_t op, Region region) {
  Part part = {.first = PROGRAM_NONE, .last = PROGRAM_NONE};
  const OpKind kind = op_at(s, op)->kind;
  if (kind == OP_TEST) return choose(s, op, region);
  if (kind == OP_BEGIN) return enclose_block(s, op);
  if (kind == OP_ATOMIC) return enclose_atomic(s, op);
  append(s, &part, add_shape(s, SHAPE_OP, op));
  if (never_passes(s, op)) return part;
  Part end = part_to(s, behind_jumps(s, op_at(s, op)->next));
  join(s, &part, &end);
  return part;
}

/* ---- loops ---- */

/* What leads back to one of the heads is taken out of the region, into that of the loop; without the heads. */
static Region take_loop(const Shaper *s, Region region, const U32Vec *heads) {
  U32Vec todo = {0};
  for (uint32_t i = 0; i < heads->n; i++) vec_push(s->heap, &todo, heads->at[i]);
  Region loop = walk(s, region, &s->before, s->before_at, &todo);
  vec_fini(s->heap, &todo);
  take_out(s, region, loop);
  for (uint32_t i = 0; i < heads->n; i++) loop[heads->at[i] - s->proc->start] = false;
  return loop;
}

/* Is it a test that leaves the loop on one side, and all else comes back to it? Then it is a while. */
static bool become_while(Shaper *s, Part *body, uint32_t head) {
  Shape *test = shape_at(s, body->first);
  if (test->kind != SHAPE_IF || test->op != head || test->next != PROGRAM_NONE) return false;
  for (int side = 0; side < 2; side++) {
    const uint32_t out = side ? test->first : test->otherwise;
    const Shape *go = shape_at(s, out);
    if (go->kind != SHAPE_GO || go->next != PROGRAM_NONE || go->op == head) continue;
    LooseVec *loose = &body->loose;
    uint32_t n = 0;
    for (uint32_t i = 0; i < loose->n; i++) n += loose->at[i].to != head;
    if (n != 1) continue;
    test->kind = SHAPE_WHILE;
    test->negated = side;
    test->first = side ? test->otherwise : test->first;
    test->otherwise = PROGRAM_NONE;
    append(s, body, out);
    tie(loose, head);
    return true;
  }
  return false;
}

/* The loop with that body: while the variable says so, or for ever. */
static Part close_loop(Shaper *s, Part *body, const U32Vec *heads) {
  Part part = {.first = PROGRAM_NONE, .last = PROGRAM_NONE};
  const bool for_ever = heads->n == 1 && all_lead_to(&body->loose, heads->at[0]);
  if (!for_ever) need_all(s, &body->loose);
  if (heads->n == 1 && !for_ever) {
    append(s, &part, add_shape(s, SHAPE_GO, heads->at[0]));
    shape_at(s, part.last)->needed = true;
  }
  append(s, &part, add_shape(s, SHAPE_LOOP, PROGRAM_NONE));
  Shape *loop = shape_at(s, part.last);
  loop->first = body->first;
  loop->labels = s->shapes->labels.n;
  loop->n_labels = for_ever ? 0 : heads->n;
  for (uint32_t i = 0; i < loop->n_labels; i++) vec_push(s->heap, &s->shapes->labels, heads->at[i]);
  for (uint32_t i = 0; i < heads->n; i++) tie(&body->loose, heads->at[i]);
  part.loose = body->loose;
  return part;
}

static Part loop_from(Shaper *s, uint32_t head, Region region) {
  const U32Vec heads = {&head, 1, 1};
  Region loop = take_loop(s, region, &heads);
  Part body = place(s, head, loop);
  follow(s, &body, loop);
  return become_while(s, &body, head) ? body : close_loop(s, &body, &heads);
}

/* ---- several ways ---- */

/* Adds a case to the chain: the list where the variable has that label. */
static void add_case(Shaper *s, uint32_t label, Part *part, Part *cases) {
  const uint32_t shape = add_shape(s, SHAPE_CASE, label);
  shape_at(s, shape)->first = part->first;
  if (cases->first == PROGRAM_NONE) cases->first = shape;
  else shape_at(s, cases->last)->otherwise = shape;
  cases->last = shape;
  take_loose(s, &cases->loose, &part->loose);
}

/* Each way that no other one leads to, with what only it leads to. False: there is none. */
static bool part_ways(Shaper *s, const U32Vec *entries, Region region, Part *cases) {
  bool *alone = heap_zeroed(s->heap, (size_t)entries->n + 1);
  Region *own = heap_zeroed(s->heap, ((size_t)entries->n + 1) * sizeof *own);
  bool any = false;
  for (uint32_t i = 0; i < entries->n; i++) own[i] = reach_from(s, region, entries->at[i]);
  uint32_t *ways = heap_zeroed(s->heap, ((size_t)s->n + 1) * sizeof *ways); /* how many come to it */
  for (uint32_t i = 0; i < entries->n; i++)
    for (uint32_t k = 0; k < s->n; k++) ways[k] += own[i][k];
  for (uint32_t i = 0; i < entries->n; i++) {
    any |= alone[i] = ways[entries->at[i] - s->proc->start] == 1;
    for (uint32_t k = 0; k < s->n; k++) own[i][k] &= alone[i] && ways[k] == 1;
  }
  for (uint32_t i = 0; i < entries->n; i++) {
    if (alone[i]) {
      Part way = part_to(s, entries->at[i]);
      take_out(s, region, own[i]);
      follow(s, &way, own[i]);
      add_case(s, entries->at[i], &way, cases);
    } else {
      heap_release(s->heap, own[i]);
    }
  }
  heap_release(s->heap, alone);
  heap_release(s->heap, own);
  heap_release(s->heap, ways);
  return any;
}

/* A loop that is entered at several places. */
static Part loop_of(Shaper *s, const U32Vec *entries, Region region) {
  Region loop = take_loop(s, region, entries), nothing = new_region(s);
  Part cases = {.first = PROGRAM_NONE, .last = PROGRAM_NONE};
  for (uint32_t i = 0; i < entries->n; i++) {
    Part way = place(s, entries->at[i], nothing);
    add_case(s, entries->at[i], &way, &cases);
  }
  cases.last = cases.first;
  heap_release(s->heap, nothing);
  follow(s, &cases, loop);
  return close_loop(s, &cases, entries);
}

/* ---- the whole ---- */

/* Where the loose ends lead to, in the region; *others: some lead elsewhere. */
static U32Vec entries_of(const Shaper *s, const LooseVec *loose, const bool *region, bool *others) {
  U32Vec entries = {0};
  *others = false;
  for (uint32_t i = 0; i < loose->n; i++)
    if (is_in(s, region, loose->at[i].to)) add_once(s->heap, &entries, loose->at[i].to);
    else *others = true;
  return entries;
}

/* What comes to one operation alone. */
static Part go_on(Shaper *s, uint32_t op, Region region) {
  if (comes_back(s, region, op)) return loop_from(s, op, region);
  region[op - s->proc->start] = false;
  return place(s, op, region);
}

/* Some of the loose ends lead to the parts of a chain of cases, and are loose no more. */
static void join_cases(Shaper *s, Part *part, Part *cases) {
  for (uint32_t c = cases->first; c != PROGRAM_NONE; c = shape_at(s, c)->otherwise)
    if (shape_at(s, c)->kind == SHAPE_CASE) tie(&part->loose, shape_at(s, c)->op);
  append(s, part, cases->first);
  take_loose(s, &part->loose, &cases->loose);
}

static void branch(Shaper *s, Part *part, const U32Vec *entries, Region region) {
  Part cases = {.first = PROGRAM_NONE, .last = PROGRAM_NONE};
  need_all(s, &part->loose);
  if (part_ways(s, entries, region, &cases)) {
    join_cases(s, part, &cases);
  } else {
    Part loop = loop_of(s, entries, region);
    for (uint32_t i = 0; i < entries->n; i++) tie(&part->loose, entries->at[i]);
    append(s, part, loop.first);
    take_loose(s, &part->loose, &loop.loose);
  }
}

/* Places all of the region that the loose ends lead to; the region is used up. */
static void follow(Shaper *s, Part *part, Region region) {
  s->too_deep |= ++s->depth > SHAPE_MOST;
  for (bool others; !s->too_deep;) {
    U32Vec entries = entries_of(s, &part->loose, region, &others);
    const bool done = !entries.n;
    if (entries.n == 1 && !others) {
      Part more = go_on(s, entries.at[0], region);
      join(s, part, &more);
    } else if (!done) {
      branch(s, part, &entries, region);
    }
    vec_fini(s->heap, &entries);
    if (done) break;
  }
  s->depth--;
  heap_release(s->heap, region);
}

static bool may_be_shaped(const Shaper *s, Err *err) {
  bool within = false;
  for (uint32_t i = s->proc->start; i < s->proc->end; i++) {
    const OpKind kind = op_at(s, i)->kind;
    if (kind == OP_CALL || kind == OP_SELECT || kind == OP_FAIL || (kind == OP_ATOMIC && within))
      return err_set(err, ERR_INPUT, "a thread, '%.100s', has calls, selections, assertions, or events in each other",
                     s->proc->name);
    within = kind == OP_ATOMIC || (within && kind != OP_ATOMIC_END);
  }
  return true;
}

/* All operations but the last one, the OP_RETURN, where all ways end. */
static void shape_all(Shaper *s) {
  Region region = new_region(s);
  memset(region, true, s->n - 1);
  Part part = part_to(s, behind_jumps(s, s->proc->start));
  follow(s, &part, region);
  s->shapes->first = part.first;
  vec_fini(s->heap, &part.loose);
}

bool shape_proc(const Program *program, uint32_t proc, Heap *heap, Shapes *shapes, Err *err) {
  Shaper s = {.program = program, .proc = &program->procs.at[proc], .heap = heap, .shapes = shapes};
  *shapes = (Shapes){.heap = heap, .first = PROGRAM_NONE};
  if (!may_be_shaped(&s, err)) return false;
  s.n = s.proc->end - s.proc->start;
  s.open = heap_alloc(heap, ((size_t)program->ops.n + 1) * sizeof *s.open);
  program_find_open(program, s.open);
  find_next(&s);
  find_before(&s);
  shape_all(&s);
  heap_release(heap, s.open);
  heap_release(heap, s.next_at);
  heap_release(heap, s.before_at);
  vec_fini(heap, &s.next);
  vec_fini(heap, &s.before);
  return !s.too_deep ||
         err_set(err, ERR_INPUT, "a thread, '%.100s', would be nested deeper than %u", s.proc->name, SHAPE_MOST);
}

void shape_fini(Shapes *shapes) {
  vec_fini(shapes->heap, &shapes->at);
  vec_fini(shapes->heap, &shapes->labels);
}
