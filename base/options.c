#include "base/options.h"

#include "base/suggest.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LONG = UCHAR_MAX + 1, HELP_COLUMN = 30, HELP_WIDTH = 90 };

static bool has_choices(const Option *option) {
  return option->kind == OPTION_CHOICE || option->kind == OPTION_MODE || option->kind == OPTION_SET;
}

static const char *argument_of(const Option *option) {
  if (option->argument) return option->argument;
  return has_choices(option) ? "WHICH" : NULL;
}

/* ---- help ---- */

/* `text` from column `at` on, broken at blanks, continued at column `indent`. */
static void print_wrapped(const char *text, size_t at, size_t indent, FILE *out) {
  bool first = true;
  while (*text) {
    const size_t word = strcspn(text, " ");
    if (!first && at + 1 + word > HELP_WIDTH) {
      fprintf(out, "\n%*s", (int)indent, "");
      at = indent;
    } else if (!first) {
      fputc(' ', out);
      at++;
    }
    fprintf(out, "%.*s", (int)word, text);
    at += word;
    first = false;
    text += word + strspn(text + word, " ");
  }
  fputc('\n', out);
}

static void print_row(char letter, const char *name, const Option *option, const char *help, FILE *out) {
  char left[160];
  size_t at = 0;
  if (letter) at = (size_t)snprintf(left, sizeof left, "  -%c, --%s", letter, name);
  else at = (size_t)snprintf(left, sizeof left, "      --%s", name);
  if (option && has_choices(option)) {
    const char between = option->kind == OPTION_SET ? ',' : '|';
    for (uint32_t i = 0; option->choices[i] && at < sizeof left; i++)
      at += (size_t)snprintf(left + at, sizeof left - at, "%s%c%s", i || option->kind != OPTION_MODE ? "" : "[",
                             i ? between : '=', option->choices[i]);
    if (option->kind == OPTION_MODE) at += (size_t)snprintf(left + at, sizeof left - at, "]");
  } else if (option && argument_of(option)) {
    at += (size_t)snprintf(left + at, sizeof left - at, "=%s", argument_of(option));
  }
  fputs(left, out);
  if (at + 1 >= HELP_COLUMN) {
    fputc('\n', out);
    at = 0;
  }
  fprintf(out, "%*s", (int)(HELP_COLUMN - at), "");
  print_wrapped(help, HELP_COLUMN, HELP_COLUMN, out);
}

static bool has_group(const Command *command, OptionGroup group) {
  for (uint32_t i = 0; i < command->n_options; i++)
    if (command->options[i].group == group) return true;
  return false;
}

static void print_group(const Command *command, OptionGroup group, FILE *out) {
  static const char *const TITLES[] = {"Input",     "Question", "Method and proofs",
                                       "Recording", "Limits",   "Output"}; /* ORDER OptionGroup */
  _Static_assert(sizeof TITLES / sizeof *TITLES == OPTIONS_GROUPS, "ORDER OptionGroup");
  if (!has_group(command, group)) return;
  fprintf(out, "\n%s:\n", TITLES[group]);
  for (uint32_t i = 0; i < command->n_options; i++)
    if (command->options[i].group == group)
      print_row(command->options[i].letter, command->options[i].name, &command->options[i], command->options[i].help,
                out);
}

static void print_help(const Command *command, FILE *out) {
  fprintf(out, "Usage: %s [OPTION]... %s\n", command->name, command->operands);
  print_wrapped(command->summary, 0, 0, out);
  for (OptionGroup group = 0; group < OPTIONS_GROUPS; group++) print_group(command, group, out);
  fputs("\nHelp:\n", out);
  print_row('h', "help", NULL, "print this help and exit", out);
  print_row('V', "version", NULL, "print the version and exit", out);
  if (command->notes) fprintf(out, "\n%s", command->notes);
}

/* ---- values ---- */

/* `hint`: what the message ends in, or "". */
static bool bad_value(const Command *command, const Option *option, const char *text, const char *wanted,
                      const char *hint) {
  fprintf(stderr, "%s: --%s expects %s, not '%s'%s\n", command->name, option->name, wanted, text, hint);
  return false;
}

static bool parse_integer(const char *text, uint64_t *value, const char **end) {
  if (*text < '0' || *text > '9') return false;
  char *stop;
  errno = 0;
  *value = strtoull(text, &stop, 10);
  *end = stop;
  return errno == 0;
}

