/* happening.c: the chain of a finding becomes legs, each a line of the source; where a thread comes back to the chain
 * later, it has to go on to where it gives back the lock that others may need. */
#include "tools/happening.h"

#include "base/self.h"
#include "report/place.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_THREADS = 8 }; /* docs/confirming.md */

/* ---- the witness file ---- */

static bool is_leg(const FindingStep *step) { return step->part && strcmp(step->part, "begin"); }

/* The edge of the chain between two of its steps; NULL: there is none. */
static const FindingEdge *chain_edge(const Finding *finding, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < finding->n_edges; i++) {
    const FindingEdge *edge = &finding->edges[i];
    if (edge->from == from && edge->to == to && edge->kind == EDGE_CHAIN && edge->object) return edge;
  }
  return NULL;
}

static uint32_t leg_before(const Finding *finding, uint32_t step) {
  while (step && !is_leg(&finding->steps[step - 1])) step--;
  return step ? step - 1 : finding->n_steps;
}

static uint32_t leg_after(const Finding *finding, uint32_t step) {
  do step++;
  while (step < finding->n_steps && !is_leg(&finding->steps[step]));
  return step;
}

static void print_event(const char *what, uint32_t thread, const char *class, bool same, const Place *place,
                        const char *object, FILE *out) {
  fprintf(out, "%s\t%c\t%s\t%s\t%u\t%s\t%s\t%s\n", what, (char)('A' + thread), class, same ? "=" : "-", place->line,
          place->function ? place->function : "", place->file ? place->file : "", object ? object : "");
}

/* What the step does on the chain: both edges may say it; where one is a write, or is of a lock, that counts. */
static const char *class_of(const FindingEdge *in, const FindingEdge *next) {
  const char *modes[] = {in ? in->modes[1] : NULL, next ? next->modes[0] : NULL};
  const char *class = "read";
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (modes[i] && strcmp(modes[i], "read") && (strcmp(class, "read") == 0 || strcmp(modes[i], "write")))
      class = modes[i];
  return class;
}

static void print_leg(const Finding *finding, uint32_t i, FILE *out) {
  const FindingStep *step = &finding->steps[i];
  const FindingEdge *in = chain_edge(finding, leg_before(finding, i), i),
                    *next = chain_edge(finding, i, leg_after(finding, i));
  const char *object = in ? in->object : next ? next->object : NULL;
  print_event("leg", step->thread, class_of(in, next), in != NULL, &step->place, object, out);
}

static bool comes_again(const Finding *finding, uint32_t leg) {
  for (uint32_t i = leg_after(finding, leg); i < finding->n_steps; i = leg_after(finding, i))
    if (finding->steps[i].thread == finding->steps[leg].thread) return true;
  return false;
}

/* Where the thread of the leg last gives back a lock before the next leg, if that is another thread's. */
static void print_pass(const Finding *finding, uint32_t leg, FILE *out) {
  const uint32_t next = leg_after(finding, leg), thread = finding->steps[leg].thread;
  const FindingStep *last = NULL;
  if (next >= finding->n_steps || finding->steps[next].thread == thread || !comes_again(finding, leg)) return;
  for (uint32_t i = leg + 1; i < next; i++) {
    const FindingStep *step = &finding->steps[i];
    if (step->thread == thread && step->n_accesses && strcmp(step->accesses[0].how, "release") == 0) last = step;
  }
  if (last) print_event("pass", thread, "release", false, &last->place, NULL, out);
}

static bool is_followed(const Finding *finding) {
  bool known = finding->kind == FINDING_FAIL && finding->n_steps;
  for (uint32_t i = 0; i < finding->n_steps; i++)
    known &= !is_leg(&finding->steps[i]) || finding->steps[i].thread < MOST_THREADS;
  return known;
}

