#include "ask/reaching.h"

#include "ask/answer_proof.h"
#include "ask/block_input.h"
#include "ask/gaps.h"
#include "unfold/certificate_write.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Heap *heap;
  const Net *net;
  const Notes *notes;
  const ReachOptions *asked;
  VEC(ReachGoal) goals;
  Err *err;
} Asking;

static const PlaceNote *note_of(const Asking *a, PlaceId p) { return &a->notes->places[p.v]; }

static bool is_control(const Asking *a, PlaceId p) { return note_of(a, p)->role == ROLE_CONTROL; }

static bool is_point(const Asking *a, PlaceId p, ControlPoint point) {
  return is_control(a, p) && note_of(a, p)->point == point;
}

/* ---- formulas: each part behind those that it is made of ---- */

static uint32_t add_part(Asking *a, Formula *f, FormulaPart part) {
  vec_push(a->heap, &f->parts, part);
  return f->parts.n - 1;
}

static uint32_t add_both(Asking *a, Formula *f, uint32_t left, uint32_t right) {
  return add_part(a, f, (FormulaPart){.kind = FORMULA_AND, .left = left, .right = right});
}

static uint32_t add_not(Asking *a, Formula *f, uint32_t left) {
  return add_part(a, f, (FormulaPart){.kind = FORMULA_NOT, .left = left});
}

/* The places that have been added since there were `first`. */
static uint32_t add_sum(Asking *a, Formula *f, uint32_t first, uint32_t bound) {
  return add_part(
      a, f, (FormulaPart){.kind = FORMULA_SUM, .first = first, .n_summands = f->places.n - first, .bound = bound});
}

static uint32_t add_places(Asking *a, Formula *f, const bool *chosen, const bool *others, uint32_t bound) {
  const uint32_t first = f->places.n;
  for (uint32_t p = 0; p < a->net->n_places; p++)
    if (chosen[p] || (others && others[p])) vec_push(a->heap, &f->places, (PlaceId){p});
  return add_sum(a, f, first, bound);
}

static ReachGoal *add_goal(Asking *a, ReachKind kind) {
  vec_push(a->heap, &a->goals, ((ReachGoal){.kind = kind, .formula = {.heap = a->heap}}));
  return &vec_last(&a->goals);
}

/* ---- assertions ---- */

static bool same_pos(SrcPos a, SrcPos b) {
  return a.line == b.line && a.column == b.column && a.file == b.file && a.function == b.function;
}

static ReachGoal *goal_at(Asking *a, const TransNote *event) {
  for (uint32_t i = 0; i < a->goals.n; i++)
    if (same_pos(a->goals.at[i].pos, event->pos)) return &a->goals.at[i];
  ReachGoal *goal = add_goal(a, REACH_FAILURE);
  goal->pos = event->pos;
  goal->text = event->text;
  return goal;
}

static void add_failed(Asking *a, ReachGoal *goal, PlaceId p) {
  const TransList next = net_consumers(a->net, p);
  for (uint32_t i = 0; i < next.n; i++) {
    const PlaceList post = net_post(a->net, next.at[i]);
    for (uint32_t k = 0; k < post.n; k++)
      if (is_point(a, post.at[k], POINT_FAILED)) vec_push(a->heap, &goal->formula.places, post.at[k]);
  }
}

static int compare_places(const void *a, const void *b) {
  const uint32_t x = ((const PlaceId *)a)->v, y = ((const PlaceId *)b)->v;
  return (x > y) - (x < y);
}

static int compare_pos(SrcPos x, SrcPos y) {
  if (x.file != y.file) return x.file < y.file ? -1 : 1;
  if (x.line != y.line) return x.line < y.line ? -1 : 1;
  return (x.column > y.column) - (x.column < y.column);
}

static int compare_goals(const void *a, const void *b) {
  return compare_pos(((const ReachGoal *)a)->pos, ((const ReachGoal *)b)->pos);
}

static void finish_failure(Asking *a, ReachGoal *goal) {
  Formula *f = &goal->formula;
  uint32_t n = 0;
  if (f->places.n) qsort(f->places.at, f->places.n, sizeof *f->places.at, compare_places);
  for (uint32_t i = 0; i < f->places.n; i++)
    if (!n || f->places.at[n - 1].v != f->places.at[i].v) f->places.at[n++] = f->places.at[i];
  f->places.n = n;
  add_sum(a, f, 0, 1);
}

