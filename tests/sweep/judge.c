/* A disturbed run ends with the true exit code or with that of "unknown". What it prints and writes is what the
 * whole run does, line by line; other lines say that something is unknown or missing. A file that is not there is
 * missed on stderr, and one that is there only then is named there. */
#include "tests/sweep/judge.h"

#include "base/verdict.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- lines ---- */

/* Times and sizes differ from run to run. */
static bool is_counted(char c) { return isdigit((unsigned char)c) || strchr(".+- ", c); }

/* Behind blanks, numbers and their exponents. */
static const char *behind_numbers(const char *at) {
  for (;; at++) {
    const bool exponent = *at == 'e' && (at[1] == '-' || at[1] == '+');
    if (!*at || (!is_counted(*at) && !exponent)) return at;
  }
}

static bool same_line(const char *a, const char *b) {
  for (;; a++, b++) {
    a = behind_numbers(a);
    b = behind_numbers(b);
    const bool a_ends = !*a || *a == '\n', b_ends = !*b || *b == '\n';
    if (a_ends || b_ends) return a_ends && b_ends;
    if (*a != *b) return false;
  }
}

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : NULL;
}

static bool has_line(const Content *content, const char *line) {
  for (const char *at = content->text; at; at = next_line(at))
    if (same_line(at, line)) return true;
  return false;
}

static const char *last_line(const Content *content) {
  const char *last = content->text;
  for (const char *at = last; at && *at; at = next_line(at)) last = at;
  return last;
}

static bool says(const Content *content, const char *word) { return content->text && strstr(content->text, word); }

static bool line_says(const char *line, const char *word) {
  const char *end = strchr(line, '\n'), *at = strstr(line, word);
  return at && (!end || at < end);
}

/* Whether a block can be entered is told of an atomic one where it is known: in its facts, and in its finding. */
static bool tells_entry(const char *line) {
  static const char *const WORDS[] = {"\"entered\": null", "\"rule\": ", "\"kind\": \"pass\"", "\"level\": \"note\"",
                                      " is causally atomic"};
  bool tells = false;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) tells |= line_says(line, WORDS[i]);
  return tells;
}

/* How many violations are suppressed is told where they were counted. */
static bool tells_suppressed(const char *line) {
  return line_says(line, "\"suppressed\": {\"violations\": null") || line_says(line, " were not counted: ");
}

static bool same_lines(const Content *whole, const Content *run) {
  const bool open = says(run, "\"entered\": null");
  const char *of = whole->text, *at = run->text;
  for (; of && at; of = next_line(of), at = next_line(at))
    if (!same_line(of, at) && !(open && tells_entry(at)) && !tells_suppressed(at)) return false;
  return !of && !at;
}

/* ---- good news ---- */

/* Does the line say that something holds? */
static bool is_good_news(const char *line) {
  static const char *const GOOD[] = {"atomic", "serializable", "no marking",  "none",   "is never",
                                     "no run", "holds",        "no deadlock", "proved", "\"answer\": \"no\""};
  static const char *const NOT[] = {"unknown", "not written", "out of memory", "interrupted", "was reached",
                                    "limit",   "\"rule",      " is not ",      "cannot tell"};
  bool good = false;
  if (line_says(line, "<testcase ")) return line_says(line, "/>");
  for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) good |= line_says(line, GOOD[i]);
  for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++) good &= !line_says(line, NOT[i]);
  return good;
}

/* A block that is never entered is atomic, which is all that may be known of it. */
static bool is_never_entered(const Content *whole, const char *line) {
  static const char ATOMIC[] = " is causally atomic", NEVER[] = " is never entered";
  const char *verb = strstr(line, ATOMIC);
  if (!line_says(line, ATOMIC)) return false;
  const size_t before = (size_t)(verb - line);
  for (const char *at = whole->text; at; at = next_line(at))
    if (!strncmp(at, line, before) && !strncmp(at + before, NEVER, sizeof NEVER - 1)) return true;
  return false;
}

/* How it was decided what the line before says: by facts, where there was no room for a prefix. */
static bool tells_grounds(const char *line) { return line_says(line, ": note: proved by facts about the threads"); }

