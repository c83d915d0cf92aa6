/* What is passed to threads by memory (question.h): a load that finds what a store has left that is done in each round
 * of a loop, to another place each time, as in `for (...) { args[i].from = ...; pthread_create(..., &args[i]); }`.
 *
 * What is loaded by the thread that was created in that round, or later in the round, or behind the loop from the first
 * place, or in the round of the same number of another loop, is what was stored there, if no other write that may come
 * later is to these bytes. Where no write at all is to them it is what was there at first. */
#include "frontend/c/question_inside.h"

/* No more is asked about what is passed. */
enum { MOST_ASKED = 1500 };

/* A load, and a write, or the store that is taken for what it finds. */
typedef struct {
  const Deed *load, *write;
  const Passed *passed; /* the store's; PASSED_NOT: there is none yet */
  int sign;             /* the store's place is less, or greater */
} Places;

static uint32_t thread_of(const Deeds *d, uint32_t context) { return d->points->contexts.at[context].thread; }

/* When the store was done in the round that another loop was in at a moment; or, of 5, when its loop was left. */
static uint32_t filled(const Passed *p, uint32_t moment) { return MOMENT_FILLED + 8 * p->number + moment; }

/* The moment that the other loop is meant at, of the load of the first thread. */
static uint32_t meant(const Passed *p) { return p->is_own ? 0 : MOMENT_CREATED; }

/* The moment at which the store was done that is taken, of the load of the first thread. */
static uint32_t moment_of(const Passed *p) {
  if (p->kind == PASSED_ROUND) return 0;
  if (p->kind == PASSED_ONCE) return MOMENT_ONCE;
  if (p->kind == PASSED_FILLED) return filled(p, meant(p));
  return p->kind == PASSED_CREATED ? MOMENT_CREATED : MOMENT_STORED + p->store;
}

/* The first round, if that is what is meant. */
static bool say_round(Question *q, const Passed *p, LinearSum *rounds) {
  if (p->kind == PASSED_FILLED) question_go_along(q, moment_of(p), &p->loop, meant(p), &p->other);
  if (!question_rounds_of(q, moment_of(p), &p->loop, rounds)) return false;
  if (p->kind == PASSED_FIRST) question_zero(q, rounds);
  return true;
}

/* ---- the store ---- */

/* It is to another place, or, if the sign is 0, to another block of memory. */
static void say_other_place(Question *q, const void *what) {
  const Places *places = what;
  LinearSum rounds;
  Where a, b;
  question_add_ways(q, 0, places->load->context, places->load->instruction);
  if (q->refuted || !say_round(q, places->passed, &rounds) || !question_bytes(q, 0, places->load, &a) ||
      !question_bytes(q, moment_of(places->passed), places->write, &b))
    return;
  if (places->sign < 0) question_most(q, &b.at, &a.at, -1);
  else if (places->sign > 0) question_most(q, &a.at, &b.at, -1);
  else q->refuted |= a.is_made && b.is_made && a.made == b.made;
}

static bool never(const Deeds *d, const Places *places, QuestionSay *say) {
  const uint32_t threads[] = {thread_of(d, places->load->context), thread_of(d, places->write->context)};
  return ++d->passing->asked <= MOST_ASKED && question_never(d, threads, say, places);
}

static bool is_same_place(const Deeds *d, const Deed *load, const Deed *store, const Passed *p) {
  const Places less = {load, store, p, -1}, greater = {load, store, p, 1}, other = {load, store, p, 0};
  return never(d, &less, say_other_place) && never(d, &greater, say_other_place) &&
         (d->points->objects.at[load->object].is_single || never(d, &other, say_other_place));
}

/* Where control is in a context when an instruction of another one is done, which that runs or a thread that it has
 * created; C_NONE: it is not there. */
static uint32_t place_in(const Deeds *d, uint32_t context, uint32_t inner, uint32_t number) {
  const Points *p = d->points;
  while (inner != C_NONE && inner != context) {
    const CContext *c = &p->contexts.at[inner];
    const CThread *t = &p->threads.at[c->thread];
    number = c->parent == C_NONE ? t->call : c->call;
    inner = c->parent == C_NONE ? t->from : c->parent;
  }
  return inner == C_NONE ? C_NONE : number;
}

