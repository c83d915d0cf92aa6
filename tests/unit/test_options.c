#include "base/options.h"

#include "tests/unit/capture.h"

#include <CUnit/CUnit.h>
#include <string.h>

static const char *const COLOURS[] = {"auto", "always", "never", NULL};

/* A command with an option of each kind, its targets, and what one call of options_parse did. */
typedef struct {
  bool quiet;
  const char *output;
  uint64_t events, memory;
  double timeout;
  uint32_t colour;
  OptionList defines, operands;
  OptionsResult result;
  char out[4096], err[4096];
  uint64_t given;
} Call;

enum { MAX_WORDS = 16 };

/* Parses "tool" and the words of `line`, which are parted by one blank; "" stands for no words. */
static Call *parse(Heap *heap, const char *line) {
  Call *call = heap_zeroed(heap, sizeof *call);
  const Option options[] = {
      {"quiet", 'q', OPTIONS_INPUT, OPTION_FLAG, &call->quiet, NULL, NULL, "say little"},
      {"output", 'o', OPTIONS_INPUT, OPTION_TEXT, &call->output, "FILE", NULL, "write to FILE"},
      {"max-events", 0, OPTIONS_INPUT, OPTION_COUNT, &call->events, "N", NULL, "stop after N events"},
      {"max-memory", 0, OPTIONS_INPUT, OPTION_BYTES, &call->memory, "BYTES", NULL, "stop at so many bytes"},
      {"timeout", 't', OPTIONS_INPUT, OPTION_SECONDS, &call->timeout, "TIME", NULL, "stop after that time"},
      {"color", 0, OPTIONS_INPUT, OPTION_CHOICE, &call->colour, NULL, COLOURS,
       "use colours, which is a long story that does not fit one "
       "line of the screen and goes on in the next one"},
      {"define", 'D', OPTIONS_INPUT, OPTION_LIST, &call->defines, "NAME=N", NULL, "set a count"},
  };
  const Command command = {"tool", "[FILE|-]", "Does things.", "Exit codes: 0.\n", options, 7, 0, 2};
  char *words = heap_alloc(heap, strlen(line) + 6), *argv[MAX_WORDS + 1];
  strcpy(words, "tool");
  if (*line) strcat(strcat(words, " "), line);
  int argc = 0;
  for (char *word = strtok(words, " "); word && argc < MAX_WORDS; word = strtok(NULL, " ")) argv[argc++] = word;
  argv[argc] = NULL;
  Capture out = capture_begin(stdout), err = capture_begin(stderr);
  call->result = options_parse(heap, &command, argc, argv, &call->operands, &call->given);
  capture_end(&err, call->err, sizeof call->err);
  capture_end(&out, call->out, sizeof call->out);
  return call;
}

static void sets_every_kind(void) {
  Heap *heap = heap_new(0);
  const Call *call =
      parse(heap, "-q a -o x.txt --max-events=12 --max-memory 3K -D N=4 --timeout=1.5m --color always --define M=5 b");
  CU_ASSERT_EQUAL(call->result, OPTIONS_RUN);
  CU_ASSERT_EQUAL(call->given, 0x7f);
  CU_ASSERT_TRUE(call->quiet);
  CU_ASSERT_STRING_EQUAL(call->output, "x.txt");
  CU_ASSERT_EQUAL(call->events, 12);
  CU_ASSERT_EQUAL(call->memory, 3072);
  CU_ASSERT_DOUBLE_EQUAL(call->timeout, 90, 1e-9);
  CU_ASSERT_EQUAL(call->colour, 1);
  CU_ASSERT_EQUAL_FATAL(call->defines.n, 2);
  CU_ASSERT_STRING_EQUAL(call->defines.at[0], "N=4");
  CU_ASSERT_STRING_EQUAL(call->defines.at[1], "M=5");
  CU_ASSERT_EQUAL_FATAL(call->operands.n, 2);
  CU_ASSERT_STRING_EQUAL(call->operands.at[0], "a");
  CU_ASSERT_STRING_EQUAL(call->operands.at[1], "b");
  CU_ASSERT_STRING_EQUAL(call->out, "");
  CU_ASSERT_STRING_EQUAL(call->err, "");
  heap_free(heap);
}

static void needs_nothing(void) {
  Heap *heap = heap_new(0);
  const Call *call = parse(heap, "");
  CU_ASSERT_EQUAL(call->result, OPTIONS_RUN);
  CU_ASSERT_EQUAL(call->operands.n, 0);
  CU_ASSERT_FALSE(call->quiet);
  heap_free(heap);
}

static void takes_dashes_as_operands(void) {
  Heap *heap = heap_new(0);
  const Call *call = parse(heap, "- -- -q");
  CU_ASSERT_EQUAL(call->result, OPTIONS_RUN);
  CU_ASSERT_EQUAL_FATAL(call->operands.n, 2);
  CU_ASSERT_STRING_EQUAL(call->operands.at[0], "-");
  CU_ASSERT_STRING_EQUAL(call->operands.at[1], "-q");
  CU_ASSERT_FALSE(call->quiet);
  CU_ASSERT_EQUAL(parse(heap, "--qui --max-e 7")->events, 7); /* cut short */
  heap_free(heap);
}

