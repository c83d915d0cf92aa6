/* stressing.c: run after run with the next seed. What is known of one run is used for the next one only where it is
 * said when a violation is reported, so that its command line has all that there is to repeat. */
#include "tools/tracerec/stressing.h"

#include "base/clock.h"
#include "report/of_run.h"
#include "report/writers.h"
#include "tools/tracerec/trying.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_SPLITS = 8, SPLIT_AGAIN = 4 }; /* by both: so many runs at first, and then each fourth */

typedef struct {
  Heap *heap;
  const Stressing *options;
  char prints[PATH_MAX];
  RawHeader header; /* of the next run, and then as that has left it */
  RawPlan modules;  /* whose functions are transactions, */
  RawStress stress; /* and these */
  uint32_t number;  /* of the run, from 1; 0: the one before, in which nobody is held */
  bool split;
  uint64_t seed, length;
  Tried tried;
  uint32_t struck, late, deadlocks; /* runs that were ended by a signal; that took too long; of these with a deadlock */
  uint32_t open;                    /* runs whose log does not say whether there is a violation */
  double start;
  bool violated, stopped, ran;
} Work;

static bool name_prints(Work *w, Err *err) {
  const char *out = w->options->out, *dot = strrchr(out, '.');
  const int stem = dot && !strchr(dot, '/') ? (int)(dot - out) : (int)strlen(out);
  const int n = snprintf(w->prints, sizeof w->prints, "%.*s.txt", stem, out);
  if (n < (int)sizeof w->prints && strcmp(w->prints, out)) return true;
  return err_set(err, ERR_INPUT, "%s: what the program prints cannot be written beside it, to %s", out, w->prints);
}

/* ---- functions that are transactions ---- */

/* The code of the beginnings of transactions in the log. */
static bool note_functions(Work *w, Err *err) {
  const TraceOptions options = {.format = -1, .where = true};
  const TraceEvent *events;
  uint32_t n = 0;
  bool good = true;
  TraceReader *reader = trace_open(w->heap, w->options->out, &options, err);
  if (!reader) return false;
  do good = trace_next(reader, &events, &n, err);
  while (good && n && heap_asked(w->heap) == STOP_NOT);
  const TraceWhere *where = trace_where(reader);
  for (uint32_t i = 0; good && i < where->modules.n && i < PLAN_MODULES; i++) {
    const TraceModule *module = &where->modules.at[i];
    PlanModule *to = &w->modules.modules[w->modules.n_modules++];
    to->n = module->n;
    memcpy(to->id, module->id, sizeof to->id);
  }
  for (uint32_t i = 0; good && i < where->codes.n && w->stress.n_functions < STRESS_FUNCTIONS; i++) {
    const TraceCode *code = &where->codes.at[i];
    if (code->op != TRACE_BEGIN || code->module >= w->modules.n_modules) continue;
    w->stress.functions[w->stress.n_functions].module = code->module;
    w->stress.functions[w->stress.n_functions++].code = code->code;
  }
  trace_close(reader);
  return good;
}

/* ---- one run ---- */

static void choose(Work *w) {
  const Stressing *o = w->options;
  const uint32_t i = w->number - 1;
  w->seed = o->seed + i;
  w->split = o->by == BY_SPLIT || (o->by == BY_BOTH && (i < FIRST_SPLITS || i % SPLIT_AGAIN == 0));
  w->header = *o->header;
  w->header.plan = w->modules;
  if (!w->number) return;
  w->header.stress = w->stress;
  w->header.stress.how = w->split ? STRESS_SPLIT : STRESS_PRIORITIES;
  w->header.stress.seed = w->seed;
  w->header.stress.timeout = o->timeout;
  w->header.stress.length = w->length ? w->length : 1;
}

static void print_text(Work *w, const MonitoringResult *result) {
  Report report;
  Err err;
  report_init(&report, w->heap, "tracerec", true);
  of_run(&report, &result->report, result->size, result->seconds, 0);
  text_write(&report, (TextStyle){.quiet = w->options->quiet}, stdout, &err);
  report_fini(&report);
}

static void print_lists(const char *option, const OptionList *list) {
  for (uint32_t i = 0; i < list->n; i++) printf(" --%s=%s", option, list->at[i]);
}

/* The command line that makes the same choices. */
static void print_again(const Work *w) {
  const Stressing *o = w->options;
  if (!w->number) printf("tracerec run");
  else if (w->split) printf("tracerec split --runs=1 --seed=%llu", (unsigned long long)w->seed);
  else
    printf("tracerec stress --by=priorities --runs=1 --seed=%llu --length=%llu", (unsigned long long)w->seed,
           (unsigned long long)w->header.stress.length);
  if (w->number && o->timeout != STRESSING_LEG) printf(" --leg=%u", o->timeout);
  if (w->number && o->limit != STRESSING_LIMIT) printf(" --run-limit=%g", o->limit);
  print_lists("atomic", &o->atomic);
  print_lists("except", &o->except);
  printf(" -o again.bin --");
  trying_print_words(o->program);
  putchar('\n');
}

