/* Logs with vector clocks, as ShiViz reads them: a line of regular expression for an event, one for what begins an
 * execution, then an execution per finding, and in it two lines per step. A step knows what the steps know that it
 * depends on. (C. Fidge, F. Mattern, 1988.) */
#include "report/writers.h"

#include "base/json.h"

#include <string.h>

/* The names of the threads, as words: no two alike. */
static const char **make_hosts(Arena *arena, const Finding *finding) {
  const char **hosts = arena_zeroed(arena, finding->n_threads, sizeof *hosts);
  for (uint32_t i = 0; i < finding->n_threads; i++) {
    char *host = arena_copy(arena, finding->threads[i].name, strlen(finding->threads[i].name));
    bool again = !host[0];
    for (char *c = host; *c; c++)
      if (strchr(" \t{}\"\\", *c)) *c = '_';
    for (uint32_t k = 0; k < i; k++) again |= strcmp(hosts[k], host) == 0;
    hosts[i] = again ? arena_format(arena, "%s#%u", host, i + 1) : host;
  }
  return hosts;
}

/* clocks[i * threads ..]: how many steps of each thread step i knows of, itself included. */
static const uint32_t *make_clocks(Arena *arena, const Finding *finding) {
  const uint32_t n = finding->n_threads;
  uint32_t *clocks = arena_zeroed(arena, (size_t)finding->n_steps * n, sizeof *clocks);
  uint32_t *last = arena_zeroed(arena, n, sizeof *last); /* per thread: its last step + 1 */
  for (uint32_t i = 0, e = 0; i < finding->n_steps; i++) {
    uint32_t *clock = clocks + (size_t)i * n;
    const uint32_t thread = finding->steps[i].thread, before = last[thread];
    if (before) memcpy(clock, clocks + (size_t)(before - 1) * n, n * sizeof *clock);
    for (; e < finding->n_edges && finding->edges[e].to == i; e++) {
      const uint32_t *known = clocks + (size_t)finding->edges[e].from * n;
      for (uint32_t t = 0; t < n; t++)
        if (known[t] > clock[t]) clock[t] = known[t];
    }
    clock[thread]++;
    last[thread] = i + 1;
  }
  return clocks;
}

static void put_clock(FILE *out, const char *const *hosts, const uint32_t *clock, uint32_t n) {
  Json writer = json_start(out), *json = &writer;
  json_open(json, '{', JSON_ROW);
  for (uint32_t t = 0; t < n; t++)
    if (clock[t]) json_member_count(json, hosts[t], clock[t]);
  json_close(json);
  json_finish(json);
}

static void put_execution(FILE *out, Arena *arena, const Finding *finding) {
  const char **hosts = make_hosts(arena, finding);
  const uint32_t *clocks = make_clocks(arena, finding);
  fprintf(out, "=== %s ===\n", finding->title ? finding->title : finding->message);
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    const FindingStep *step = &finding->steps[i];
    fputs(step->text, out);
    if (step->words) fprintf(out, " <- %s", step->words);
    fprintf(out, "\n%s ", hosts[step->thread]);
    put_clock(out, hosts, clocks + (size_t)i * finding->n_threads, finding->n_threads);
  }
}

bool shiviz_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  uint32_t n = 0;
  (void)style;
  (void)err;
  fputs("(?<event>.*)\\n(?<host>\\S*) (?<clock>\\{.*\\})\n^=== (?<trace>.*) ===$\n", out);
  for (uint32_t i = 0; i < report_findings(report); i++) {
    Arena arena;
    arena_init(&arena, report->arena.heap);
    const Finding finding = report_finding(report, &arena, i);
    const bool has_run = finding.kind == FINDING_FAIL && finding.n_steps;
    if (has_run) put_execution(out, &arena, &finding);
    n += has_run;
    arena_fini(&arena);
  }
  if (!n)
    fprintf(out, "=== verdict: %s%s%s ===\n", report->verdict_name, report->why ? ": " : "",
            report->why ? report->why : "");
  return true;
}