static void knows_the_units(void) {
  Heap *heap = heap_new(0);
  CU_ASSERT_EQUAL(parse(heap, "--max-memory=7")->memory, 7);
  CU_ASSERT_EQUAL(parse(heap, "--max-memory=7k")->memory, 7 << 10);
  CU_ASSERT_EQUAL(parse(heap, "--max-memory=7M")->memory, 7 << 20);
  CU_ASSERT_EQUAL(parse(heap, "--max-memory=7G")->memory, (uint64_t)7 << 30);
  CU_ASSERT_DOUBLE_EQUAL(parse(heap, "-t 2h")->timeout, 7200, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(parse(heap, "-t .5s")->timeout, 0.5, 1e-9);
  CU_ASSERT_EQUAL(parse(heap, "--max-events=18446744073709551615")->events, UINT64_MAX);
  heap_free(heap);
}

/* The line is a usage error of which stderr says `why`, and nothing is printed on stdout. */
static void refused(const char *line, const char *why) {
  Heap *heap = heap_new(0);
  const Call *call = parse(heap, line);
  CU_ASSERT_EQUAL(call->result, OPTIONS_BAD);
  CU_ASSERT_PTR_NOT_NULL(strstr(call->err, why));
  CU_ASSERT_PTR_NOT_NULL(strstr(call->err, "tool --help"));
  CU_ASSERT_STRING_EQUAL(call->out, "");
  heap_free(heap);
}

static void refuses_bad_lines(void) {
  refused("--nonsense", "nonsense");
  refused("-x", "x");
  refused("--output", "output");
  refused("--quiet=yes", "quiet");
  refused("--max", "max"); /* may be two */
  refused("--max-events=", "max-events");
  refused("--max-events=-1", "-1");
  refused("--max-events=1x", "1x");
  refused("--max-events=18446744073709551616", "18446744073709551616");
  refused("--max-memory=1T", "1T");
  refused("--max-memory=1KB", "1KB");
  refused("--max-memory=99999999999999999G", "99999999999999999G");
  refused("--timeout=0", "timeout");
  refused("--timeout=-3", "-3");
  refused("--timeout=nan", "nan");
  refused("--timeout=inf", "inf");
  refused("--timeout=3d", "3d");
  refused("--color=pink", "auto, always or never");
  refused("a b c", "'c'");
}

/* The line is refused, and the option is suggested; NULL: none is. */
static void suggests(const char *line, const char *option) {
  Heap *heap = heap_new(0);
  const Call *call = parse(heap, line);
  char words[80];
  snprintf(words, sizeof words, "Did you mean '%s'? Try 'tool --help'.\n", option ? option : "");
  CU_ASSERT_EQUAL(call->result, OPTIONS_BAD);
  const bool good = option ? strstr(call->err, words) != NULL : !strstr(call->err, "mean");
  if (!good) printf("\n%s: %s", line, call->err);
  CU_ASSERT_TRUE(good);
  heap_free(heap);
}

static void suggests_what_was_meant(void) {
  suggests("--qiuet", "--quiet");
  suggests("a --max_events=3 b", "--max-events");
  suggests("--ouput=x", "--output");
  suggests("-quiet", "--quiet");
  suggests("-timeout=3 a", NULL); /* that is -t with a bad time */
  suggests("a -memory=3 -q", NULL);
  suggests("-max-memory=3 -q", "--max-memory");
  suggests("a -max-memorY=3 -q", "--max-memory");
  suggests("--hlep", "--help");
  suggests("--versoin", "--version");
  suggests("--max", NULL); /* may be two */
  suggests("--output", NULL);
  suggests("--quiet=yes", NULL);
  suggests("-o", NULL);
  suggests("-x", NULL);
  suggests("--nonsense", NULL);
  suggests("--=", NULL);
  refused("--color=alwys", "; did you mean 'always'?");
}

static void prints_help_and_version(void) {
  Heap *heap = heap_new(0);
  for (int i = 0; i < 2; i++) {
    const Call *call = parse(heap, i ? "--help" : "-q -h");
    CU_ASSERT_EQUAL(call->result, OPTIONS_DONE);
    CU_ASSERT_STRING_EQUAL(call->err, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(call->out, "Does things."));
    CU_ASSERT_PTR_NOT_NULL(strstr(call->out, "  -o, --output=FILE"));
    CU_ASSERT_PTR_NOT_NULL(strstr(call->out, "--color=auto|always|never"));
    CU_ASSERT_PTR_NOT_NULL(strstr(call->out, "Exit codes: 0.\n"));
    size_t widest = 0;
    for (const char *at = call->out; *at; at += strcspn(at, "\n") + 1)
      if (strcspn(at, "\n") > widest) widest = strcspn(at, "\n");
    CU_ASSERT_TRUE(widest <= 100);
  }
  const Call *call = parse(heap, "--version");
  CU_ASSERT_EQUAL(call->result, OPTIONS_DONE);
  CU_ASSERT_EQUAL(strncmp(call->out, "tool ", 5), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(call->out, VERSION));
  heap_free(heap);
}

void suite_options(void);
void suite_options(void) {
  CU_pSuite suite = CU_add_suite("base/options", NULL, NULL);
  CU_ADD_TEST(suite, sets_every_kind);
  CU_ADD_TEST(suite, needs_nothing);
  CU_ADD_TEST(suite, takes_dashes_as_operands);
  CU_ADD_TEST(suite, knows_the_units);
  CU_ADD_TEST(suite, refuses_bad_lines);
  CU_ADD_TEST(suite, suggests_what_was_meant);
  CU_ADD_TEST(suite, prints_help_and_version);
}
