#include "tools/notions.h"
#include "tools/serializable.h"

typedef struct {
  const CheckArguments *arguments;
  const CycleReport *report;
} CycleWriting;

static bool write_cycle(void *argument, FILE *out, Err *err) {
  const CycleWriting *writing = argument;
  const CheckArguments *arguments = writing->arguments;
  (void)err;
  if (arguments->format == FORMAT_JSON)
    cycle_json(writing->report, out);
  else
    cycle_text(writing->report, (TextStyle){input_wants_colour(&arguments->input, out), arguments->work.quiet, arguments->verbose}, out);
  return true;
}

static void show_states(void *progress, const ModelCounts *counts) { progress_count(progress, counts->states); }

bool check_serializable(Tool *tool, const CheckArguments *arguments, const Net *net, Err *err) {
  Heap *heap = tool->heap;
  Serializability result;
  Progress progress;
  if (arguments->dot || arguments->svg || arguments->export_coloured || arguments->certificate)
    return err_set(err, ERR_INPUT, "--dot, --svg, --export-coloured and --certificate are about causal atomicity alone");
  progress_init(&progress, heap, &arguments->work);
  ModelOptions options = {.max_states = arguments->work.max_events, .seconds = arguments->work.timeout, .cancel = work_interrupted(),
                          .progress = show_states, .progress_argument = &progress};
  if (!choose_blocks(heap, net, arguments->block, &options.blocks, err)) return false;
  heap_set_limit(heap, arguments->work.max_memory);
  work_catch_interrupts();
  const bool checked = serializability_check(heap, net, &options, &result, err);
  heap_set_limit(heap, 0);
  progress_clear(&progress);
  if (!checked) return false;
  const bool violated = result.verdict == VERDICT_VIOLATED;
  const CycleReport report = {net, result.verdict, result.why[0] ? result.why : NULL, violated ? &result.cycle : NULL,
                              result.states, result.seconds, result.bytes};
  if (arguments->stats)
    fprintf(stderr, "states %llu, %.3f s, %.1f MB\n", (unsigned long long)result.states, result.seconds, (double)result.bytes / 1e6);
  tool->exit_code = verdict_exit_code(result.verdict);
  CycleWriting writing = {arguments, &report};
  const bool written = file_write(heap, arguments->output ? arguments->output : "-", write_cycle, &writing, err);
  serializability_fini(&result);
  return written;
}
