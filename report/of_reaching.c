#include "report/of_reaching.h"

#include "base/text.h"
#include "report/firing.h"
#include "report/net_members.h"
#include "report/net_steps.h"
#include "report/open_races.h"
#include "report/runners.h"
#include "report/story.h"
#include "report/vocabulary.h"
#include "report/words.h"

#include <string.h>

typedef struct {
  Report *report;
  Arena *arena;
  const Net *net;
  const Notes *notes;
  const ReachGoal *goal;
  const Answer *answer;
  /* of a goal that is reached: */
  uint32_t *at;                 /* per thread: its control place after the run, or NOTE_NONE */
  uint32_t *last;               /* per thread: its last step, or NOTE_NONE */
  uint32_t *holder;             /* per object: the thread that holds it, or NOTE_NONE */
  uint32_t *threads, n_threads; /* those that wait, that are in the blocks, or whose assertion fails */
  uint32_t begins[2];           /* MEETING: the steps with which they begin their blocks */
  VEC(FindingNote) remarks;
} Making;

static const TransNote *event_at(const Making *m, uint32_t step) {
  return &m->notes->transitions[m->answer->run[step].v];
}

static ControlPoint point_of(const Making *m, uint32_t thread) {
  return m->at[thread] == NOTE_NONE ? POINT_OTHER : m->notes->places[m->at[thread]].point;
}

static const char *thread_words(const Making *m, uint32_t thread) { return words_thread(m->arena, m->notes, thread); }

/* ---- the state that the run leads to ---- */

static uint32_t *none_of(const Making *m, uint32_t n) {
  uint32_t *numbers = arena_alloc(m->arena, ((size_t)n + 1) * sizeof *numbers);
  for (uint32_t i = 0; i < n; i++) numbers[i] = NOTE_NONE;
  return numbers;
}

static void arrive(const Making *m, PlaceId p) {
  const PlaceNote *note = &m->notes->places[p.v];
  if (note->role == ROLE_CONTROL) m->at[note->thread] = p.v;
}

static void follow_step(const Making *m, uint32_t i) {
  const TransId t = m->answer->run[i];
  const uint32_t thread = event_at(m, i)->thread;
  const PlaceList post = net_post(m->net, t);
  const AccessList accesses = notes_accesses(m->notes, t.v);
  for (uint32_t k = 0; k < post.n; k++) arrive(m, post.at[k]);
  if (thread != NOTE_NONE) m->last[thread] = i;
  for (uint32_t k = 0; k < accesses.n; k++) {
    if (accesses.at[k].mode == ACCESS_ACQUIRE) m->holder[accesses.at[k].object] = thread;
    if (accesses.at[k].mode == ACCESS_RELEASE) m->holder[accesses.at[k].object] = NOTE_NONE;
  }
}

static void follow_run(Making *m) {
  m->at = none_of(m, m->notes->n_threads);
  m->last = none_of(m, m->notes->n_threads);
  m->holder = none_of(m, m->notes->n_objects);
  m->threads = none_of(m, m->notes->n_threads + 2);
  for (uint32_t p = 0; p < m->net->n_places; p++)
    if (m->net->marked[p]) arrive(m, (PlaceId){p});
  for (uint32_t i = 0; i < m->answer->n_run; i++) follow_step(m, i);
}

/* The step with which the thread began one of the blocks in which it still is, the last one; or NOTE_NONE. */
static uint32_t find_begin(const Making *m, uint32_t thread, const bool *blocks) {
  for (uint32_t i = m->answer->n_run, ended = 0; i-- > 0;) {
    const TransNote *event = event_at(m, i);
    if (event->thread != thread) continue;
    if (event->end != NOTE_NONE && blocks[event->end]) ended++;
    if (event->begin == NOTE_NONE || !blocks[event->begin]) continue;
    if (!ended) return i;
    ended--;
  }
  return NOTE_NONE;
}

