/* playground.c: one question about a program, as web/ask.js asks it: libcausal with arguments that JavaScript can make.
 */
#include "libcausal/libcausal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64 };

/* Words that JavaScript wrote, with a NUL after each and one more at the end. */
typedef struct {
  const char *at[MOST_WORDS];
  size_t n;
} Words;

static Words split(const char *text) {
  Words words = {.n = 0};
  for (; *text && words.n < MOST_WORDS; text += strlen(text) + 1) words.at[words.n++] = text;
  return words;
}

/* 0: atomicity, 1: serializability, as CausalQuestion. Limits of 0 are none. JavaScript's numbers are doubles, and
 * exact up to 2^53. NULL: there is no memory for anything. Ends with playground_free. */
CausalResult *playground_ask(int question, const char *name, const char *text, size_t length, const char *defines,
                             const char *warnings, bool any_number, bool each_access, double timeout, double max_memory,
                             double max_events) {
  const Words defined = split(defines), warned = split(warnings);
  CausalOptions options = CAUSAL_OPTIONS;
  options.name = name;
  options.timeout = timeout;
  options.max_memory = (uint64_t)max_memory;
  options.max_events = (uint64_t)max_events;
  options.defines = defined.at;
  options.n_defines = defined.n;
  options.warnings = warned.at;
  options.n_warnings = warned.n;
  options.any_number = any_number;
  options.each_access = each_access;
  return causal_ask(question ? CAUSAL_SERIALIZABLE : CAUSAL_ATOMIC, text, length, &options);
}

int playground_verdict(const CausalResult *result) { return (int)causal_verdict(result); }

const char *playground_output(CausalResult *result, const char *form) { return causal_output(result, form, NULL); }

const char *playground_why(const CausalResult *result) { return causal_why(result); }

void playground_free(CausalResult *result) { causal_free(result); }