static void print_plan(const Finding *finding, Arena *arena, FILE *out) {
  const char *head = place_head(arena, &finding->place);
  fprintf(out, "plan\t%s%s%s\n", head, *head ? ": " : "", finding->message);
  print_event("begin", 0, "begin", false, &finding->place, NULL, out);
  for (uint32_t i = leg_after(finding, 0); i < finding->n_steps; i = leg_after(finding, i)) {
    print_leg(finding, i, out);
    print_pass(finding, i, out);
  }
}

static void print_witness(const Report *report, Arena *arena, FILE *out) {
  fputs("witness 1\n", out);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    const Finding finding = report_finding(report, arena, i);
    if (is_followed(&finding)) print_plan(&finding, arena, out);
  }
}

/* ---- tracerec ---- */

static volatile sig_atomic_t the_child;

static void pass_on(int signal_number) {
  const int error = errno;
  kill((pid_t)the_child, signal_number);
  errno = error;
}

/* A signal that is to end us ends the child; one from the terminal it has got itself. */
static void wait_for(pid_t child, int *status) {
  const struct sigaction passing = {.sa_handler = pass_on};
  struct sigaction before;
  the_child = child;
  sigaction(SIGTERM, &passing, &before);
  while (waitpid(child, status, 0) < 0 && errno == EINTR) {}
  sigaction(SIGTERM, &before, NULL);
}

/* Its stdout is our stderr. */
static bool run(const char *const *words, int *status, Err *err) {
  pid_t child;
  posix_spawn_file_actions_t actions;
  fflush(stdout);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  const int failed = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return err_set(err, ERR_IO, "--confirm: %s: %s", words[0], strerror(failed));
  wait_for(child, status);
  return true;
}

/* Beside this program, or in PATH. */
static const char *find_tracerec(char place[PATH_MAX + 16]) {
  self_folder(place);
  strcat(place, "/tracerec");
  return access(place, X_OK) == 0 ? place : "tracerec";
}

/* The file has no name: it is handed on as it is open. */
static bool follow(Tool *tool, Arena *arena, FILE *witness, const char *program, const char *atomic, bool quiet,
                   Err *err) {
  char place[PATH_MAX + 16];
  int status = 0;
  const char *file = arena_format(arena, "--witness=/dev/fd/%d", fileno(witness));
  const char *command = arena_format(arena, "exec \"$0\" confirm %s \"$@\" -- %s", quiet ? "--quiet" : "", program);
  const char *const words[] = {"/bin/sh", "-c", command, find_tracerec(place), file, *atomic ? atomic : NULL, NULL};
  if (!run(words, &status, err)) return false;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ERROR;
  if (code > EXIT_UNKNOWN) tool->exit_code = code == EXIT_CHECK ? EXIT_CHECK : EXIT_ERROR;
  return true;
}

/* "--atomic=f,g"; "": none are named. */
static const char *atomic_option(Arena *arena, const OptionList *atomic, bool functions) {
  const char *option = functions ? "--atomic=all-functions" : "";
  for (uint32_t i = 0; i < atomic->n; i++)
    option = arena_format(arena, "%s%s%s", option, *option ? "," : "--atomic=", atomic->at[i]);
  return option;
}

bool happening_confirm(Tool *tool, const Report *report, const Happening *of, bool quiet, Err *err) {
  Arena arena;
  if (report->verdict != VERDICT_VIOLATED) return true;
  FILE *witness = tmpfile();
  if (!witness) return err_set(err, ERR_IO, "--confirm: no temporary file can be made: %s", strerror(errno));
  arena_init(&arena, tool->heap);
  print_witness(report, &arena, witness);
  const bool good =
      fflush(witness) == 0 && !ferror(witness)
          ? follow(tool, &arena, witness, of->program, atomic_option(&arena, of->atomic, of->functions), quiet, err)
          : err_set(err, ERR_IO, "--confirm: writing a temporary file failed");
  arena_fini(&arena);
  fclose(witness);
  return good;
}