/* One thread in one of the first blocks, and another one in one of the second. */
static void find_meeting(Making *m) {
  const bool *others = m->goal->others ? m->goal->others : m->goal->blocks;
  for (uint32_t t = 0; t < m->notes->n_threads && !m->n_threads; t++) {
    if (find_begin(m, t, m->goal->blocks) == NOTE_NONE) continue;
    for (uint32_t u = 0; u < m->notes->n_threads && !m->n_threads; u++) {
      if (t == u || find_begin(m, u, others) == NOTE_NONE) continue;
      m->begins[0] = find_begin(m, t, m->goal->blocks);
      m->begins[1] = find_begin(m, u, others);
      m->threads[m->n_threads++] = t;
      m->threads[m->n_threads++] = u;
    }
  }
}

/* Two threads that are about to do the accesses. */
static void find_race(Making *m) {
  for (uint32_t t = 0; t < m->notes->n_threads && !m->n_threads; t++)
    for (uint32_t u = 0; u < m->notes->n_threads && !m->n_threads; u++) {
      if (t == u || m->at[t] == NOTE_NONE || m->at[u] == NOTE_NONE) continue;
      if (!reaching_is_before(m->net, (PlaceId){m->at[t]}, &m->goal->sites[0])) continue;
      if (!reaching_is_before(m->net, (PlaceId){m->at[u]}, &m->goal->sites[1])) continue;
      m->threads[m->n_threads++] = t;
      m->threads[m->n_threads++] = u;
    }
}

static void find_waiting(Making *m) {
  for (uint32_t t = 0; t < m->notes->n_threads; t++) {
    const ControlPoint point = point_of(m, t);
    if (m->at[t] != NOTE_NONE && (point == POINT_OTHER || point == POINT_ASSERTION)) m->threads[m->n_threads++] = t;
  }
}

static void find_threads(Making *m) {
  follow_run(m);
  switch (m->goal->kind) {
  case REACH_FAILURE: m->threads[m->n_threads++] = event_at(m, m->answer->n_run - 1)->thread; break;
  case REACH_DEADLOCK: find_waiting(m); break;
  case REACH_MEETING: find_meeting(m); break;
  case REACH_RACE: find_race(m); break;
  }
}

/* ---- remarks ---- */

static void remark(Making *m, SrcPos pos, const char *message, const char *source) {
  const FindingNote note = {LEVEL_NOTE, words_place(m->arena, m->notes, pos), message, pos.line ? source : NULL};
  vec_push(m->arena->heap, &m->remarks, note);
}

static void remark_step(Making *m, uint32_t step, const char *message) {
  remark(m, event_at(m, step)->pos, message, words_event(m->arena, m->net, m->answer->run[step]));
}

/* What the event at which the thread waits would do to a lock; ACCESS_READ: nothing. */
static AccessMode lock_of(const Making *m, TransId t, uint32_t *lock) {
  const AccessList accesses = notes_accesses(m->notes, t.v);
  for (uint32_t i = 0; i < accesses.n; i++) {
    *lock = accesses.at[i].object;
    if (accesses.at[i].mode >= ACCESS_ACQUIRE) return accesses.at[i].mode;
  }
  return ACCESS_READ;
}

static const char *wait_words(const Making *m, uint32_t thread, TransId t) {
  uint32_t lock = 0;
  const AccessMode mode = lock_of(m, t, &lock);
  const char *name = thread_words(m, thread);
  if (mode == ACCESS_READ) return arena_format(m->arena, "%s waits here", name);
  const char *object = words_object(m->arena, m->notes, lock);
  const uint32_t holder = m->holder[lock];
  if (mode == ACCESS_RELEASE) return arena_format(m->arena, "%s waits here, as it does not hold %s", name, object);
  if (holder == thread) return arena_format(m->arena, "%s waits for %s, which it holds itself", name, object);
  if (holder == NOTE_NONE) return arena_format(m->arena, "%s waits for %s", name, object);
  return arena_format(m->arena, "%s waits for %s, which %s holds", name, object, thread_words(m, holder));
}