/* In the order of the source. */
static bool add_assertions(Asking *a) {
  const uint32_t first = a->goals.n;
  for (uint32_t p = 0; p < a->net->n_places; p++) {
    const TransList next = net_consumers(a->net, (PlaceId){p});
    if (is_point(a, (PlaceId){p}, POINT_ASSERTION) && next.n)
      add_failed(a, goal_at(a, &a->notes->transitions[next.at[0].v]), (PlaceId){p});
  }
  if (a->goals.n == first) return err_set(a->err, ERR_INPUT, "there is no assertion that a thread can come to");
  qsort(a->goals.at + first, a->goals.n - first, sizeof *a->goals.at, compare_goals);
  for (uint32_t i = first; i < a->goals.n; i++) finish_failure(a, &a->goals.at[i]);
  return true;
}

/* ---- deadlocks ---- */

static bool is_over(ControlPoint point) { return point == POINT_START || point == POINT_END || point == POINT_FAILED; }

/* At least one of all places that are over; PLACE_NONE.v if the thread has no place. */
static uint32_t add_over(Asking *a, Formula *f, uint32_t thread, const U32Vec *places, const uint32_t *start) {
  const uint32_t first = f->places.n;
  for (uint32_t i = start[thread]; i < start[thread + 1]; i++)
    if (is_over(note_of(a, (PlaceId){places->at[i]})->point)) vec_push(a->heap, &f->places, (PlaceId){places->at[i]});
  return add_sum(a, f, first, 1);
}

/* The control places of the threads: those of thread t are at[start[t] ..]. */
static uint32_t *sort_controls(Asking *a, U32Vec *places) {
  const uint32_t n = a->notes->n_threads;
  uint32_t *start = heap_zeroed(a->heap, ((size_t)n + 2) * sizeof *start);
  for (uint32_t p = 0; p < a->net->n_places; p++)
    if (is_control(a, (PlaceId){p})) start[note_of(a, (PlaceId){p})->thread + 2]++;
  for (uint32_t t = 0; t < n; t++) start[t + 2] += start[t + 1];
  vec_resize_zeroed(a->heap, places, start[n + 1]);
  for (uint32_t p = 0; p < a->net->n_places; p++)
    if (is_control(a, (PlaceId){p})) places->at[start[note_of(a, (PlaceId){p})->thread + 1]++] = p;
  return start;
}

/* Some thread is not over. */
static uint32_t add_waits(Asking *a, Formula *f) {
  U32Vec places = {0};
  uint32_t *start = sort_controls(a, &places), all = NOTE_NONE;
  for (uint32_t t = 0; t < a->notes->n_threads; t++) {
    if (start[t] == start[t + 1]) continue;
    const uint32_t over = add_over(a, f, t, &places, start);
    all = all == NOTE_NONE ? over : add_both(a, f, all, over);
  }
  heap_release(a->heap, start);
  vec_fini(a->heap, &places);
  return all == NOTE_NONE ? add_sum(a, f, f->places.n, 1) : add_not(a, f, all);
}

/* The transition is not enabled. */
static uint32_t add_disabled(Asking *a, Formula *f, TransId t) {
  const PlaceList pre = net_pre(a->net, t);
  uint32_t all = NOTE_NONE;
  for (uint32_t i = 0; i < pre.n; i++) {
    vec_push(a->heap, &f->places, pre.at[i]);
    const uint32_t one = add_sum(a, f, f->places.n - 1, 1);
    all = all == NOTE_NONE ? one : add_both(a, f, all, one);
  }
  return add_not(a, f, all);
}

static void add_deadlock(Asking *a) {
  Formula *f = &add_goal(a, REACH_DEADLOCK)->formula;
  uint32_t all = add_waits(a, f);
  for (uint32_t t = 0; t < a->net->n_trans; t++) all = add_both(a, f, all, add_disabled(a, f, (TransId){t}));
}

/* ---- threads in blocks at once ---- */

/* Marks the control places that are reached from those in the queue by events, but for those that begin or end the
 * block. */
