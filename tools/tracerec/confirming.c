/* confirming.c: of each violation that is predicted a run follows the steps; if that does not have it, the next one
 * takes any instance of them, and one more any object. Then the last run is what is predicted from: the instances may
 * be others now. */
#include "tools/tracerec/confirming.h"

#include "ask/seen.h"
#include "ask/steps.h"
#include "report/of_prediction.h"
#include "report/place.h"
#include "tools/tracerec/placing.h"
#include "tools/tracerec/recording.h"
#include "tools/tracerec/steps.h"
#include "tools/tracerec/trying.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AS_WRITTEN, ANY_INSTANCE, ANY_OBJECT, WAYS }; /* of runs; in turn, and from the fourth run on anew */

typedef struct {
  Spool spool;
  RunSource source;
  PredictingResult result;
} Predicted;

/* A violation that is to happen: a predicted one, or one of the witness file. */
typedef struct {
  const char *title; /* "kv_incr.c:37:3: transaction 'incr' of T0 can be split by T1:client" */
  const char *how;   /* what comes in between, and how it comes back, each in a line with its place; "": not known */
  const char *why;   /* it cannot be followed; or NULL, then */
  const char *steps; /* a step file of one plan */
  SeenCycle cycle;
  bool predicted;
} Case;

typedef enum { NOTHING, ANOTHER, CONFIRMED } Outcome;

typedef struct {
  char log[PATH_MAX], steps[PATH_MAX], prints[PATH_MAX];
} Paths;

typedef struct {
  Heap *heap;
  const Confirming *options;
  Predicted first;
  uint32_t confirmed; /* violations */
  bool ran;           /* of the present one: the program has made a log */
  bool other_program; /* it is not the one that the steps are for */
  bool stopped;       /* by a signal: there are no more runs */
} Work;

/* ---- predicting ---- */

static bool predict(Predicted *p, Heap *heap, const Confirming *options, const char *run, Err *err) {
  const PredictingOptions asked = {.sync = options->sync, .all = true, .by = ALIKE_SPLITS, .budget = PREDICTING_BUDGET};
  const AskLimits limits = {.max_events = 0};
  *p = (Predicted){.spool = spool_plain(run)};
  p->source = (RunSource){.inputs = &p->spool, .n = 1, .trace = {.format = -1}};
  return predicting_runs(heap, &p->source, &asked, &limits, &p->result, err) &&
         steps_make(heap, &p->source, &p->result, err);
}

static bool is_same_event(const SeenEvent *a, const SeenEvent *b) {
  return a->role == b->role && a->op == b->op && strcmp(a->place, b->place) == 0;
}

static bool is_same_cycle(const SeenCycle *a, const SeenCycle *b) {
  bool same = a->n_events == b->n_events;
  for (uint32_t i = 0; i < a->n_events && same; i++) same = is_same_event(&a->events[i], &b->events[i]);
  return same;
}

/* The plan for the same cycle of what is predicted from another run; NULL: there is none. */
static const char *plan_for(const Predicted *p, const SeenCycle *wanted, char *room, size_t size) {
  const PredictionReport *report = &p->result.report;
  for (uint32_t i = 0; i < report->n_runs; i++) {
    SeenCycle cycle;
    if (!report->steps.of[i].plan || !seen_cycle(&report->runs[i], &cycle) || !is_same_cycle(wanted, &cycle)) continue;
    const int n = snprintf(room, size, "%splan %u\n%s", report->steps.head, i + 1, report->steps.of[i].plan);
    return n > 0 && (size_t)n < size ? room : NULL;
  }
  return NULL;
}

/* ---- one run ---- */

/* The number, from the second on, goes before the last dot; from there on there is `instead`, if it is not NULL. */
static void number_path(const char *path, uint32_t number, const char *instead, char room[PATH_MAX]) {
  const char *dot = strrchr(path, '.');
  const int stem = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
  char with[16] = "";
  if (number > 1) snprintf(with, sizeof with, "-%u", number);
  snprintf(room, PATH_MAX, "%.*s%s%s", stem, path, with, instead ? instead : path + stem);
}

static void name_paths(const Confirming *options, uint32_t number, Paths *paths) {
  number_path(options->out, number, NULL, paths->log);
  number_path(options->out, number, ".steps", paths->steps);
  number_path(options->out, number, ".txt", paths->prints);
}