static double runs_per_second(const Work *w) {
  const double seconds = clock_seconds() - w->start;
  return seconds > 0 ? w->number / seconds : 0;
}

/* How it was found, what it is, and the verdict. */
static void tell_violation(Work *w, const MonitoringResult *result) {
  const Stressing *o = w->options;
  if (!o->quiet) {
    if (w->number)
      printf("violated in run %u, by %s, seed %llu (%.1f runs per second)\n", w->number,
             w->split ? "split" : "priorities", (unsigned long long)w->seed, runs_per_second(w));
    else printf("violated in the first run, in which no thread is held\n");
    printf("  its log: %s\n  ", o->out);
    trying_print_status(&w->tried);
    printf("; what it printed: %s\n", w->prints);
    trying_print_hanging(&w->tried, 4);
    printf("  to see it: tracecheck");
    trying_print_words((char *[]){(char *)(uintptr_t)o->out, NULL});
    printf("\n  to see it again: ");
    print_again(w);
  }
  print_text(w, result);
}

/* How a run ended that did not end by itself, and how to see it again. */
static void tell_end(const Work *w) {
  printf("run %u, seed %llu: ", w->number, (unsigned long long)w->seed);
  trying_print_status(&w->tried);
  putchar('\n');
  trying_print_hanging(&w->tried, 2);
  if (!w->tried.ended) return;
  printf("  to see it again: ");
  print_again(w);
}

/* The first run of each kind is told, and the first deadlock. */
static void note_end(Work *w) {
  const Tried *tried = &w->tried;
  const bool late = tried->ended && !tried->interrupted, struck = !late && WIFSIGNALED(tried->status);
  const bool first = (late && !w->late) || (struck && !w->struck) || (tried->hanging.deadlock && !w->deadlocks);
  w->late += late;
  w->struck += struck;
  w->deadlocks += late && tried->hanging.deadlock;
  if (first && !w->options->quiet && !tried->interrupted) tell_end(w);
}

static bool judge(Work *w, Err *err) {
  MonitoringResult result;
  const bool good = trying_monitor(w->heap, w->options->out, &result, err);
  w->violated = good && result.report.verdict == VERDICT_VIOLATED;
  w->open += good && result.report.verdict == VERDICT_UNKNOWN;
  if (w->violated) tell_violation(w, &result);
  monitoring_fini(&result);
  return good;
}

static bool is_interrupted(const Work *w) {
  const int status = w->tried.status;
  return heap_asked(w->heap) != STOP_NOT || w->tried.interrupted ||
         (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM));
}

static bool run_once(Work *w, Err *err) {
  const Stressing *o = w->options;
  const Trying trying = {.program = o->program,
                         .log = o->out,
                         .prints = w->prints,
                         .atomic = o->atomic,
                         .except = o->except,
                         .limit = o->limit,
                         .quiet = w->ran};
  choose(w);
  hanging_fini(w->heap, &w->tried.hanging);
  if (!trying_run(w->heap, &trying, &w->header, &w->tried, err)) return false;
  const bool first = !w->ran;
  w->ran = true;
  w->stopped = is_interrupted(w);
  if (first && !w->tried.transactions && !w->stopped)
    return err_set(err, ERR_INPUT, "%s: its run has no transactions", o->program[0]);
  note_end(w);
  if (!o->length && w->header.stress.inside > w->length) w->length = w->header.stress.inside;
  return judge(w, err);
}

/* ---- all of them ---- */

static Verdict tell_verdict(const Work *w) {
  if (w->violated) return VERDICT_VIOLATED;
  if (w->stopped) printf("verdict: unknown (interrupted in run %u)\n", w->number);
  else if (w->deadlocks) printf("verdict: unknown (a deadlock in %u of %u runs)\n", w->deadlocks, w->number);
  else if (w->late) printf("verdict: unknown (%u of %u runs took too long)\n", w->late, w->number);
  else if (w->struck) printf("verdict: unknown (a signal ended %u of %u runs)\n", w->struck, w->number);
  else if (w->open) printf("verdict: unknown (the logs of %u of %u runs are cut short)\n", w->open, w->number);
  else if (w->options->quiet) printf("verdict: none\n");
  else printf("verdict: none in %u runs (%.1f runs per second)\n", w->number, runs_per_second(w));
  return w->stopped || w->late || w->struck || w->open ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

bool stressing_run(Heap *heap, const Stressing *options, Verdict *verdict, Err *err) {
  static Work w;
  w = (Work){.heap = heap, .options = options, .length = options->length, .start = clock_seconds()};
  bool good = name_prints(&w, err);
  if (good && options->atomic.n) good = run_once(&w, err) && (w.violated || note_functions(&w, err));
  while (good && !w.violated && !w.stopped && w.number < options->runs) {
    w.number++;
    good = run_once(&w, err);
    fflush(stdout);
  }
  if (good) *verdict = tell_verdict(&w);
  if (!w.violated && w.ran) unlink(options->out), unlink(w.prints);
  hanging_fini(heap, &w.tried.hanging);
  return good;
}