static bool parse_bytes(const char *text, uint64_t *value) {
  const char *end;
  if (!parse_integer(text, value, &end)) return false;
  static const char units[] = "KMG";
  const char *unit = *end ? strchr(units, *end == 'k' ? 'K' : *end) : NULL;
  if (!unit) return !*end;
  const unsigned shift = 10 * (unsigned)(unit - units + 1);
  if (end[1] || *value > UINT64_MAX >> shift) return false;
  *value <<= shift;
  return true;
}

static bool parse_seconds(const char *text, double *value) {
  char *end;
  const double number = strtod(text, &end);
  if (end == text || !isfinite(number) || number <= 0) return false;
  const double scale = *end == 'm' ? 60 : *end == 'h' ? 3600 : 1;
  if (*end == 's' || *end == 'm' || *end == 'h') end++;
  if (*end) return false;
  *value = number * scale;
  return true;
}

static bool parse_choice(const Option *option, const char *text, uint32_t *value) {
  for (uint32_t i = 0; option->choices[i]; i++)
    if (strcmp(option->choices[i], text) == 0) {
      *value = i;
      return true;
    }
  return false;
}

/* The choices between commas; each may come twice. */
static bool parse_set(const Option *option, const char *text, uint32_t *value) {
  char word[SUGGEST_MOST + 1];
  *value = 0;
  for (;; text++) {
    const size_t length = strcspn(text, ",");
    uint32_t choice;
    if (length > SUGGEST_MOST) return false;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (!parse_choice(option, word, &choice)) return false;
    *value |= UINT32_C(1) << choice;
    text += length;
    if (!*text) return true;
  }
}

static void add_to_list(Heap *heap, OptionList *list, const char *text) {
  list->at = heap_resize(heap, list->at, heap_product(heap, list->n + 1, sizeof *list->at));
  list->at[list->n++] = text;
}

/* "text, json or dot"; "a comma-separated list of movers, slice or unfold" */
static void name_choices(const Option *option, char *to, size_t room) {
  snprintf(to, room, "%s", option->kind == OPTION_SET ? "a comma-separated list of " : "");
  for (uint32_t i = 0; option->choices[i]; i++) {
    const size_t at = strlen(to);
    snprintf(to + at, room - at, "%s%s", !i ? "" : option->choices[i + 1] ? ", " : " or ", option->choices[i]);
  }
}

static bool refuse_choice(const Command *command, const Option *option, const char *text) {
  char wanted[256];
  Suggestion meant = suggest_for(text);
  for (uint32_t i = 0; option->choices[i]; i++) suggest_offer(&meant, option->choices[i]);
  name_choices(option, wanted, sizeof wanted);
  return bad_value(command, option, text, wanted, suggest_words(&meant));
}

static bool set_value(Heap *heap, const Command *command, const Option *option, const char *text) {
  const char *end;
  uint64_t number;
  switch (option->kind) {
  case OPTION_FLAG: *(bool *)option->target = true; return true;
  case OPTION_TEXT: *(const char **)option->target = text; return true;
  case OPTION_LIST: add_to_list(heap, option->target, text); return true;
  case OPTION_COUNT:
  case OPTION_LIMIT:
    if (!parse_integer(text, &number, &end) || *end) return bad_value(command, option, text, "a number", "");
    if (option->kind == OPTION_LIMIT && !number) return bad_value(command, option, text, "a number of at least 1", "");
    *(uint64_t *)option->target = number;
    return true;
  case OPTION_BYTES:
    return parse_bytes(text, option->target) ||
           bad_value(command, option, text, "a number of bytes such as 500M or 2G", "");
  case OPTION_SECONDS:
    return parse_seconds(text, option->target) || bad_value(command, option, text, "a time such as 10, 1.5s or 2m", "");
  case OPTION_MODE:
    if (!text) return *(uint32_t *)option->target = 0, true;
    return parse_choice(option, text, option->target) || refuse_choice(command, option, text);
  case OPTION_CHOICE: return parse_choice(option, text, option->target) || refuse_choice(command, option, text);
  case OPTION_SET: return parse_set(option, text, option->target) || refuse_choice(command, option, text);
  }
  return false;
}

/* ---- the command line ---- */

static struct option *long_options(Heap *heap, const Command *command, char *letters) {
  struct option *table = heap_zeroed(heap, ((size_t)command->n_options + 3) * sizeof *table);
  *letters++ = 'h';
  *letters++ = 'V';
  for (uint32_t i = 0; i < command->n_options; i++) {
    const Option *option = &command->options[i];
    const int has_argument = option->kind == OPTION_FLAG   ? no_argument
                             : option->kind == OPTION_MODE ? optional_argument
                                                           : required_argument;
    table[i] = (struct option){option->name, has_argument, NULL, FIRST_LONG + (int)i};
    if (!option->letter) continue;
    *letters++ = option->letter;
    if (has_argument == required_argument) *letters++ = ':';
  }
  *letters = '\0';
  table[command->n_options] = (struct option){"help", no_argument, NULL, 'h'};
  table[command->n_options + 1] = (struct option){"version", no_argument, NULL, 'V'};
  return table;
}