/* Where the loop goes round once, has the store been done before control is at the load? */
static bool is_done_first(const Deeds *d, uint32_t head, uint32_t store, uint32_t load) {
  const CModule *module = d->module;
  const CBlock *b = &module->blocks.at[head];
  const uint32_t in = module->successors.at[b->successors], here = module->instructions.at[store].block,
                 there = module->instructions.at[load].block;
  if (module->instructions.at[b->end - 1].kind != C_BRANCH || !dominators_passes(&d->dominators, head, there) ||
      head == there || head == here || in == module->successors.at[b->successors + 1])
    return false;
  if (cmodule_reaches(module, there, head, C_NONE)) return false;
  return in == here || (!cmodule_reaches(module, in, there, here) && !cmodule_reaches(module, in, head, here));
}

/* Is the store to no other object? */
static bool is_only_to(const Deeds *d, const Deed *store) {
  const U32Vec set = points_of(d->points, store->context, &d->module->instructions.at[store->instruction], 1);
  for (uint32_t k = 0; k < set.n; k++)
    if (d->points->targets.at[set.at[k]].object != store->object) return false;
  return true;
}

/* ---- a loop that fills, and another one ---- */

/* The first loop was left where it had gone round no more often than the other one has. */
static void say_not_filled(Question *q, const void *what) {
  const Places *places = what;
  const Passed *p = places->passed;
  const CBlock *exit = &q->d->module->blocks.at[question_exit_of(q->d, p->loop.head)];
  LinearSum filled_rounds, rounds;
  question_add_ways(q, 0, places->load->context, places->load->instruction);
  if (q->refuted || !question_rounds_of(q, filled(p, 5), &p->loop, &filled_rounds) ||
      !question_rounds_of(q, meant(p), &p->other, &rounds))
    return;
  question_most(q, &filled_rounds, &rounds, 0);
  question_add_ways(q, filled(p, 5), p->loop.context, exit->start);
}

/* Was the store done in each round of its loop, which is over before the load, or before its thread was created, and
 * went round more often than the loop of that? */
static bool is_filled(const Deeds *d, const Deed *load, const Deed *store, Passed *p) {
  const CThread *t = &d->points->threads.at[thread_of(d, load->context)];
  const bool created = t->from != C_NONE && !points_once(d->points, t->from, t->call);
  const uint32_t exit = p->loop.context == store->context ? question_exit_of(d, p->loop.head) : C_NONE;
  const Places places = {load, store, p, 0};
  if (exit == C_NONE || !question_in_each_round(d, p->loop.head, store->instruction)) return false;
  p->is_own = !created;
  p->other = created ? question_loop_of(d, t->from, t->call) : question_loop_of(d, load->context, load->instruction);
  if (p->other.head == C_NONE || !deeds_is_behind(d, p->loop.context, exit, load->context, load->instruction))
    return false;
  return (created ? deeds_is_behind(d, p->loop.context, exit, t->from, t->call) : true) &&
         never(d, &places, say_not_filled);
}

/* May the load find what the store leaves? */
static PassedKind kind_of(const Deeds *d, const Deed *load, const Deed *store, Passed *p) {
  const CThread *t = &d->points->threads.at[thread_of(d, load->context)];
  if (t->from != C_NONE && !points_once(d->points, t->from, t->call)) {
    const Loop creating = question_loop_of(d, t->from, t->call);
    if (question_same_loop(&p->loop, &creating))
      return deeds_is_before(d, store->context, store->instruction, t->from, t->call) ? PASSED_CREATED : PASSED_NOT;
  }
  const Loop own = question_loop_of(d, load->context, load->instruction);
  if (question_same_loop(&p->loop, &own))
    return deeds_is_before(d, store->context, store->instruction, load->context, load->instruction) ? PASSED_ROUND
                                                                                                    : PASSED_NOT;
  const uint32_t there = place_in(d, store->context, load->context, load->instruction);
  if (there != C_NONE && p->loop.context == store->context && d->points->objects.at[load->object].is_single &&
      is_done_first(d, p->loop.head, store->instruction, there))
    return PASSED_FIRST;
  return PASSED_NOT;
}

static bool find_store(const Deeds *d, const Deed *load, const Deed *store, Passed *p) {
  const CInstruction *i = &d->module->instructions.at[store->instruction];
  Passed found = *p;
  if (i->kind != C_STORE || store->size != load->size || !is_only_to(d, store)) return false;
  found.loop = question_loop_of(d, store->context, store->instruction);
  if (found.loop.head == C_NONE) return false;
  found.store_context = store->context;
  found.store = store->instruction;
  found.kind = kind_of(d, load, store, &found);
  if (found.kind == PASSED_NOT || !is_same_place(d, load, store, &found)) {
    found.kind = PASSED_FILLED;
    if (!is_filled(d, load, store, &found) || !is_same_place(d, load, store, &found)) return false;
  }
  *p = found;
  return true;
}

