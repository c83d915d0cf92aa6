/* causalcheck: which marked blocks are causally atomic; are all runs serializable? */
#include "report/of_blocks.h"
#include "report/of_cycle.h"
#include "tools/notions.h"

typedef enum { NOTION_CAUSAL, NOTION_SERIALIZABLE } Notion;

static bool paths_are_good(Tool *tool, const CheckArguments *a, Err *err) {
  const PathUse more[] = {{"--export-coloured", a->export_coloured}, {"--certificate", a->certificate}};
  return output_differs(tool->heap, &a->output, a->path, more, sizeof more / sizeof *more, err);
}

static bool options_are_good(const Tool *tool, Notion notion, const CheckArguments *a, Err *err) {
  static const char *const of_causal[] = {"any-number", "prove",           "jobs",        "colouring", "order",
                                          "no-reduce",  "export-coloured", "certificate", NULL},
                           *const of_unfolding[] = {"jobs", "colouring", "order", "no-reduce", NULL};
  const uint32_t any = 1u << STAGE_MOVERS | 1u << STAGE_ENVIRONMENT | 1u << STAGE_UNFOLD;
  const ToolMode modes[] = {{notion == NOTION_SERIALIZABLE, "with --notion=serializable", of_causal},
                            {a->prove == 1u << STAGE_MOVERS, "with --prove=movers", of_unfolding}};
  const ToolRule rules[] = {
      {a->any_number && a->export_coloured,
       "--any-number cannot be combined with --export-coloured, which is about one net"},
      {a->any_number && !(a->prove & any), "--any-number needs 'movers', 'environment' or 'unfold' in --prove"},
      {a->export_coloured && a->prove != STAGES_ALL && a->prove != 1u << STAGE_UNFOLD,
       "--export-coloured unfolds the whole net: only --prove=unfold can be given with it"}};
  return tool_has_use(tool, modes, sizeof modes / sizeof *modes, err) &&
         tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

static void run(Tool *tool, Notion notion, const CheckArguments *arguments) {
  Err err;
  bool (*const check)(Tool *, const CheckArguments *, Err *) =
      notion == NOTION_CAUSAL ? notion_causal : notion_serializable;
  if (!options_are_good(tool, notion, arguments, &err) || !paths_are_good(tool, arguments, &err))
    tool_complain(tool, &err);
  else if (!check(tool, arguments, &err))
    output_error(tool, notion == NOTION_CAUSAL ? OF_BLOCKS_SCHEMA : OF_CYCLE_SCHEMA, &arguments->output,
                 &arguments->input, &err);
}

static void body(Tool *tool) {
  CheckArguments arguments = {.work = work_defaults(), .prove = STAGES_ALL, .jobs = 1}, *a = &arguments;
  uint32_t notion = NOTION_CAUSAL;
  static const char *const colourings[] = {"chain", "full", NULL}, *const orders[] = {"erv", "mcmillan", NULL},
                           *const notions[] = {"causal", "serializable", NULL},
                           *const stages[] = {"movers", "environment", "pairs",
                                              "slice",  "unfold",      NULL}; /* ORDER StageName */
  _Static_assert(sizeof stages / sizeof *stages == STAGE_UNFOLD + 2, "ORDER StageName");
  const Option options[] = {
      INPUT_OPTIONS(&a->input),
      {"block", 'b', OPTIONS_QUESTION, OPTION_LIST, &a->blocks, "NAME|LINE", NULL,
       "check only the blocks of that name, or that begin on that line; may be given several times"},
      {"notion", 0, OPTIONS_QUESTION, OPTION_CHOICE, &notion, NULL, notions,
       "causal: each block alone against single events of other threads (default); serializable: all blocks of a run together"},
      {"any-number", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->any_number, NULL, NULL,
       "decide for every N at once, for each count N of 'N * { }' that no -D sets"},
      {"prove", 0, OPTIONS_METHOD, OPTION_SET, &a->prove, NULL, stages,
       "use only these stages, each on the blocks that earlier ones left open (default: all)"},
      {"jobs", 'j', OPTIONS_METHOD, OPTION_LIMIT, &a->jobs, "N", NULL,
       "unfold for up to N blocks at a time, each in a process of its own (default 1); the result is the same"},
      {"colouring", 0, OPTIONS_METHOD, OPTION_CHOICE, &a->colouring, NULL, colourings,
       "how taint is followed: one token along one causal chain (default), or a colour on every token"},
      {"order", 0, OPTIONS_METHOD, OPTION_CHOICE, &a->order, NULL, orders,
       "the unfolding's adequate order (default erv)"},
      {"no-reduce", 0, OPTIONS_METHOD, OPTION_FLAG, &a->no_reduce, NULL, NULL,
       "unfold the coloured net without reducing it first"},
      OUTPUT_OPTIONS(&a->output),
      {"export-coloured", 0, OPTIONS_METHOD, OPTION_TEXT, &a->export_coloured, "FILE", NULL,
       "write the coloured net as PNML: a block is not atomic iff its place 'red' can be marked"},
      {"certificate", 0, OPTIONS_METHOD, OPTION_TEXT, &a->certificate, "FILE", NULL,
       "write a proof of the verdict, for certcheck, about the program's own net; with --export-coloured 'atomic' is about that net"},
      WORK_OPTIONS(&a->work),
      WORK_ALLOW_EMPTY(&a->work),
      OUTPUT_STATS(&a->output),
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &a->work.quiet, NULL, NULL, "print only the verdict"},
      OUTPUT_VERBOSE(&a->output),
  };
  const Command command = {
      "causalcheck",
      "[FILE|-]",
      "Decides which marked blocks of a concurrent program are causally atomic, or whether all its runs are serializable. The program is an SML text, or its net as PNML or "
      "ll_net; the format is detected from the content.",
      "Exit codes: 0 all blocks are atomic, 1 one is not, 2 unknown (a limit, Ctrl-C),\n"
      "3 a usage or input error, 4 a self-check failed.\n"
      "Example: sml2net samples/figure5a.sml | causalcheck --svg=witness.svg\n",
      options,
      sizeof options / sizeof *options,
      0,
      1};
  OptionList operands;
  if (!tool_options(tool, &command, &operands)) return;
  arguments.path = operands.n ? operands.at[0] : "-";
  a->input.unmarked = a->work.allow_empty ? SML_UNMARKED_PASSES : SML_UNMARKED_FAILS;
  Inputs inputs;
  inputs_init(&inputs, tool->heap);
  if (output_says_inputs(&a->output)) a->input.inputs = &inputs;
  run(tool, (Notion)notion, &arguments);
  inputs_fini(&inputs);
}

int main(int argc, char **argv) { return tool_main("causalcheck", argc, argv, body, EXIT_UNKNOWN); }