/* Why the thread does not go on. */
static void remark_thread(Making *m, uint32_t thread) {
  const char *name = thread_words(m, thread);
  const TransList next = m->at[thread] == NOTE_NONE ? (TransList){0} : net_consumers(m->net, (PlaceId){m->at[thread]});
  switch (point_of(m, thread)) {
  case POINT_END: return;
  case POINT_START:
    remark(m, m->notes->threads[thread].pos, arena_format(m->arena, "%s has not been started", name), NULL);
    return;
  case POINT_FAILED: remark_step(m, m->last[thread], arena_format(m->arena, "%s fails here", name)); return;
  case POINT_OTHER:
  case POINT_ASSERTION: break;
  }
  if (next.n)
    remark(m, m->notes->transitions[next.at[0].v].pos, wait_words(m, thread, next.at[0]),
           words_event(m->arena, m->net, next.at[0]));
  else if (m->last[thread] != NOTE_NONE)
    remark_step(m, m->last[thread], arena_format(m->arena, "%s cannot go on after this", name));
  else if (m->at[thread] != NOTE_NONE)
    remark(m, m->notes->threads[thread].pos, arena_format(m->arena, "%s cannot begin", name), NULL);
}

static bool step_writes(const Making *m, uint32_t step, uint32_t object) {
  const AccessList accesses = notes_accesses(m->notes, m->answer->run[step].v);
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].object == object && accesses.at[i].mode == ACCESS_WRITE) return true;
  return false;
}

/* The last step that writes the object, or NOTE_NONE. */
static uint32_t last_write(const Making *m, uint32_t object) {
  for (uint32_t i = m->answer->n_run; i-- > 0;)
    if (step_writes(m, i, object)) return i;
  return NOTE_NONE;
}

static void remark_failure(Making *m) {
  const uint32_t last = m->answer->n_run - 1;
  const AccessList accesses = notes_accesses(m->notes, m->answer->run[last].v);
  for (uint32_t i = 0; i < accesses.n; i++) {
    const uint32_t object = accesses.at[i].object, write = last_write(m, object);
    const char *name = words_object(m->arena, m->notes, object);
    if (write != NOTE_NONE)
      remark_step(m, write,
                  arena_format(m->arena, "%s writes %s last", thread_words(m, event_at(m, write)->thread), name));
    if (m->notes->objects[object].kind == OBJECT_VARIABLE && !m->notes->objects[object].n_values)
      remark(m, (SrcPos){0}, arena_format(m->arena, "%s is an abstracted int, which may have any value", name), NULL);
  }
  remark_step(m, last, arena_format(m->arena, "%s fails here", thread_words(m, m->threads[0])));
}

/* The text of the event, as the thread may do it next. */
static void remark_site(Making *m, uint32_t thread, const ReachSite *site) {
  const char *object = words_object(m->arena, m->notes, site->object);
  remark(m, site->pos,
         arena_format(m->arena, "%s may %s %s here next", thread_words(m, thread), open_races_deed(site), object),
         NULL);
}

static void add_remarks(Making *m) {
  switch (m->goal->kind) {
  case REACH_FAILURE: remark_failure(m); break;
  case REACH_DEADLOCK:
    for (uint32_t t = 0; t < m->notes->n_threads; t++) remark_thread(m, t);
    break;
  case REACH_MEETING:
    for (uint32_t i = 0; i < m->n_threads; i++)
      remark_step(m, m->begins[i],
                  arena_format(m->arena, "%s begins %s and is in it", thread_words(m, m->threads[i]),
                               words_block(m->arena, m->notes, event_at(m, m->begins[i])->begin)));
    break;
  case REACH_RACE:
    for (uint32_t i = 0; i < m->n_threads; i++) remark_site(m, m->threads[i], &m->goal->sites[i]);
    break;
  }
}

/* ---- the run ---- */