/* ---- another store in the same round, or where both are done once: `a[i] = x; if (x > n) a[i] = n;` ---- */

/* Where the load finds what is stored in a round: where control is in the store's context when it, or the creation of
 * its thread, is done. C_NONE: not there. */
static uint32_t found_at(const Deeds *d, const Deed *load, const Passed *p) {
  if (p->kind != PASSED_CREATED && p->kind != PASSED_ROUND && p->kind != PASSED_ONCE) return C_NONE;
  return place_in(d, p->store_context, load->context, load->instruction);
}

/* Is the write in the loop of the store, in the same context, done once in a round at most? */
static bool is_beside(const Deeds *d, const Deed *w, const Passed *p) {
  const Loop loop = question_loop_of(d, w->context, w->instruction);
  return w->context == p->store_context && p->loop.context == w->context && question_same_loop(&loop, &p->loop);
}

/* Is the write done once, where that store is done once, and never behind an instruction? */
static bool is_once_before(const Deeds *d, const Deed *w, const Deed *load, const Passed *p, uint32_t there) {
  const Deed behind = {.context = p->store_context, .instruction = there};
  return p->kind == PASSED_ONCE && w->context == p->store_context && w->offset == load->offset &&
         points_once(d->points, w->context, w->instruction) && deeds_is_never_behind(d, w, &behind);
}

/* Is it the load of a round, and does the write come behind it, if it is done in that round? */
static bool is_too_late(const Deeds *d, const Deed *w, const Deed *load, const Passed *p) {
  const uint32_t there = found_at(d, load, p);
  return p->kind == PASSED_ROUND && there != C_NONE && is_beside(d, w, p) &&
         !question_comes_within(d, p->loop.head, w->instruction, there);
}

/* Is the write a store that may change what the load finds, in the round of the store, behind that, and nothing else of
 * it? Sets it. */
static bool is_change(const Deeds *d, const Deed *w, const Deed *load, Passed *p) {
  const uint32_t there = found_at(d, load, p);
  const CInstruction *i = &d->module->instructions.at[w->instruction];
  Passed changed = *p;
  if (there == C_NONE || p->change != C_NONE || i->kind != C_STORE || w->size != load->size || !is_only_to(d, w) ||
      !deeds_is_before(d, p->store_context, p->store, w->context, w->instruction))
    return false;
  changed.store = w->instruction;
  if (!is_once_before(d, w, load, p, there) &&
      (!is_beside(d, w, p) || question_comes_within(d, p->loop.head, there, w->instruction) ||
       !is_same_place(d, load, w, &changed)))
    return false;
  p->change = w->instruction;
  return true;
}

/* ---- other writes ---- */

/* In the store's loop, a write that comes later is done in a later round, or behind the store in the same one; but in no
 * later round than a load in the loop, if that thread writes there itself. */
static void say_later(Question *q, const Places *places) {
  const Passed *p = places->passed;
  const Deed *w = places->write;
  LinearSum then, later;
  const Loop loop = question_loop_of(q->d, w->context, w->instruction);
  if (p->kind == PASSED_NOT || !question_same_loop(&loop, &p->loop) || !say_round(q, p, &then) ||
      !question_rounds_of(q, 1, &loop, &later))
    return;
  const bool before = (w->context == p->store_context && (w->instruction == p->store || w->instruction == p->change)) ||
                      deeds_is_before(q->d, w->context, w->instruction, p->store_context, p->store);
  question_most(q, &then, &later, before ? -1 : 0);
  if (p->kind == PASSED_ROUND && q->threads[0] == q->threads[1]) question_most(q, &later, &then, 0);
}

static void say_overwritten(Question *q, const void *what) {
  const Places *places = what;
  Where a, b;
  if (q->threads[0] != q->threads[1]) question_add_creations(q);
  if (!q->refuted) question_add_ways(q, 0, places->load->context, places->load->instruction);
  if (!q->refuted) question_add_ways(q, 1, places->write->context, places->write->instruction);
  if (!q->refuted) say_later(q, places);
  if (q->refuted || !question_bytes(q, 0, places->load, &a) || !question_begins(q, 1, places->write, &b)) return;
  question_overlap(q, &a, places->load, &b, places->write);
  question_same_block(q, places->load->object, &a, &b);
}