/* Good news are those of the whole run. */
static bool no_false_news(const Content *whole, const Content *run) {
  for (const char *at = run->text; at; at = next_line(at))
    if (is_good_news(at) && !has_line(whole, at) && !is_never_entered(whole, at) && !tells_grounds(at)) return false;
  return true;
}

/* ---- files ---- */

static const Content *file_of(const Outcome *outcome, const char *name) {
  for (uint32_t i = 0; i < outcome->n_files; i++)
    if (strcmp(outcome->name[i], name) == 0) return &outcome->file[i];
  return NULL;
}

static bool is_unfinished(const Content *content) {
  static const char *const WORDS[] = {"unknown", "limit", "out of memory", "interrupted", "was reached"};
  bool unfinished = false;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) unfinished |= says(content, WORDS[i]);
  return unfinished;
}

/* Is it missed by name, or did the whole tool give up? */
static bool is_missed(const Outcome *run, const char *name, bool true_code) {
  static const char *const REASONS[] = {": out of memory\n", ": interrupted\n", " s was reached\n",
                                        ": the memory limit of ", " cannot be loaded: "};
  bool missed = says(&run->err, name);
  for (size_t i = 0; !true_code && i < sizeof REASONS / sizeof *REASONS; i++) missed |= says(&run->err, REASONS[i]);
  return missed;
}

static const char *judge_file(const Outcome *whole, const Outcome *run, uint32_t i) {
  const bool true_code = run->status == whole->status;
  const Content *file = file_of(run, whole->name[i]);
  if (!file) return is_missed(run, whole->name[i], true_code) ? NULL : "a file is missing without a word";
  if (!file->length && whole->file[i].length) return "a file is empty";
  if (same_lines(&whole->file[i], file)) return NULL;
  if (!same_line(last_line(&whole->file[i]), last_line(file)) && !is_unfinished(file)) return "a file is not whole";
  return no_false_news(&whole->file[i], file) ? NULL : "a file says what does not hold";
}

/* A checkpoint is, where there was no memory to tell the answer. */
static bool is_wanted(const Outcome *whole, const Outcome *run, const char *name) {
  return strcmp(name, "out/known") == 0 && run->status != whole->status && is_missed(run, name, false);
}

static const char *judge_files(const Outcome *whole, const Outcome *run) {
  if (run->strays) return "a temporary file is left";
  for (uint32_t i = 0; i < run->n_files; i++)
    if (!file_of(whole, run->name[i]) && !says(&run->err, run->name[i]) && !is_wanted(whole, run, run->name[i]))
      return "a file is left that nobody wants";
  for (uint32_t i = 0; i < whole->n_files; i++) {
    const char *wrong = judge_file(whole, run, i);
    if (wrong) return wrong;
  }
  return NULL;
}

/* ---- all of it ---- */

static bool is_explained(const Outcome *run) {
  bool unfinished = run->err.length > 0 || is_unfinished(&run->out);
  for (uint32_t i = 0; i < run->n_files; i++) unfinished |= is_unfinished(&run->file[i]);
  return unfinished;
}

static const char *judge_output(const Outcome *whole, const Outcome *run) {
  const int code = WEXITSTATUS(run->status), true_code = WEXITSTATUS(whole->status);
  if (!no_false_news(&whole->out, &run->out)) return "stdout says what does not hold";
  if (code != true_code) return is_explained(run) ? NULL : "it does not say why it is unknown";
  if (code == EXIT_HOLDS && !same_lines(&whole->out, &run->out)) return "stdout is not what it is else";
  if (code == EXIT_VIOLATED && whole->out.length && !run->out.length) return "stdout is empty";
  return NULL;
}

/* The answer is all there, but a picture is missing. */
static bool is_undrawn(const Outcome *run) {
  return WEXITSTATUS(run->status) == EXIT_ERROR && says(&run->err, ": not drawn: ");
}

const char *judge(const Outcome *whole, const Outcome *run, int undone) {
  if (!WIFEXITED(run->status)) return "it crashed";
  const int code = WEXITSTATUS(run->status);
  if (code != WEXITSTATUS(whole->status) && code != undone && !is_undrawn(run)) return "the exit code is wrong";
  const char *wrong = judge_files(whole, run);
  return wrong ? wrong : judge_output(whole, run);
}