/* Runs the program, and makes its log. *plan is then as the run has left it. */
static bool run_once(Work *w, RawPlan *plan, const Paths *paths, Tried *tried, Err *err) {
  static RawHeader header;
  const Confirming *o = w->options;
  const Trying trying = {.program = o->program,
                         .log = paths->log,
                         .prints = paths->prints,
                         .atomic = o->atomic,
                         .except = o->except,
                         .limit = o->limit};
  header = *o->header;
  header.plan = *plan;
  if (!trying_run(w->heap, &trying, &header, tried, err)) return false;
  *plan = header.plan;
  return true;
}

/* *followed says what became of the plan. */
static bool record(Work *w, const RawPlan *plan, const Paths *paths, Tried *tried, char *followed, size_t size,
                   Err *err) {
  RawPlan left = *plan;
  if (!run_once(w, &left, paths, tried, err)) return false;
  w->ran = true;
  steps_outcome(&left, followed, size);
  w->other_program = !steps_are_loaded(&left);
  return true;
}

static bool is_violated(Work *w, const char *log, bool *violated, Err *err) {
  MonitoringResult result;
  const bool good = trying_monitor(w->heap, log, &result, err);
  *violated = good && result.report.verdict == VERDICT_VIOLATED;
  monitoring_fini(&result);
  return good;
}

/* What the log shows: the cycle itself, which the monitor must see as well; of a witness, in the very block. */
static bool judge(Work *w, const Case *it, const char *log, Outcome *outcome, uint64_t events[SEEN_EVENTS], Err *err) {
  bool violated = false, seen = false;
  if (!is_violated(w, log, &violated, err) || !seen_in(w->heap, log, &it->cycle, &seen, events, err)) return false;
  if (seen && !violated) return err_set(err, ERR_CHECK, "%s: the monitor does not see the cycle", log);
  if (seen && !it->predicted && !placing_is_inside(w->heap, log, events[0], events[it->cycle.n_events - 1], &seen, err))
    return false;
  *outcome = seen ? CONFIRMED : violated ? ANOTHER : NOTHING;
  return true;
}

/* ---- one violation ---- */

typedef struct {
  const RawPlan *plan;
  const char *title;
} Followed;

static bool write_steps(void *argument, FILE *stream, Err *err) {
  const Followed *followed = argument;
  (void)err;
  steps_print(followed->plan, followed->title, stream);
  return true;
}

static bool tell_confirmed(Work *w, const Paths *paths, const Followed *followed, uint32_t tries, const Tried *tried,
                           Err *err) {
  if (!file_write(w->heap, paths->steps, write_steps, &(Followed){followed->plan, followed->title}, err)) return false;
  if (w->options->quiet) return true;
  printf("  confirmed in run %u; its log: %s\n", tries, paths->log);
  printf("  ");
  trying_print_status(tried);
  printf("; what it printed: %s\n", paths->prints);
  trying_print_hanging(tried, 4);
  printf("  to see it: tracecheck %s\n", paths->log);
  printf("  to see it again: tracerec run --follow=%s -o again.bin --", paths->steps);
  trying_print_words(w->options->program);
  putchar('\n');
  return true;
}

static const char *number_picture(const char *path, uint32_t number, char room[PATH_MAX]) {
  if (path) number_path(path, number, NULL, room);
  return path ? room : NULL;
}

static bool draw(Work *w, const SeenCycle *cycle, const char *log, const uint64_t *events, Err *err) {
  const Drawing *files = &w->options->pictures;
  const uint32_t number = w->confirmed + 1;
  char dot[PATH_MAX], svg[PATH_MAX], html[PATH_MAX];
  const Drawing numbered = {number_picture(files->dot, number, dot), number_picture(files->svg, number, svg),
                            number_picture(files->html, number, html)};
  return drawing_write(w->heap, log, events, cycle->n_events, &numbered, err);
}

/* ---- in a debugger ---- */

/* gdb, with what it is to do, and the program. */
static char **debugger_of(Heap *heap, char **program) {
  static char *const GDB[] = {
      "gdb", "-q",        "-iex",  "set breakpoint pending on", "-ex", "break tracerec_split", "-ex", "run",
      "-ex", "backtrace", "--args"};
  enum { N = sizeof GDB / sizeof *GDB };
  size_t n = 0;
  while (program[n]) n++;
  char **words = heap_alloc(heap, (N + n + 1) * sizeof *words);
  memcpy(words, GDB, sizeof GDB);
  memcpy(words + N, program, (n + 1) * sizeof *words);
  return words;
}

