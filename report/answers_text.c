#include "base/text.h"
#include "petri/lookup.h"
#include "report/answers.h"

void print_run(const Net *net, const TransId *run, uint32_t n_run, FILE *out) {
  Arena arena;
  arena_init(&arena, net->arena.heap);
  for (uint32_t i = 0; i < n_run; i++) fprintf(out, "  %s\n", text_clean(&arena, net->trans_name[run[i].v]));
  arena_fini(&arena);
}

static void print_length(const Answer *answer, FILE *out) {
  fprintf(out, ", after %u step%s%s", answer->n_run, answer->n_run == 1 ? "" : "s", answer->shortest ? "" : ", or fewer");
}

static void print_cover(const Net *net, const Answer *answer, FILE *out) {
  net_print_places(net, &answer->places->v, answer->n_places, out);
  const bool several = answer->n_places > 1, found = answer->answer == VERDICT_VIOLATED;
  if (answer->answer == VERDICT_UNKNOWN) fprintf(out, " can be marked%s: unknown", several ? " together" : "");
  else if (found && answer->n_run == 0) fputs(several ? " are marked at first" : " is marked at first", out);
  else fprintf(out, " %s be marked%s", found ? "can" : "cannot", several ? " together" : "");
  if (found && answer->n_run) print_length(answer, out);
}

static void print_fire(const Net *net, const Answer *answer, FILE *out) {
  net_print_name(net, net->trans_name[answer->trans.v], out);
  if (answer->answer == VERDICT_VIOLATED) fprintf(out, " can fire, as step %u", answer->n_run);
  else fputs(answer->answer == VERDICT_HOLDS ? " can never fire" : " can fire: unknown", out);
}

static void print_deadlock(const Answer *answer, FILE *out) {
  if (answer->answer == VERDICT_VIOLATED && !answer->n_run) fputs("deadlock at first: nothing is enabled", out);
  else if (answer->answer == VERDICT_VIOLATED) fputs("deadlock", out), print_length(answer, out);
  else fputs(answer->answer == VERDICT_HOLDS ? "no deadlock" : "deadlock: unknown", out);
}

static void print_answer(const Net *net, const Answer *answer, FILE *out) {
  switch (answer->kind) {
  case QUESTION_COVER: print_cover(net, answer, out); break;
  case QUESTION_FIRE: print_fire(net, answer, out); break;
  case QUESTION_DEADLOCK: print_deadlock(answer, out); break;
  }
}

void answers_text(const AnswerReport *report, bool quiet, FILE *out) {
  for (uint32_t i = 0; i < report->n_answers; i++) {
    const Answer *answer = &report->answers[i];
    const bool shown = answer->answer == VERDICT_VIOLATED && answer->n_run && !quiet;
    print_answer(report->net, answer, out);
    fputs(shown ? ":\n" : "\n", out);
    if (shown) print_run(report->net, answer->run, answer->n_run, out);
  }
  if (report->why[0]) fprintf(out, "unknown: %s\n", report->why);
  if (quiet) return;
  fprintf(out, "%s: %llu events, %llu conditions, %llu cut-offs\n", report->complete ? "complete prefix" : "incomplete prefix",
          (unsigned long long)report->counts.events, (unsigned long long)report->counts.conditions,
          (unsigned long long)report->counts.cutoffs);
}