/* The frame that the step is in, from 1; 0: in none. */
static uint32_t frame_of(const Making *m, uint32_t step) {
  for (uint32_t i = 0; i < m->n_threads && m->goal->kind == REACH_MEETING; i++)
    if (event_at(m, step)->thread == m->threads[i] && step >= m->begins[i]) return i + 1;
  return 0;
}

static bool is_end(const Making *m, uint32_t step) {
  const uint32_t thread = event_at(m, step)->thread;
  if (m->goal->kind == REACH_FAILURE) return step + 1 == m->answer->n_run;
  if (m->goal->kind == REACH_MEETING) return step == m->begins[0] || step == m->begins[1];
  if (m->goal->kind == REACH_RACE && thread != m->threads[0] && thread != m->threads[1]) return false;
  return thread != NOTE_NONE && m->last[thread] == step;
}

static const char *step_words(const Making *m, uint32_t step) {
  if (!is_end(m, step)) return NULL;
  switch (m->goal->kind) {
  case REACH_FAILURE: return "fails";
  case REACH_MEETING: return "is in the block from here on";
  case REACH_RACE: return "comes to the access";
  case REACH_DEADLOCK: break;
  }
  const ControlPoint point = point_of(m, event_at(m, step)->thread);
  return point == POINT_END ? "ends" : point == POINT_FAILED ? "fails" : "waits after this";
}

static void add_steps(const Making *m, Story *story, const Values *values) {
  Intern events;
  intern_init(&events, m->arena->heap);
  for (uint32_t i = 0; i < m->answer->n_run; i++) {
    const uint32_t thread = event_at(m, i)->thread, frame = frame_of(m, i);
    FindingStep step = {.thread = story_thread(story, thread, thread_words(m, thread)),
                        .words = step_words(m, i),
                        .role = is_end(m, i) ? FINDING_BACK
                                : frame      ? FINDING_INSIDE
                                             : FINDING_BEFORE,
                        .matters = is_end(m, i),
                        .frame = frame,
                        .number = (uint64_t)i + 1};
    net_steps_fill(m->arena, m->net, m->answer->run[i], values, i, &events, &step);
    story_add(story, &step, (StoryTime){.part = i});
  }
  firing_edges(story, m->net, m->answer->run, m->answer->n_run, m->goal->kind == REACH_FAILURE);
  intern_fini(&events);
}

static void tell_run(const Making *m, Finding *finding) {
  Story story;
  story_init(&story, m->arena);
  const Values values = values_of_run(m->arena, m->net, m->answer->run, m->answer->n_run);
  for (uint32_t i = 0; i < m->n_threads; i++)
    if (m->last[m->threads[i]] != NOTE_NONE) story_thread(&story, m->threads[i], thread_words(m, m->threads[i]));
  add_steps(m, &story, &values);
  firing_variables(&story, m->net, &values, finding);
  firing_threads(&story, m->net);
  story_tell(&story, finding);
  story_fini(&story);
}

static void add_frames(const Making *m, Finding *finding) {
  const char **frames = arena_zeroed(m->arena, 2, sizeof *frames);
  for (uint32_t i = 0; i < m->n_threads; i++)
    frames[i] = words_block(m->arena, m->notes, event_at(m, m->begins[i])->begin);
  finding->frames = frames;
  finding->n_frames = m->n_threads;
}

/* ---- findings ---- */

static const char *goal_words(const Making *m) {
  const char *text = m->goal->text ? text_clean(m->arena, m->goal->text) : "";
  const char *comma = strchr(text, ',');
  switch (m->goal->kind) {
  case REACH_FAILURE: return text;
  case REACH_DEADLOCK: return "deadlock";
  case REACH_MEETING: break;
  case REACH_RACE: return m->goal->text ? words_object(m->arena, m->notes, m->goal->sites[0].object) : "races";
  }
  if (!comma) return arena_format(m->arena, "two threads in '%s'", text);
  return arena_format(m->arena, "one thread in '%.*s' and another one in '%s'", (int)(comma - text), text, comma + 1);
}