/* The run is followed once more; nobody needs its log. */
static bool debug(Work *w, const RawPlan *plan, const Paths *paths, Err *err) {
  static RawHeader header;
  RawFile raw;
  int status;
  char **words = debugger_of(w->heap, w->options->program);
  header = *w->options->header;
  header.plan = *plan;
  const Recording recording = {.out = paths->log, .header = &header, .program = words};
  fflush(stdout);
  const bool good = recording_run_one(&recording, &raw, &status, err);
  if (good) unlink(raw.path), close(raw.file);
  heap_release(w->heap, words);
  return good;
}

static bool is_interrupted(const Work *w, const Tried *tried) {
  return heap_asked(w->heap) != STOP_NOT || tried->interrupted ||
         (WIFSIGNALED(tried->status) && (WTERMSIG(tried->status) == SIGINT || WTERMSIG(tried->status) == SIGTERM));
}

/* What the next run follows: the steps as they are, then any instance of them, then these on any object; and then the
 * same of what the last run predicts, if the steps were predicted. False: there is nothing. */
static bool choose_plan(Work *w, const Case *it, uint32_t number, const char *last, RawPlan *plan, Err *err) {
  static char text[1 << 20];
  const uint32_t way = (number - 1) % WAYS;
  const bool anew = it->predicted && number > WAYS;
  Predicted again;
  const char *found = NULL;
  if (anew && !predict(&again, w->heap, w->options, last, err)) return false;
  if (anew) found = plan_for(&again, &it->cycle, text, sizeof text);
  if (anew) predicting_fini(&again.result);
  if (!steps_parse("steps", found ? found : it->steps, 1, plan, err)) return false;
  if (way >= ANY_INSTANCE) steps_loosen(plan);
  if (way == ANY_OBJECT) steps_loosen_objects(plan);
  plan->timeout = w->options->timeout;
  return true;
}

/* How a run has ended, if not well; who waits for whom, if it was ended. */
static void tell_end(const Tried *tried) {
  if (tried->interrupted || (!tried->ended && !tried->status)) return;
  printf("    ");
  trying_print_status(tried);
  putchar('\n');
  trying_print_hanging(tried, 6);
}

/* One run; its log stays only if it shows something. */
static bool try_once(Work *w, const Paths *paths, const Case *it, const RawPlan *plan, uint32_t number,
                     Outcome *outcome, Tried *tried, Err *err) {
  char followed[300];
  uint64_t events[SEEN_EVENTS];
  if (!record(w, plan, paths, tried, followed, sizeof followed, err) || !judge(w, it, paths->log, outcome, events, err))
    return false;
  if (*outcome == CONFIRMED)
    return tell_confirmed(w, paths, &(Followed){plan, it->title}, number, tried, err) &&
           draw(w, &it->cycle, paths->log, events, err) && (!w->options->gdb || debug(w, plan, paths, err));
  if (!w->options->quiet) {
    printf("  run %u: %s%s\n", number, followed, *outcome == ANOTHER ? "; another violation was seen" : "");
    tell_end(tried);
  }
  return true;
}

static bool confirm(Work *w, const Case *it, Err *err) {
  Paths paths;
  Outcome outcome = NOTHING;
  bool good = true, another = false;
  Tried tried = {.status = 0};
  if (!w->options->quiet) printf("%s\n", it->title);
  if (!w->options->quiet) fputs(it->how, stdout);
  name_paths(w->options, w->confirmed + 1, &paths);
  if (it->why && !w->options->quiet) printf("  not confirmed: it cannot be followed: %s\n", it->why);
  w->ran = w->other_program = false;
  for (uint32_t i = 1;
       !it->why && good && i <= w->options->tries && outcome != CONFIRMED && !w->other_program && !w->stopped; i++) {
    RawPlan plan;
    hanging_fini(w->heap, &tried.hanging);
    good = choose_plan(w, it, i, paths.log, &plan, err) && try_once(w, &paths, it, &plan, i, &outcome, &tried, err);
    another |= good && outcome == ANOTHER;
    w->stopped = is_interrupted(w, &tried);
  }
  hanging_fini(w->heap, &tried.hanging);
  if (good && outcome != CONFIRMED && !it->why && !w->options->quiet)
    printf("  not confirmed%s\n", another ? ", but another violation was seen" : " (which is not safe)");
  w->confirmed += outcome == CONFIRMED;
  if (outcome != CONFIRMED && w->ran) unlink(paths.log), unlink(paths.prints);
  fflush(stdout);
  return good;
}

/* ---- what was predicted ---- */

/* "kv_incr.c:37:3: ", or nothing, and the words. */
static const char *with_place(Arena *arena, const Place *place, const char *words) {
  return place->file ? arena_format(arena, "%s: %s", place_head(arena, place), words) : words;
}