/* Is the write done behind a loop that joins the load's thread? */
static bool is_behind(const Deeds *d, const Deed *w, const Deed *load) {
  return question_is_joined(d, thread_of(d, load->context), w);
}

static bool is_overwritten(const Deeds *d, const Deed *load, Passed *p) {
  const Deed store = {.context = p->store_context, .instruction = p->store};
  for (uint32_t i = d->first[load->object]; i < d->first[load->object + 1]; i++) {
    const Deed *w = &d->all.at[i];
    const Places places = {load, w, p, 0};
    if (w->deed == DOES_READ) continue;
    if (p->kind != PASSED_NOT && (deeds_is_never_behind(d, w, &store) || is_behind(d, w, load))) continue;
    if (p->kind == PASSED_ONCE && w->context == p->store_context && w->instruction == p->store) continue;
    if (is_too_late(d, w, load, p) || never(d, &places, say_overwritten)) continue;
    if (!is_change(d, w, load, p)) return true;
    if (p->kind != PASSED_ONCE && !never(d, &places, say_overwritten)) return true;
  }
  return false;
}

/* ---- what a load finds ---- */

/* Is there another store to that place, which is done once, behind that one? Little is asked where there is none. */
static bool has_change(const Deeds *d, const Deed *load, const Passed *p) {
  const uint32_t there = found_at(d, load, p);
  for (uint32_t i = d->first[load->object]; there != C_NONE && i < d->first[load->object + 1]; i++) {
    const Deed *w = &d->all.at[i];
    if (d->module->instructions.at[w->instruction].kind == C_STORE && w->instruction != p->store &&
        w->size == load->size && is_once_before(d, w, load, p, there) &&
        deeds_is_before(d, p->store_context, p->store, w->context, w->instruction))
      return true;
  }
  return false;
}

/* A store that is done once, before the load, to its only place; it is sought where another one changes what it leaves:
 * else deeds_load has found it. */
static bool find_once(const Deeds *d, const Deed *load, const Deed *store, Passed *p) {
  Passed once = *p;
  if (d->module->instructions.at[store->instruction].kind != C_STORE || store->size != load->size ||
      store->offset == OFFSET_ANY || store->offset != load->offset || !is_only_to(d, store) ||
      !points_once(d->points, store->context, store->instruction) ||
      !deeds_is_before(d, store->context, store->instruction, load->context, load->instruction))
    return false;
  once.kind = PASSED_ONCE;
  once.store_context = store->context;
  once.store = store->instruction;
  once.loop = (Loop){C_NONE, C_NONE, C_NONE};
  if (!has_change(d, load, &once) || is_overwritten(d, load, &once)) return false;
  *p = once;
  return true;
}

static Passed find(const Deeds *d, Passed p) {
  const Deed *load = deeds_of(d, p.context, p.load, 0);
  const CObject *o = load ? &d->points->objects.at[load->object] : NULL;
  if (!o || o->stride || o->is_copied || o->instances || !load->size) return p;
  if (o->kind != OBJECT_GLOBAL && o->kind != OBJECT_STACK && o->kind != OBJECT_HEAP) return p;
  for (uint32_t i = d->first[load->object + 1]; i-- > d->first[load->object] && o->is_single;)
    if (d->all.at[i].deed != DOES_READ && find_once(d, load, &d->all.at[i], &p)) return p;
  for (uint32_t i = d->first[load->object]; i < d->first[load->object + 1] && p.kind == PASSED_NOT; i++)
    if (d->all.at[i].deed != DOES_READ) find_store(d, load, &d->all.at[i], &p);
  const bool fresh = p.kind == PASSED_NOT;
  if (fresh && (!o->is_single || !deeds_is_zeroed(d, load->object))) return p;
  if (is_overwritten(d, load, &p)) p.kind = PASSED_NOT;
  else if (fresh) p.kind = PASSED_ZERO;
  return p;
}

static Passed passed(const Deeds *d, uint32_t context, uint32_t load) {
  Passing *all = d->passing;
  for (uint32_t i = 0; i < all->found.n; i++)
    if (all->found.at[i].context == context && all->found.at[i].load == load) return all->found.at[i];
  const Passed p = {.context = context, .load = load, .number = all->found.n, .kind = PASSED_NOT, .change = C_NONE};
  const uint32_t striding = all->striding;
  vec_push(d->heap, &all->found, p); /* while it is sought */
  all->striding = C_NONE;            /* what is found is to stay */
  const Passed found = find(d, p);
  all->striding = striding;
  all->found.at[p.number] = found;
  return found;
}