static void spread(Asking *a, uint32_t block, U32Vec *queue, bool *marked) {
  while (queue->n) {
    const TransList next = net_consumers(a->net, (PlaceId){queue->at[--queue->n]});
    for (uint32_t i = 0; i < next.n; i++) {
      const TransNote *event = &a->notes->transitions[next.at[i].v];
      if (event->begin == block || event->end == block) continue;
      const PlaceList post = net_post(a->net, next.at[i]);
      for (uint32_t k = 0; k < post.n; k++) {
        if (!is_control(a, post.at[k]) || marked[post.at[k].v]) continue;
        marked[post.at[k].v] = true;
        vec_push(a->heap, queue, post.at[k].v);
      }
    }
  }
}

static void start_at(Asking *a, PlaceId p, U32Vec *queue, bool *marked) {
  if (!is_control(a, p) || marked[p.v]) return;
  marked[p.v] = true;
  vec_push(a->heap, queue, p.v);
}

/* The control places behind a begin of the block, or behind an end of it and at the start. */
static void mark_side(Asking *a, uint32_t block, bool inside, bool *marked) {
  U32Vec queue = {0};
  for (uint32_t p = 0; p < a->net->n_places; p++)
    if (!inside && a->net->marked[p]) start_at(a, (PlaceId){p}, &queue, marked);
  for (uint32_t t = 0; t < a->net->n_trans; t++) {
    const TransNote *event = &a->notes->transitions[t];
    const PlaceList post = net_post(a->net, (TransId){t});
    for (uint32_t i = 0; i < post.n && (inside ? event->begin : event->end) == block; i++)
      start_at(a, post.at[i], &queue, marked);
  }
  spread(a, block, &queue, marked);
  vec_fini(a->heap, &queue);
}

static bool mark_inside(Asking *a, uint32_t block, bool *inside) {
  bool *mine = heap_zeroed(a->heap, (size_t)a->net->n_places + 1),
       *outside = heap_zeroed(a->heap, (size_t)a->net->n_places + 1), good = true;
  mark_side(a, block, true, mine);
  mark_side(a, block, false, outside);
  for (uint32_t p = 0; p < a->net->n_places && good; p++) {
    inside[p] |= mine[p];
    if (mine[p] && outside[p])
      good = err_set(a->err, ERR_INPUT, "a thread at '%.200s' may be inside of its block or outside of it",
                     a->net->place_name[p]);
  }
  heap_release(a->heap, mine);
  heap_release(a->heap, outside);
  return good;
}

/* The places inside the blocks that the `length` bytes mean, and these blocks. */
static bool find_blocks(Asking *a, const char *text, size_t length, const bool **blocks, bool *inside) {
  char *name = heap_alloc(a->heap, length + 1);
  bool *chosen = heap_zeroed(a->heap, (size_t)a->notes->n_blocks + 1);
  memcpy(name, text, length);
  name[length] = '\0';
  bool good = block_input_choose(a->net, name, chosen, a->err);
  for (uint32_t b = 0; b < a->notes->n_blocks && good; b++)
    if (chosen[b]) good = mark_inside(a, b, inside);
  heap_release(a->heap, name);
  *blocks = chosen;
  return good;
}

/* A thread at one of the first places, and another one at one of the second; NULL: two at the first. */
static void finish_pair(Asking *a, Formula *f, const bool *first, const bool *second) {
  const uint32_t two = add_places(a, f, first, second, 2);
  if (!second) return;
  const uint32_t one = add_both(a, f, two, add_places(a, f, first, NULL, 1));
  add_both(a, f, one, add_places(a, f, second, NULL, 1));
}

static bool add_meeting(Asking *a, const char *text) {
  ReachGoal *goal = add_goal(a, REACH_MEETING);
  const char *comma = strchr(text, ',');
  const size_t length = comma ? (size_t)(comma - text) : strlen(text);
  bool *first = heap_zeroed(a->heap, (size_t)a->net->n_places + 1),
       *second = heap_zeroed(a->heap, (size_t)a->net->n_places + 1);
  goal->text = text;
  const bool good = find_blocks(a, text, length, &goal->blocks, first) &&
                    (!comma || find_blocks(a, comma + 1, strlen(comma + 1), &goal->others, second));
  if (good) finish_pair(a, &goal->formula, first, comma ? second : NULL);
  heap_release(a->heap, first);
  heap_release(a->heap, second);
  return good;
}

/* ---- races ---- */

static bool is_site(const Notes *notes, TransId t, const ReachSite *site) {
  const TransNote *event = &notes->transitions[t.v];
  const AccessList accesses = notes_accesses(notes, t.v);
  if (event->sync != site->sync || !same_pos(event->pos, site->pos)) return false;
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].object == site->object && (accesses.at[i].mode == ACCESS_WRITE) == site->writes) return true;
  return false;
}