static const char *unknown_race(const Making *m) {
  if (!m->goal->text) return "races: unknown";
  return open_races_pair(m->arena, m->notes, m->goal);
}

static const char *reached_words(const Making *m) {
  const ThreadList list = {m->threads, m->n_threads};
  Arena *arena = m->arena;
  switch (m->goal->kind) {
  case REACH_FAILURE: return arena_format(arena, "%s can fail in %s", goal_words(m), thread_words(m, m->threads[0]));
  case REACH_DEADLOCK:
    return arena_format(arena, "deadlock: %s wait%s for ever", runners_phrase(arena, m->notes, list),
                        m->n_threads == 1 ? "s" : "");
  case REACH_MEETING: break;
  case REACH_RACE:
    return arena_format(arena, "%s race on %s: one %ss it here, the other one %ss it at %s",
                        runners_phrase(arena, m->notes, list), goal_words(m), open_races_deed(&m->goal->sites[0]),
                        open_races_deed(&m->goal->sites[1]), open_races_place(arena, m->notes, &m->goal->sites[1]));
  }
  const char *names[2];
  for (uint32_t i = 0; i < 2; i++) names[i] = words_block(arena, m->notes, event_at(m, m->begins[i])->begin);
  if (!strcmp(names[0], names[1]))
    return arena_format(arena, "%s can be in %s at once", runners_phrase(arena, m->notes, list), names[0]);
  return arena_format(arena, "%s can be in %s while %s is in %s", thread_words(m, m->threads[0]), names[0],
                      thread_words(m, m->threads[1]), names[1]);
}

static const char *message_of(const Making *m) {
  const char *words = goal_words(m);
  const bool fails = m->goal->kind == REACH_FAILURE;
  switch (m->answer->answer) {
  case VERDICT_VIOLATED: return reached_words(m);
  case VERDICT_UNKNOWN:
    if (m->goal->kind == REACH_RACE) return unknown_race(m);
    return arena_format(m->arena, fails ? "%s can fail: unknown" : "%s: unknown", words);
  case VERDICT_HOLDS: break;
  }
  if (m->goal->kind == REACH_DEADLOCK) return "no deadlock";
  if (m->goal->never)
    return arena_format(m->arena, fails ? "%s is never reached" : "never %s: no run reaches such a block", words);
  return arena_format(m->arena, fails ? "%s never fails" : "never %s", words);
}

static uint32_t first_block(const Making *m) {
  uint32_t b = 0;
  while (!m->goal->blocks[b]) b++;
  return b;
}

/* Where it is, or comes to be. */
static Place place_of(const Making *m) {
  if (m->goal->kind == REACH_FAILURE || (m->goal->kind == REACH_RACE && m->goal->text))
    return words_place(m->arena, m->notes, m->goal->pos);
  if (m->goal->kind == REACH_MEETING && m->n_threads)
    return words_place(m->arena, m->notes, event_at(m, m->begins[0])->pos);
  if (m->goal->kind == REACH_MEETING) return words_place(m->arena, m->notes, m->notes->blocks[first_block(m)].begin);
  if (m->n_threads && m->remarks.n) return m->remarks.at[0].place;
  return (Place){.file = text_clean(m->arena, m->notes->file)};
}

static const char *rule_of(const Making *m) {
  static const char *const RULES[] = {"assertion-fails", "threads-wait", "not-exclusive", "race"}; /* ORDER ReachKind */
  _Static_assert(sizeof RULES / sizeof *RULES == REACH_RACE + 1, "ORDER ReachKind");
  return m->goal->never ? "never-reached" : RULES[m->goal->kind];
}

static const FindingNote *keep_remarks(Making *m, Finding *finding) {
  finding->n_notes = m->remarks.n;
  FindingNote *notes = arena_alloc(m->arena, ((size_t)m->remarks.n + 1) * sizeof *notes);
  if (m->remarks.n) memcpy(notes, m->remarks.at, m->remarks.n * sizeof *notes);
  vec_fini(m->arena->heap, &m->remarks);
  return notes;
}