static const Option *find_option(const Command *command, int code) {
  if (code >= FIRST_LONG) return &command->options[code - FIRST_LONG];
  for (uint32_t i = 0; i < command->n_options; i++)
    if (command->options[i].letter == (char)code) return &command->options[i];
  return NULL;
}

/* The word that getopt has just refused for the option in it: it stands before, or at, where getopt goes on. */
static const char *refused_word(int argc, char **argv) {
  const bool inside = optopt && optind < argc && argv[optind][0] == '-' && strchr(argv[optind], optopt);
  return argv[inside ? optind : optind - 1];
}

/* Tells the option that may have been meant by the refused word: "--tiemout=5", "-timeout=5". Not for a word that is
 * the beginning of several. */
static void suggest_option(const Command *command, const char *word) {
  char name[SUGGEST_MOST + 1];
  const size_t dashes = strspn(word, "-"), length = strcspn(word + dashes, "=");
  if (!dashes || length < 2 || length > SUGGEST_MOST) return;
  snprintf(name, sizeof name, "%.*s", (int)length, word + dashes);
  const char *best = NULL;
  Suggestion meant = suggest_for(name);
  for (uint32_t i = 0; i < command->n_options + 2; i++) {
    const char *ours = i == command->n_options ? "help" : "version";
    const char *there = i < command->n_options ? command->options[i].name : ours;
    suggest_offer(&meant, there);
    if (!strncmp(there, name, length) && dashes > 1) return;
    if (!strcmp(there, name)) best = there;
  }
  if (!best && meant.best[0]) best = meant.best;
  if (best) fprintf(stderr, "Did you mean '--%s'? ", best);
}

static OptionsResult usage_error(const Command *command) {
  fprintf(stderr, "Try '%s --help'.\n", command->name);
  return OPTIONS_BAD;
}

/* Was the option known, and refused for what follows it? */
static bool is_argument_missing(const Command *command) {
  return optopt && (optopt == 'h' || optopt == 'V' || find_option(command, optopt));
}

/* An option without the value that it wants: getopt has said so, and here is what the value may be. */
static void list_choices(const Command *command) {
  char wanted[256];
  const Option *option = optopt == 'h' || optopt == 'V' ? NULL : find_option(command, optopt);
  if (!option || !has_choices(option)) return;
  name_choices(option, wanted, sizeof wanted);
  fprintf(stderr, "--%s expects %s. ", option->name, wanted);
}

static OptionsResult read_options(Heap *heap, const Command *command, int argc, char **argv, const char *letters,
                                  const struct option *table, uint64_t *given) {
  optind = 0; /* a fresh start for getopt, as tests parse several lines */
  for (;;) {
    const int code = getopt_long(argc, argv, letters, table, NULL);
    if (code == -1) return OPTIONS_RUN;
    if (code == 'h') {
      print_help(command, stdout);
      return OPTIONS_DONE;
    }
    if (code == 'V') {
      printf("%s (causal) %s\n", command->name, VERSION);
      return OPTIONS_DONE;
    }
    const Option *option = find_option(command, code);
    if (!option && is_argument_missing(command)) list_choices(command);
    else if (!option) suggest_option(command, refused_word(argc, argv));
    if (!option || !set_value(heap, command, option, optarg)) return usage_error(command);
    *given |= UINT64_C(1) << (option - command->options);
  }
}

OptionsResult options_parse(Heap *heap, const Command *command, int argc, char **argv, OptionList *operands,
                            uint64_t *given) {
  char letters[256];
  assert(command->n_options <= 64);
  *given = 0;
  struct option *table = long_options(heap, command, letters);
  OptionsResult result = read_options(heap, command, argc, argv, letters, table, given);
  heap_release(heap, table);
  if (result != OPTIONS_RUN) return result;
  *operands = (OptionList){0};
  for (int i = optind; i < argc; i++) add_to_list(heap, operands, argv[i]);
  if (operands->n < command->min_operands) {
    fprintf(stderr, "%s: missing operand; usage: %s %s\n", command->name, command->name, command->operands);
    return usage_error(command);
  }
  if (operands->n > command->max_operands) {
    fprintf(stderr, "%s: unexpected operand '%s'\n", command->name, operands->at[command->max_operands]);
    return usage_error(command);
  }
  return OPTIONS_RUN;
}