bool reaching_is_before(const Net *net, PlaceId place, const ReachSite *site) {
  const TransList next = net_consumers(net, place);
  if (net->notes->places[place.v].role != ROLE_CONTROL) return false;
  for (uint32_t i = 0; i < next.n; i++)
    if (is_site(net->notes, next.at[i], site)) return true;
  return false;
}

/* A site, and where its threads stand before it. */
typedef struct {
  ReachSite site;
  U32Vec places;
} Site;

typedef VEC(Site) Sites;

static Site *site_of(Asking *a, Sites *sites, const ReachSite *wanted) {
  for (uint32_t i = 0; i < sites->n; i++) {
    const ReachSite *s = &sites->at[i].site;
    if (s->object == wanted->object && s->writes == wanted->writes && s->sync == wanted->sync &&
        same_pos(s->pos, wanted->pos))
      return &sites->at[i];
  }
  vec_push(a->heap, sites, (Site){.site = *wanted});
  return &vec_last(sites);
}

static void add_place(Asking *a, Site *site, uint32_t place) {
  for (uint32_t i = 0; i < site->places.n; i++)
    if (site->places.at[i] == place) return;
  vec_push(a->heap, &site->places, place);
}

static void add_sites_of(Asking *a, TransId t, Sites *sites) {
  const TransNote *event = &a->notes->transitions[t.v];
  const AccessList accesses = notes_accesses(a->notes, t.v);
  const PlaceList pre = net_pre(a->net, t);
  for (uint32_t i = 0; i < accesses.n; i++) {
    if (a->notes->objects[accesses.at[i].object].kind != OBJECT_VARIABLE) continue;
    const ReachSite site = {event->pos, accesses.at[i].object, accesses.at[i].mode == ACCESS_WRITE, event->sync};
    Site *found = site_of(a, sites, &site);
    for (uint32_t k = 0; k < pre.n; k++)
      if (is_control(a, pre.at[k])) add_place(a, found, pre.at[k].v);
  }
}

/* Can two threads be there, one at each? */
static bool has_two_threads(const Asking *a, const Site *one, const Site *other) {
  for (uint32_t i = 0; i < one->places.n; i++)
    for (uint32_t k = 0; k < other->places.n; k++)
      if (a->notes->places[one->places.at[i]].thread != a->notes->places[other->places.at[k]].thread) return true;
  return false;
}

static bool may_race(const Asking *a, const Site *one, const Site *other) {
  return one->site.object == other->site.object && (one->site.writes || other->site.writes) &&
         !(one->site.sync && other->site.sync) && has_two_threads(a, one, other);
}

static void add_race(Asking *a, const Site *one, const Site *other) {
  const size_t room = (size_t)a->net->n_places + 1;
  bool *first = heap_zeroed(a->heap, room), *second = heap_zeroed(a->heap, room);
  ReachGoal *goal = add_goal(a, REACH_RACE);
  goal->text = a->notes->objects[one->site.object].name;
  goal->pos = one->site.pos;
  goal->sites[0] = one->site;
  goal->sites[1] = other->site;
  for (uint32_t i = 0; i < one->places.n; i++) first[one->places.at[i]] = true;
  for (uint32_t i = 0; i < other->places.n; i++) second[other->places.at[i]] = true;
  finish_pair(a, &goal->formula, first, one == other ? NULL : second);
  heap_release(a->heap, first);
  heap_release(a->heap, second);
}

static int compare_sites(const void *a, const void *b) {
  const ReachSite *x = &((const Site *)a)->site, *y = &((const Site *)b)->site;
  const int pos = compare_pos(x->pos, y->pos);
  if (pos) return pos;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return x->writes - y->writes;
}

/* What never is: so there is an answer, which gaps make unknown. */
static void add_impossible(Asking *a) {
  ReachGoal *goal = add_goal(a, REACH_RACE);
  add_sum(a, &goal->formula, 0, 1);
}