static void add_finding(Making *m) {
  static const FindingKind KINDS[] = {FINDING_OPEN, FINDING_PASS, FINDING_FAIL}; /* ORDER Verdict */
  _Static_assert(sizeof KINDS / sizeof *KINDS == VERDICT_KINDS, "ORDER Verdict");
  const bool found = m->answer->answer == VERDICT_VIOLATED;
  Finding finding = {.kind = KINDS[m->answer->answer],
                     .level = found            ? LEVEL_ERROR
                              : m->goal->never ? LEVEL_WARNING
                                               : LEVEL_NOTE,
                     .subject = goal_words(m),
                     .unit = "block",
                     .grounds = m->goal->proved ? "proved by facts about the threads" : NULL};
  if (found) {
    find_threads(m);
    add_remarks(m);
  }
  finding.rule = rule_of(m);
  finding.message = message_of(m);
  finding.place = place_of(m);
  if (found) {
    finding.title = story_title(m->arena, finding.message);
    if (m->goal->kind == REACH_MEETING) add_frames(m, &finding);
    tell_run(m, &finding);
  }
  finding.notes = keep_remarks(m, &finding);
  report_add(m->report, &finding);
}

/* ---- members ---- */

static void add_members_of_run(const Making *m) {
  Members *members = &m->report->members;
  members_open(members, "threads", '[', JSON_ROW);
  for (uint32_t i = 0; i < m->n_threads; i++) members_count(members, NULL, (uint64_t)m->threads[i] + 1);
  members_close(members);
  members_open(members, "run", '[', JSON_LINES);
  for (uint32_t i = 0; m->answer->answer == VERDICT_VIOLATED && i < m->answer->n_run; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    net_members_event(members, m->net, event_at(m, i)->thread, m->answer->run[i]);
    members_close(members);
  }
  members_close(members);
}

static void add_site_members(const Making *m) {
  Members *members = &m->report->members;
  members_open(members, "accesses", '[', JSON_ROW);
  for (uint32_t i = 0; i < 2 && m->goal->text; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    net_members_position(members, m->notes, m->goal->sites[i].pos);
    members_string(members, "mode", open_races_deed(&m->goal->sites[i]));
    members_close(members);
  }
  members_close(members);
}

static void add_goal_member(const Making *m) {
  static const char *const NAMES[] = {"assertion", "deadlock", "exclusive", "race"}; /* ORDER ReachKind */
  _Static_assert(sizeof NAMES / sizeof *NAMES == REACH_RACE + 1, "ORDER ReachKind");
  Members *members = &m->report->members;
  const bool found = m->answer->answer == VERDICT_VIOLATED, fails = m->goal->kind == REACH_FAILURE;
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "kind", NAMES[m->goal->kind]);
  members_string(members, "text", m->goal->kind == REACH_DEADLOCK ? NULL : m->goal->text);
  if (fails) net_members_position(members, m->notes, m->goal->pos);
  if (m->goal->kind == REACH_RACE) add_site_members(m);
  members_string(members, "answer", vocabulary_verdict(ASKED_REACHING, m->answer->answer));
  members_bool(members, "never_reached", m->goal->never);
  if (found) members_bool(members, "shortest", m->answer->shortest);
  else members_null(members, "shortest");
  add_members_of_run(m);
  members_close(members);
}

/* ---- all of it ---- */

/* Two accesses that do not race; of these there may be many. */
static bool is_apart(const ReachGoal *goal, const Answer *answer) {
  return goal->kind == REACH_RACE && answer->answer == VERDICT_HOLDS;
}

static bool is_open(const ReachGoal *goal, const Answer *answer) {
  return goal->kind == REACH_RACE && goal->text && answer->answer == VERDICT_UNKNOWN;
}

