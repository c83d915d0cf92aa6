/* sweep.c: every tool, with each allocation failing in turn, with signals, and with limits of all sizes: says the
 * true verdict or unknown.
 *
 * `sweep TABLE INPUTS RUNS` runs the command lines of the table in an empty folder, where in/ are the inputs. A
 * line of the table is
 *     made COMMAND      once: it makes a file in made/, for the lines below
 *     CODE COMMAND      swept: its true exit code
 *     CODE/CODE COMMAND the same, and the code of a run that is not done, if it is not 2
 * Files that it writes are in out/. RUNS is the most runs of a command with one allocation failing: where there are
 * more allocations, the first ones and a sample of the others are tried. Ends with "sweep: N passed, N failed, N
 * skipped", counting command lines and kinds of faults. */
#include "base/verdict.h"
#include "tests/sweep/judge.h"

#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  CommandLine command;
  Outcome whole;
  int undone;    /* exit code */
  uint64_t runs; /* at most, per kind */
  uint32_t passed, failed, skipped;
} Sweep;

/* ---- one run ---- */

static void show(const CommandLine *command, const char *fault, const char *wrong, const Outcome *run) {
  printf("sweep: FAILED: %s: %s: %s\n", command->shown, fault, wrong);
  if (WIFEXITED(run->status)) printf("  exit %d\n", WEXITSTATUS(run->status));
  else printf("  signal %d\n", WTERMSIG(run->status));
  printf("  stdout: %.600s\n  stderr: %.2000s\n", run->out.text, run->err.text);
}

/* False, with a message, if it is not honest. */
static bool try_fault(const Sweep *sweep, const Fault *fault, const char *name) {
  Outcome run;
  command_run(&sweep->command, fault, &run);
  const char *wrong = judge(&sweep->whole, &run, sweep->undone);
  if (wrong) show(&sweep->command, name, wrong, &run);
  outcome_free(&run);
  return !wrong;
}

static void count(Sweep *sweep, bool good) {
  if (good) sweep->passed++;
  else sweep->failed++;
}

/* ---- kinds of faults ---- */

/* Each k up to the last one; where that were more than `runs`, half of the runs are for the first ones, the others are
 * spread. */
static uint64_t next_k(uint64_t k, uint64_t last, uint64_t runs) {
  if (last <= runs || k < runs / 2) return k + 1;
  return k + 1 + (last - runs / 2) / (runs / 2 + 1);
}

static void sweep_allocations(Sweep *sweep, FaultKind kind, const char *what, uint64_t runs) {
  const uint64_t last = sweep->whole.allocations;
  bool good = true;
  for (uint64_t k = 1; good && k <= last; k = next_k(k, last, runs)) {
    char name[80];
    snprintf(name, sizeof name, "%s %" PRIu64 " of %" PRIu64, what, k, last);
    good = try_fault(sweep, &(Fault){.kind = kind, .nth = k}, name);
  }
  count(sweep, good);
}

/* Does the command count events? */
static bool counts_events(const CommandLine *command) {
  static const char *const NO_EVENTS[] = {"sml2net", "netconv", "certcheck", "causalsum"};
  const char *tool = command->argv[0];
  bool good = true;
  for (size_t i = 0; i < sizeof NO_EVENTS / sizeof *NO_EVENTS; i++) good &= strcmp(tool, NO_EVENTS[i]) != 0;
  for (char *const *word = command->argv; *word; word++)
    good &= !strstr(*word, "--convert=") && (strcmp(tool, "tracepredict") != 0 || !strstr(*word, ".sml"));
  return good;
}

static bool takes(const CommandLine *command, const char *option) {
  return strcmp(command->argv[0], "tracerec") != 0 && (strcmp(option, "max-events") != 0 || counts_events(command));
}

/* Each value is `step` more than the one before, or `factor` times it, if that is more. */
static void sweep_option(Sweep *sweep, const char *option, double first, double last, double step, double factor) {
  bool good = true;
  if (!takes(&sweep->command, option)) return;
  for (double value = first; good && value <= last; value += fmax(step, value * (factor - 1))) {
    char text[80];
    snprintf(text, sizeof text, "--%s=%.*f", option, step < 1 ? 6 : 0, value);
    good = try_fault(sweep, &(Fault){.option = text}, text);
  }
  count(sweep, good);
}