/* In the order of the source. */
static void add_races(Asking *a) {
  Sites sites = {0};
  const uint32_t before = a->goals.n;
  for (uint32_t t = 0; t < a->net->n_trans; t++) {
    heap_poll(a->heap);
    add_sites_of(a, (TransId){t}, &sites);
  }
  if (sites.n) qsort(sites.at, sites.n, sizeof *sites.at, compare_sites);
  for (uint32_t i = 0; i < sites.n; i++)
    for (uint32_t k = i; k < sites.n; k++)
      if (may_race(a, &sites.at[i], &sites.at[k])) add_race(a, &sites.at[i], &sites.at[k]);
  if (a->goals.n == before) add_impossible(a);
  for (uint32_t i = 0; i < sites.n; i++) vec_fini(a->heap, &sites.at[i].places);
  vec_fini(a->heap, &sites);
}

/* ---- all of them ---- */

static bool add_goals(Asking *a) {
  if (!a->notes) return err_set(a->err, ERR_INPUT, "the net has no annotations about threads and blocks");
  if (a->asked->assertions && !add_assertions(a)) return false;
  if (a->asked->deadlock) add_deadlock(a);
  for (uint32_t i = 0; i < a->asked->n_meetings; i++)
    if (!add_meeting(a, a->asked->meetings[i])) return false;
  if (a->asked->races) add_races(a);
  return true;
}

static const char *words_of(const ReachGoal *goal) {
  return goal->kind == REACH_DEADLOCK ? "deadlock" : goal->text ? goal->text : "races";
}

/* Does the complete prefix have a begin of one of the blocks, or, without them, the assertion? */
static bool has_event(const Reaching *r, const Notes *notes, const ReachGoal *goal, const bool *blocks) {
  const Prefix *prefix = r->result.prefix;
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    const TransNote *event = &notes->transitions[prefix->event_trans[e].v];
    if (blocks ? event->begin != NOTE_NONE && blocks[event->begin] : same_pos(event->pos, goal->pos)) return true;
  }
  return false;
}

/* Does some run come to the assertion, or into each of the blocks? If that is not known, it is not denied. */
static bool is_ever_met(const Reaching *r, const Notes *notes, const ReachGoal *goal) {
  if (!r->result.complete || goal->kind == REACH_DEADLOCK || goal->kind == REACH_RACE) return true;
  return has_event(r, notes, goal, goal->blocks) && (!goal->others || has_event(r, notes, goal, goal->others));
}

static GapsAbout about_goal(const ReachGoal *goal) {
  return goal->kind == REACH_DEADLOCK ? GAPS_OF_WAITING : GAPS_OF_EVENTS;
}

/* What never happens in the net may happen in a program of which the net lacks something. */
static void mind_gaps(Reaching *r, const Net *net) {
  bool changed = false;
  GapsAbout last = GAPS_OF_EVENTS;
  for (uint32_t i = 0; i < r->n; i++) {
    const GapsAbout about = about_goal(&r->goals[i]);
    const Verdict verdict = gaps_verdict(net, about, r->answers[i].answer);
    r->goals[i].lacks = verdict != r->answers[i].answer;
    r->answers[i].answer = verdict;
    if (!r->goals[i].lacks && (!r->brief || verdict != VERDICT_UNKNOWN)) continue;
    changed = true;
    last = about;
  }
  if (changed) gaps_explain(net, last, r->result.why, sizeof r->result.why);
}

static bool is_unsafe(const QuestionResult *result) {
  return result->prefix && result->prefix->status == UNFOLD_NOT_SAFE;
}

/* ---- proofs ---- */

/* A prefix of so many events is made before. */
enum { FEW_EVENTS = 200 };

/* The places of a sum of the formula. */
static void mark_sum(const Formula *f, const FormulaPart *sum, bool *places) {
  for (uint32_t i = 0; i < sum->n_summands; i++) places[f->places.at[sum->first + i].v] = true;
}

/* Those at which a thread is over. */
static void mark_over(const Net *net, bool *places) {
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *note = &net->notes->places[p];
    places[p] = note->role == ROLE_CONTROL && is_over(note->point);
  }
}

/* Of one block the first part is the sum; of two, the later ones are those of each. */
static bool prove_apart(Never *never, const Net *net, const Formula *f, bool *places) {
  bool *others = heap_zeroed(f->heap, (size_t)net->n_places + 1);
  const bool two = f->parts.n > 1;
  mark_sum(f, &f->parts.at[two ? 1 : 0], places);
  mark_sum(f, &f->parts.at[two ? 3 : 0], others);
  const bool proved = never_apart(never, places, others);
  heap_release(f->heap, others);
  return proved;
}