/* All of them as one. */
static void add_apart(Report *report, const Net *net, uint32_t n) {
  Arena *arena = &report->arena;
  const char *message = n == 0   ? "no two threads access one variable, of which one writes it"
                        : n == 1 ? "one pair of accesses never races"
                                 : arena_format(arena, "%u pairs of accesses never race", n);
  const Finding finding = {.kind = FINDING_PASS,
                           .level = LEVEL_NOTE,
                           .subject = "races",
                           .unit = "block",
                           .rule = "race",
                           .message = message,
                           .place = {.file = text_clean(arena, net->notes->file)}};
  report_add(report, &finding);
}

/* Of a goal its members, and its finding unless it is one of those that are told together, or later. */
typedef struct {
  U32Vec open; /* the races that are undecided */
  uint32_t n_apart, n_races;
  bool any_apart;
} Counted;

static Making making_of(Report *report, const ReachReport *result, uint32_t i) {
  return (Making){.report = report,
                  .arena = &report->arena,
                  .net = result->net,
                  .notes = result->net->notes,
                  .goal = &result->reaching->goals[i],
                  .answer = &result->reaching->answers[i]};
}

static void add_goal(Report *report, const ReachReport *result, uint32_t i, Counted *counted) {
  Making making = making_of(report, result, i);
  const bool apart = is_apart(making.goal, making.answer), open = is_open(making.goal, making.answer);
  counted->n_races += making.goal->kind == REACH_RACE && making.goal->text;
  counted->n_apart += apart && making.goal->text;
  counted->any_apart |= apart;
  if (open) vec_push(report->arena.heap, &counted->open, i);
  else if (!apart) add_finding(&making);
  add_goal_member(&making);
}

/* Races that are shown come first: before those that are undecided. */
static void add_open(Report *report, const ReachReport *result, const Counted *counted) {
  const OpenRaces open = {counted->open.at, counted->open.n, counted->n_races};
  if (open_races_are_many(&open) && !result->each) {
    open_races_tell(report, result, &open);
    return;
  }
  for (uint32_t i = 0; i < open.n; i++) {
    Making making = making_of(report, result, open.at[i]);
    add_finding(&making);
  }
}

static void add_why(Report *report, const ReachReport *result, const Counted *counted) {
  const char *why = result->why;
  if (why && counted->open.n)
    why = arena_format(&report->arena, "%u of %u pairs of accesses are undecided: %s", counted->open.n,
                       counted->n_races, why);
  if (why) report_add_line(report, LINE_FULL, arena_format(&report->arena, "unknown: %s", why));
}

static void add_goals(Report *report, const ReachReport *result) {
  Counted counted = {0};
  members_open(&report->members, "questions", '[', JSON_LINES);
  for (uint32_t i = 0; result->net && i < result->reaching->n; i++) add_goal(report, result, i, &counted);
  members_close(&report->members);
  add_open(report, result, &counted);
  if (counted.any_apart) add_apart(report, result->net, counted.n_apart);
  add_why(report, result, &counted);
  vec_fini(report->arena.heap, &counted.open);
}

void of_reaching(Report *report, const ReachReport *result) {
  const QuestionResult *it = &result->reaching->result;
  report->schema = OF_REACHING_SCHEMA;
  report->question = "states of a program";
  report->verdict = result->verdict;
  report->verdict_name = vocabulary_verdict(ASKED_REACHING, result->verdict);
  report->why = result->why;
  report->nothing = "Nothing that was asked about can happen";
  report->shows_sources = words_have_files(result->net);
  add_goals(report, result);
  report_add_statistic(report, STATISTIC("events", it->counts.events));
  report_add_statistic(report, STATISTIC("conditions", it->counts.conditions));
  report_add_statistic(report, STATISTIC("cut-offs", it->counts.cutoffs));
  report_add_statistic(report, STATISTIC_SECONDS(it->seconds));
  report_add_statistic(report, STATISTIC_BYTES(it->bytes));
  members_statistics(&report->members, report->statistics.at, report->statistics.n);
}
