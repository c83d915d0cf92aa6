/* causalcheck: which marked blocks are causally atomic; are all runs serializable? */
#include "report/of_blocks.h"
#include "report/of_cycle.h"
#include "report/of_reaching.h"
#include "tools/many.h"
#include "tools/notions.h"

typedef enum { NOTION_CAUSAL, NOTION_SERIALIZABLE } Notion;

/* Is it asked what the program may come to? */
static bool is_reaching(const CheckArguments *a) { return a->assertions || a->deadlock || a->races || a->exclusive.n; }

static bool paths_are_good(Tool *tool, const CheckArguments *a, Err *err) {
  const PathUse more[] = {{"--export-coloured", a->export_coloured}, {"--certificate", a->certificate}};
  return output_differs(tool->heap, &a->output, a->path, more, sizeof more / sizeof *more, err);
}

static bool options_are_good(const Tool *tool, Notion notion, const CheckArguments *a, Err *err) {
  static const char *const of_causal[] = {"any-number", "prove",           "jobs",        "colouring", "order",
                                          "no-reduce",  "export-coloured", "certificate", "confirm",   NULL},
                           *const of_unfolding[] = {"jobs", "colouring", "order", "no-reduce", NULL},
                           *const of_atomicity[] = {"notion",    "block",     "any-number",      "prove",   "jobs",
                                                    "colouring", "no-reduce", "export-coloured", "confirm", NULL};
  const uint32_t any = 1u << STAGE_MOVERS | 1u << STAGE_ENVIRONMENT | 1u << STAGE_UNFOLD;
  const ToolMode modes[] = {{is_reaching(a), "with --assert, --deadlock, --exclusive or --races", of_atomicity},
                            {notion == NOTION_SERIALIZABLE, "with --notion=serializable", of_causal},
                            {a->prove == 1u << STAGE_MOVERS, "with --prove=movers", of_unfolding}};
  const ToolRule rules[] = {
      {a->any_number && a->export_coloured,
       "--any-number cannot be combined with --export-coloured, which is about one net"},
      {a->confirm && !*a->confirm, "--confirm expects a program, built with `tracerec cc`, and its arguments"},
      {a->any_number && !(a->prove & any), "--any-number needs 'movers', 'environment' or 'unfold' in --prove"},
      {a->export_coloured && a->prove != STAGES_ALL && a->prove != 1u << STAGE_UNFOLD,
       "--export-coloured unfolds the whole net: only --prove=unfold can be given with it"}};
  return tool_has_use(tool, modes, sizeof modes / sizeof *modes, err) &&
         tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

/* With what its own notion is. */
typedef struct {
  CheckArguments check;
  ManyOptions many;
  uint32_t notion;
} Arguments;

static const char *schema_of(Notion notion, const CheckArguments *arguments) {
  if (is_reaching(arguments)) return OF_REACHING_SCHEMA;
  return notion == NOTION_CAUSAL ? OF_BLOCKS_SCHEMA : OF_CYCLE_SCHEMA;
}

static void check_one(Tool *tool, Notion notion, const CheckArguments *arguments) {
  Err err;
  bool (*const check)(Tool *, const CheckArguments *, Err *) = is_reaching(arguments)    ? notion_reaching
                                                               : notion == NOTION_CAUSAL ? notion_causal
                                                                                         : notion_serializable;
  const char *schema = schema_of(notion, arguments);
  if (!paths_are_good(tool, arguments, &err)) tool_complain(tool, &err);
  else if (!check(tool, arguments, &err)) output_error(tool, schema, &arguments->output, &arguments->input, &err);
}

static void run(Tool *tool, const void *argument, const char *path) {
  const Arguments *arguments = argument;
  CheckArguments check = arguments->check;
  Inputs inputs;
  check.path = path;
  inputs_init(&inputs, tool->heap);
  if (output_says_inputs(&check.output)) check.input.inputs = &inputs;
  check_one(tool, (Notion)arguments->notion, &check);
  inputs_fini(&inputs);
}

/* Among many inputs --jobs is for these, and each is checked in one process. */
static void share_jobs(Tool *tool, Arguments *arguments) {
  arguments->many.jobs = tool_take_given(tool, "jobs") ? arguments->check.jobs : 0;
  arguments->check.jobs = 1;
}

static void body(Tool *tool) {
  Arguments arguments = {.check = {.work = work_defaults(), .prove = STAGES_ALL, .jobs = 1}, .notion = NOTION_CAUSAL};
  CheckArguments *const a = &arguments.check;
  static const char *const colourings[] = {"chain", "full", NULL}, *const orders[] = {"erv", "mcmillan", NULL},
                           *const notions[] = {"causal", "serializable", NULL},
                           *const stages[] = {"movers", "environment", "pairs",
                                              "slice",  "unfold",      NULL}; /* ORDER StageName */
  _Static_assert(sizeof stages / sizeof *stages == STAGE_UNFOLD + 2, "ORDER StageName");
  const Option options[] = {
      INPUT_OPTIONS(&a->input),
      {"atomic", 0, OPTIONS_INPUT, OPTION_LIST, &a->atomic, "FUNCTION,...", NULL,
       "in a C program each call of these functions is a block, too"},
      {"functions", 0, OPTIONS_INPUT, OPTION_FLAG, &a->functions, NULL, NULL,
       "in a C program each call of any of its functions is a block, too"},
      {"block", 'b', OPTIONS_QUESTION, OPTION_LIST, &a->blocks, "NAME|LINE", NULL,
       "check only the blocks of that name, or that begin on that line; may be given several times"},
      {"notion", 0, OPTIONS_QUESTION, OPTION_CHOICE, &arguments.notion, NULL, notions,
       "causal: each block alone against single events of other threads (default); serializable: all blocks of a run together"},
      {"assert", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->assertions, NULL, NULL,
       "can an assertion fail? This and the next three ask what can happen, not what is atomic; they can be combined"},
      {"deadlock", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->deadlock, NULL, NULL,
       "can some threads wait for ever, with nobody left who could go on?"},
      {"exclusive", 0, OPTIONS_QUESTION, OPTION_LIST, &a->exclusive, "BLOCK[,BLOCK]", NULL,
       "can two threads be in that block at once, or one in each? A name or a line; may be given several times"},
      {"races", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->races, NULL, NULL,
       "can two threads be about to access a variable at once, if one writes it, and not both atomically?"},
      {"any-number", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->any_number, NULL, NULL,
       "decide for every N at once, for each count N of 'N * { }' that no -D sets"},
      {"prove", 0, OPTIONS_METHOD, OPTION_SET, &a->prove, NULL, stages,
       "use only these stages, each on the blocks that earlier ones left open (default: all)"},
      {"jobs", 'j', OPTIONS_METHOD, OPTION_LIMIT, &a->jobs, "N", NULL,
       "unfold for up to N blocks at a time, each in a process of its own (default 1); the result is the same. With many inputs: check N of them at a time (default: one per processor)"},
      {"colouring", 0, OPTIONS_METHOD, OPTION_CHOICE, &a->colouring, NULL, colourings,
       "how taint is followed: one token along one causal chain (default), or a colour on every token"},
      {"order", 0, OPTIONS_METHOD, OPTION_CHOICE, &a->order, NULL, orders,
       "the unfolding's adequate order (default erv)"},
      {"no-reduce", 0, OPTIONS_METHOD, OPTION_FLAG, &a->no_reduce, NULL, NULL,
       "unfold the coloured net without reducing it first"},
      {"confirm", 0, OPTIONS_QUESTION, OPTION_TEXT, &a->confirm, "COMMAND", NULL,
       "make what is violated in a C program happen: run the program, built with `tracerec cc`, so that it follows the witness; what came of it is said on stderr"},
      MANY_OPTIONS(&arguments.many),
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
      "[FILE|DIRECTORY|-]...",
      "Decides which marked blocks of a concurrent program are causally atomic, whether all its runs are serializable, or what it can come to. The program is an SML text, or its net as PNML or "
      "ll_net; the format is detected from the content.",
      "Exit codes: 0 all blocks are atomic, or nothing that was asked about can happen, 1 one is not, or it can, 2 unknown (a limit, Ctrl-C),\n"
      "3 a usage or input error, 4 a self-check failed.\n"
      "Example: sml2net samples/figure5a.sml | causalcheck --svg=witness.svg\n",
      options,
      sizeof options / sizeof *options,
      0,
      UINT32_MAX};
  OptionList operands;
  Err err;
  if (!tool_options(tool, &command, &operands)) return;
  const char *schema = schema_of((Notion)arguments.notion, a);
  const bool has_parts = arguments.notion == NOTION_CAUSAL && !is_reaching(a);
  const Many many = {&arguments.many, &a->output, &a->work, &a->input, run, &arguments, schema, has_parts};
  a->input.unmarked = a->work.allow_empty || is_reaching(a) ? SML_UNMARKED_PASSES : SML_UNMARKED_FAILS;
  const bool is_many = many_are_asked_for(&many, &operands);
  const ToolRule rules[] = {{is_many && a->confirm, "--confirm is about one program, not about many inputs"}};
  if (is_many) share_jobs(tool, &arguments);
  if (options_are_good(tool, (Notion)arguments.notion, a, &err) && tool_obeys(rules, 1, &err))
    many_run(tool, &many, &operands);
  else tool_complain(tool, &err);
}

int main(int argc, char **argv) { return tool_main("causalcheck", argc, argv, body, EXIT_UNKNOWN); }