/* Of the notes that have places: the others say who has called. */
static const char *list_notes(Arena *arena, const Finding *finding) {
  const char *all = "";
  for (uint32_t i = 0; i < finding->n_notes; i++) {
    const FindingNote *note = &finding->notes[i];
    if (note->place.line) all = arena_format(arena, "%s  %s\n", all, with_place(arena, &note->place, note->message));
  }
  return all;
}

static bool confirm_predicted(Work *w, uint32_t violation, Err *err) {
  const PredictionReport *report = &w->first.result.report;
  const Steps *steps = &report->steps.of[violation];
  Arena arena;
  arena_init(&arena, w->heap);
  PredictionReport one = *report;
  one.runs = &report->runs[violation];
  const Finding finding = of_prediction_finding(&arena, &one, true);
  Case it = {.title = with_place(&arena, &finding.place, finding.message),
             .how = list_notes(&arena, &finding),
             .why = steps->why,
             .predicted = true};
  if (!it.why && !seen_cycle(&report->runs[violation], &it.cycle)) it.why = "its events have no places in the source";
  if (!it.why) it.steps = arena_format(&arena, "%splan %u\n%s", report->steps.head, violation + 1, steps->plan);
  const bool good = confirm(w, &it, err);
  arena_fini(&arena);
  return good;
}

/* ---- all of it ---- */

static Verdict tell_verdict(const Work *w) {
  const PredictionReport *report = &w->first.result.report;
  const uint32_t n = report->n_runs;
  const bool none = !n && report->verdict == VERDICT_HOLDS;
  if (none) printf("verdict: none\n");
  else if (w->stopped && !w->confirmed) printf("verdict: unknown (interrupted)\n");
  else if (!n) printf("verdict: unknown (%s)\n", report->why ? report->why : "the prediction was not finished");
  else printf("verdict: %s (%u of %u)\n", w->confirmed ? "confirmed" : "not confirmed", w->confirmed, n);
  return w->confirmed ? VERDICT_VIOLATED : none ? VERDICT_HOLDS : VERDICT_UNKNOWN;
}

static bool goes_on(const Work *w) {
  return !w->stopped && heap_asked(w->heap) == STOP_NOT && !(w->confirmed && w->options->first);
}

static bool follow_prediction(Work *w, Verdict *verdict, Err *err) {
  bool good = predict(&w->first, w->heap, w->options, w->options->run, err);
  for (uint32_t i = 0; good && i < w->first.result.report.n_runs && goes_on(w); i++)
    good = confirm_predicted(w, i, err);
  if (good) *verdict = tell_verdict(w);
  predicting_fini(&w->first.result);
  return good;
}

/* ---- what a witness file says ---- */

/* A run whose log says where the code is. */
static bool run_first(Work *w, const Paths *paths, Err *err) {
  RawPlan nothing = {.n_legs = 0};
  Tried tried;
  if (!run_once(w, &nothing, paths, &tried, err)) return false;
  w->stopped = is_interrupted(w, &tried);
  if (!w->options->quiet) tell_end(&tried);
  hanging_fini(w->heap, &tried.hanging);
  return true;
}

static Verdict tell_followed(const Work *w, uint32_t n) {
  if (w->stopped && !w->confirmed) printf("verdict: unknown (interrupted)\n");
  else printf("verdict: %s (%u of %u)\n", w->confirmed ? "confirmed" : "not confirmed", w->confirmed, n);
  return w->confirmed ? VERDICT_VIOLATED : VERDICT_UNKNOWN;
}

static bool follow_witness(Work *w, Verdict *verdict, Err *err) {
  Placing placing;
  Paths paths;
  name_paths(w->options, 1, &paths);
  if (!run_first(w, &paths, err)) return false;
  bool good = placing_make(w->heap, w->options->witness, paths.log, &placing, err);
  unlink(paths.log), unlink(paths.prints);
  for (uint32_t i = 0; good && i < placing.cases.n && goes_on(w); i++) {
    const Placed *placed = &placing.cases.at[i];
    const Case it = {placed->title, "", placed->why, placed->steps, placed->cycle, false};
    good = confirm(w, &it, err);
  }
  if (good) *verdict = tell_followed(w, placing.cases.n);
  placing_fini(&placing);
  return good;
}

bool confirming_run(Heap *heap, const Confirming *options, Verdict *verdict, Err *err) {
  Work w = {.heap = heap, .options = options};
  return options->witness ? follow_witness(&w, verdict, err) : follow_prediction(&w, verdict, err);
}