static bool prove_goal(Never *never, const Net *net, const ReachGoal *goal) {
  const Formula *f = &goal->formula;
  bool *places = heap_zeroed(f->heap, (size_t)net->n_places + 1), proved = false;
  switch (goal->kind) {
  case REACH_FAILURE:
    mark_sum(f, &f->parts.at[0], places);
    proved = never_away(never, places);
    break;
  case REACH_DEADLOCK:
    mark_over(net, places);
    proved = never_waits(never, places);
    break;
  case REACH_MEETING:
  case REACH_RACE: proved = prove_apart(never, net, f, places); break;
  }
  heap_release(f->heap, places);
  return proved;
}

static GapsAbout about_of(const Reaching *r) {
  for (uint32_t i = 0; i < r->n; i++)
    if (about_goal(&r->goals[i]) == GAPS_OF_WAITING) return GAPS_OF_WAITING;
  return GAPS_OF_EVENTS;
}

/* Of the goals whose answers are unknown, or that do not hold, if a certificate of that is wanted: there is no shorter
 * one. */
static void prove_goals(Reaching *r, Heap *heap, const Net *net, bool certify) {
  if (gaps_any(net, about_of(r))) return; /* then it proves nothing of the program */
  r->proofs = never_new(heap, net);
  for (uint32_t i = 0; r->proofs && i < r->n && !heap_asked(heap); i++) {
    const bool wanted = r->answers[i].answer == VERDICT_UNKNOWN || (certify && r->answers[i].answer == VERDICT_HOLDS);
    if (!wanted || !prove_goal(r->proofs, net, &r->goals[i])) continue;
    r->goals[i].proved = true;
    r->answers[i].answer = VERDICT_HOLDS;
  }
}

/* ---- the whole ---- */

static bool is_settled(const Reaching *r, uint32_t goal) {
  return r->goals[goal].proved || r->answers[goal].answer == VERDICT_VIOLATED;
}

/* Of the goals that are not settled. What was known stays known. */
static bool answer_rest(Reaching *r, Heap *heap, const Net *net, const QuestionOptions *options,
                        const AskLimits *limits, Err *err) {
  Answer *rest = heap_alloc(heap, heap_product(heap, (uint64_t)r->n + 1, sizeof *rest));
  uint32_t n = 0, k = 0;
  for (uint32_t i = 0; i < r->n; i++)
    if (!is_settled(r, i)) rest[n++] = r->answers[i];
  const bool good = questions_answer(heap, net, options, limits, rest, n, &r->result, err);
  for (uint32_t i = 0; good && i < r->n; i++) {
    if (is_settled(r, i)) continue;
    if (rest[k].answer != VERDICT_UNKNOWN) r->answers[i] = rest[k];
    k++;
  }
  heap_release(heap, rest);
  return good;
}

/* How many goals have the answer, and are not proved otherwise? */
static uint32_t count_answers(const Reaching *r, Verdict answer) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->n; i++) n += r->answers[i].answer == answer && !r->goals[i].proved;
  return n;
}

/* Of a net that is not the whole program no more can be said than that something is reached. Unless the user says how
 * many events there may be, the prefix is a small one then, and only what is near is searched for besides. An event
 * takes the longer, the larger the net is. */
enum { EVENTS_WITH_GAPS = 1 << 14, LARGE_WITH_GAPS = 4000 /* transitions */ };

static uint64_t events_with_gaps(const Net *net) {
  if (net->n_trans <= LARGE_WITH_GAPS) return EVENTS_WITH_GAPS;
  const uint64_t n = (uint64_t)EVENTS_WITH_GAPS * LARGE_WITH_GAPS / net->n_trans;
  return n > FEW_EVENTS ? n : FEW_EVENTS;
}