/* The address sanitizer maps more than there is; tracerec hands the limit on to the program that it records. */
static bool can_limit_space(const CommandLine *command) {
#ifdef __SANITIZE_ADDRESS__
  return (void)command, false;
#else
  return strcmp(command->argv[0], "tracerec") != 0;
#endif
}

static void sweep_space(Sweep *sweep) {
  bool good = true;
  if (!can_limit_space(&sweep->command)) return;
  for (size_t room = 1 << 12; good && room <= 1 << 25; room *= 4) {
    char name[80];
    snprintf(name, sizeof name, "%zu bytes of address space", room);
    good = try_fault(sweep, &(Fault){.room = room}, name);
  }
  count(sweep, good);
}

/* ---- the table ---- */

static bool run_whole(Sweep *sweep, int code) {
  command_run(&sweep->command, &(Fault){0}, &sweep->whole);
  if (WIFEXITED(sweep->whole.status) && WEXITSTATUS(sweep->whole.status) == code && !sweep->whole.strays) return true;
  show(&sweep->command, "undisturbed", "it does not end as the table says", &sweep->whole);
  sweep->failed++;
  return false;
}

static void sweep_all(Sweep *sweep) {
  sweep_allocations(sweep, FAULT_ONCE, "allocation", sweep->runs);
  sweep_allocations(sweep, FAULT_FROM, "all allocations from", sweep->runs / 8 + 1);
  sweep_allocations(sweep, FAULT_SIGNAL, "SIGTERM at allocation", sweep->runs / 8 + 1);
  sweep_option(sweep, "max-memory", 1000, 1.5e6, 1, 1.25);
  sweep_option(sweep, "max-events", 1, 1000, 1, 1.3);
  sweep_option(sweep, "timeout", 1e-6, 0.01, 1e-6, 2);
  sweep_space(sweep);
}

static void sweep_line(Sweep *sweep, const char *line) {
  const bool made = strncmp(line, "made ", 5) == 0;
  const char *text = strchr(line, ' ') + 1, *undone = strchr(line, '/');
  sweep->undone = undone && undone < text ? atoi(undone + 1) : EXIT_UNKNOWN;
  if (!command_parse(&sweep->command, text)) {
    printf("sweep: SKIP: %s: there is no such tool\n", text);
    sweep->skipped++;
  } else {
    const uint32_t failed = sweep->failed;
    if (run_whole(sweep, made ? 0 : atoi(line)) && !made) sweep_all(sweep);
    if (getenv("SWEEP_VERBOSE") && !made)
      printf("%s: %" PRIu64 " allocations%s\n", text, sweep->whole.allocations,
             sweep->failed > failed ? ", FAILED" : "");
    outcome_free(&sweep->whole);
  }
  command_free(&sweep->command);
}

/* A process that ends puts back what it has read ahead of a file that it shares: so the table is read before one is
 * started. */
static char *read_table(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  enum { ROOM = 1 << 16 };
  char *text = calloc(1, ROOM);
  const size_t n = text ? fread(text, 1, ROOM - 1, file) : 0;
  fclose(file);
  if (n > 0 && n < ROOM - 1) return text;
  free(text);
  return NULL;
}

static void sweep_table(Sweep *sweep, char *table) {
  char *place;
  for (char *line = strtok_r(table, "\n", &place); line; line = strtok_r(NULL, "\n", &place))
    if (*line != '#' && strchr(line, ' ')) sweep_line(sweep, line);
}

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info, (void)type, (void)where;
  return remove(path);
}

static bool make_folder(char *folder, const char *inputs) {
  char *from = realpath(inputs, NULL);
  const bool good = from && mkdtemp(folder) && chdir(folder) == 0 && symlink(from, "in") == 0 &&
                    mkdir("out", 0777) == 0 && mkdir("made", 0777) == 0 && mkdir("tmp", 0777) == 0 &&
                    setenv("TMPDIR", "tmp", 1) == 0;
  free(from);
  return good;
}

int main(int argc, char **argv) {
  char folder[4096];
  char *table = argc == 4 ? read_table(argv[1]) : NULL;
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/sweep-XXXXXX", tmp ? tmp : "/tmp");
  if (!table || !make_folder(folder, argv[2])) return perror("sweep"), 1;
  Sweep sweep = {.runs = (uint64_t)atoll(argv[3])};
  sweep_table(&sweep, table);
  free(table);
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  printf("sweep: %u passed, %u failed, %u skipped\n", sweep.passed, sweep.failed, sweep.skipped);
  return sweep.passed && !sweep.failed ? 0 : 1;
}