/* Does the loop go round once at all? One case or the other. */
static bool goes_round(Question *q, const Passed *p, uint32_t moment) {
  const CBlock *b = &q->d->module->blocks.at[p->loop.head];
  LinearSum rounds;
  bool is_new;
  const uint32_t option = question_case(q, CHOICE_ROUND, moment, p->store_context, p->loop.head, 2, &is_new);
  if (is_new && say_round(q, p, &rounds))
    question_truth(q, moment, p->store_context, question_operand(q, question_at(q, b->end - 1), 0), option == 0);
  if (is_new) question_check(q);
  return option == 0;
}

/* Control has come through a block in that round, and not to one that it leads to, if it must come through it. */
static void pass_by(Question *q, const Passed *p, uint32_t moment, uint32_t from, uint32_t block) {
  const uint32_t end = q->d->module->blocks.at[from].end - 1;
  const CInstruction *last = question_at(q, end);
  const uint32_t *to = q->d->module->successors.at + q->d->module->blocks.at[from].successors;
  const Loop loop = question_loop_of(q->d, p->store_context, end);
  const bool once = p->kind == PASSED_ONCE && points_once(q->d->points, p->store_context, end);
  if (last->kind != C_BRANCH || to[0] == to[1] || (!once && !question_same_loop(&loop, &p->loop)) ||
      !deeds_is_before(q->d, p->store_context, end, p->context, p->load))
    return;
  question_truth(q, moment, p->store_context, question_operand(q, last, 0), to[0] != block);
}

/* Has the other store been done in that round, too? One case or the other: control has come to it, or not. */
static bool is_changed(Question *q, const Passed *p, uint32_t moment) {
  const Dominators *d = &q->d->dominators;
  const uint32_t block = question_at(q, p->change)->block;
  bool is_new;
  const bool done = question_case(q, CHOICE_CHANGED, moment, p->store_context, p->change, 2, &is_new) == 1;
  if (!is_new) return done;
  if (done) question_pass(q, moment, p->store_context, block, C_NONE);
  else if (d->comings[block + 1] - d->comings[block] == 1) pass_by(q, p, moment, d->at[d->comings[block]], block);
  question_check(q);
  return done;
}

/* In the round that the other loop is in at that moment. */
static bool fill(Question *q, const Passed *p, uint32_t moment, Source *source) {
  source->moment = filled(p, moment);
  if (moment == MOMENT_ONCE || moment >= MOMENT_STORED) return false;
  question_go_along(q, source->moment, &p->loop, moment, &p->other);
  return true;
}

/* What the other store has left, if it has been done. False: that is not asked now. */
static bool change(Question *q, const Passed *p, Source *source) {
  if (p->change == C_NONE) return true;
  if (!question_may_choose(q, CHOICE_CHANGED, source->moment)) return q->is_long = true, false;
  if (is_changed(q, p, source->moment)) source->operand = question_operand(q, question_at(q, p->change), 0);
  return true;
}

bool question_passed(Question *q, uint32_t moment, uint32_t context, uint32_t load, Source *source) {
  const Passed p = passed(q->d, context, load);
  Creation creation;
  *source = (Source){.is_zero = p.kind == PASSED_ZERO};
  if (p.kind == PASSED_NOT || p.kind == PASSED_ZERO) return p.kind == PASSED_ZERO;
  source->operand = question_operand(q, question_at(q, p.store), 0);
  source->context = p.store_context;
  source->moment = p.kind == PASSED_ONCE ? (uint32_t)MOMENT_ONCE : MOMENT_STORED + p.store;
  if (p.kind == PASSED_ONCE) return change(q, &p, source);
  if (p.kind == PASSED_FIRST) return goes_round(q, &p, source->moment);
  if (p.kind == PASSED_ROUND) return source->moment = moment, moment != MOMENT_ONCE && change(q, &p, source);
  if (p.kind == PASSED_FILLED && p.is_own) return fill(q, &p, moment, source);
  if (!question_creation(q, moment, context, &creation)) return false;
  if (p.kind == PASSED_FILLED) return fill(q, &p, creation.moment, source);
  source->moment = creation.moment;
  return change(q, &p, source);
}