/* A small prefix first, and proofs; for what these leave unknown, or do not certify, the whole prefix. */
static bool answer_goals(Reaching *r, Heap *heap, const Net *net, const QuestionOptions *options,
                         const AskLimits *limits, Err *err) {
  const bool is_few = limits->max_events && limits->max_events <= FEW_EVENTS;
  QuestionOptions first = *options;
  AskLimits few = *limits;
  first.proof = false;
  if (!is_few) few.max_events = FEW_EVENTS;
  if (!answer_rest(r, heap, net, &first, &few, err)) return false;
  if (heap_asked(heap) || is_unsafe(&r->result)) return true;
  if (options->proof || count_answers(r, VERDICT_UNKNOWN)) prove_goals(r, heap, net, options->proof);
  const bool more =
      (!is_few && count_answers(r, VERDICT_UNKNOWN)) || (options->proof && count_answers(r, VERDICT_HOLDS));
  if (more && !heap_asked(heap)) {
    QuestionOptions second = *options;
    AskLimits all = *limits;
    second.brief = gaps_any(net, about_of(r));
    if (r->brief) all.max_events = events_with_gaps(net);
    questions_fini(&r->result);
    if (!answer_rest(r, heap, net, &second, &all, err)) return false;
  }
  if (!count_answers(r, VERDICT_UNKNOWN)) r->result.why[0] = '\0';
  return true;
}

bool reaching_check(Heap *heap, const Net *net, const ReachOptions *asked, const QuestionOptions *options,
                    const AskLimits *limits, Reaching *reaching, Err *err) {
  Asking asking = {.heap = heap, .net = net, .notes = net->notes, .asked = asked, .err = err}, *a = &asking;
  *reaching = (Reaching){0};
  if (!add_goals(a)) return false;
  Reaching r = {.goals = a->goals.at, .n = a->goals.n};
  r.answers = heap_zeroed(heap, heap_product(heap, r.n, sizeof *r.answers));
  for (uint32_t i = 0; i < r.n; i++)
    r.answers[i] = (Answer){.kind = QUESTION_FORMULA, .formula = &r.goals[i].formula, .text = words_of(&r.goals[i])};
  r.brief = gaps_any(net, about_of(&r)) && !limits->max_events;
  const QuestionOptions own = {options->order, options->whole_prefix, options->proof && !gaps_any(net, about_of(&r)),
                               options->any_deadlock, false};
  if (!answer_goals(&r, heap, net, &own, limits, err)) return false;
  if (is_unsafe(&r.result))
    return err_set(err, ERR_INPUT, "the net is not 1-safe (netunfold prints a run that shows it)");
  mind_gaps(&r, net);
  for (uint32_t i = 0; i < r.n; i++)
    r.goals[i].never = r.answers[i].answer == VERDICT_HOLDS && !is_ever_met(&r, net->notes, &r.goals[i]);
  *reaching = r;
  return true;
}

void reaching_fini(Reaching *reaching) {
  if (reaching->n) questions_fini(&reaching->result);
  never_free(reaching->proofs);
}

/* ---- the certificate ---- */

/* Of the goals that are not proved; answers are the caller's, with room for all. */
static AnswerReport report_of(const Reaching *r, const Net *net, Answer *answers) {
  const QuestionResult *it = &r->result;
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->n; i++)
    if (!r->goals[i].proved) answers[n++] = r->answers[i];
  return (AnswerReport){net,     answers,     n,         it->prefix,      it->counts,        it->complete,
                        it->why, it->seconds, it->bytes, it->complements, it->n_complements, it->proof};
}

bool reaching_has_proof(const Reaching *reaching, const Net *net) {
  Heap *heap = reaching->result.heap;
  Answer *answers = heap_alloc(heap, heap_product(heap, (uint64_t)reaching->n + 1, sizeof *answers));
  const AnswerReport report = report_of(reaching, net, answers);
  bool any = answer_proof_has_any(&report);
  for (uint32_t i = 0; i < reaching->n; i++) any = any || reaching->goals[i].proved;
  heap_release(heap, answers);
  return any;
}

bool reaching_is_certified(const Reaching *reaching, const Net *net, uint32_t goal) {
  const QuestionResult *it = &reaching->result;
  const AnswerReport report = {.net = net, .proof = it->proof};
  return reaching->goals[goal].proved || answer_proof_has(&report, &reaching->answers[goal]);
}

void reaching_write_proof(const Reaching *reaching, const Net *net, UnfoldOrder order, FILE *out) {
  Heap *heap = reaching->result.heap;
  Answer *answers = heap_alloc(heap, heap_product(heap, (uint64_t)reaching->n + 1, sizeof *answers));
  const AnswerReport report = report_of(reaching, net, answers);
  certificate_begin(out, net);
  answer_proof_write_inside(&report, order, out);
  if (reaching->proofs) never_certificate(reaching->proofs, out);
  certificate_end(out);
  heap_release(heap, answers);
}
