/* many.h: one input, or many in one call: each in a process that goes on with the next one, their results in the order
 * of the inputs, and what they come to together. docs/many.md is the manual of that. */
#ifndef TOOLS_MANY_H
#define TOOLS_MANY_H

#include "tools/output.h"
#include "tools/work.h"

/* What the command line says of many inputs. The strings are argv's; NULL, 0: not given. */
typedef struct {
  const char *list, *resume, *shard;
  uint64_t jobs; /* processes at a time; 0: as many as there are processors */
} ManyOptions;

/* No more processes than that. */
enum { MANY_MOST_JOBS = 1024 };

/* The rows of a tool's option table; the number of processes has one of its own where a letter is to be had. */
#define MANY_OPTIONS(m)                                                                                      \
  {                                                                                                          \
      "list",        0,                                                                                      \
      OPTIONS_INPUT, OPTION_TEXT,                                                                            \
      &(m)->list,    "FILE|-",                                                                               \
      NULL,          "check the files and directories that are named there, too, one on each line"},         \
      {"shard",     0,     OPTIONS_INPUT, OPTION_TEXT,                                                       \
       &(m)->shard, "I/N", NULL,          "check only share number I, from 1, of N, by a hash of the path"}, \
  {                                                                                                          \
    "resume", 0, OPTIONS_OUTPUT, OPTION_TEXT, &(m)->resume, "FILE", NULL,                                    \
        "append a line of JSON for each input to FILE, and do not check those again whose line is there"     \
  }

#define MANY_JOBS(m, letter)                                                                        \
  {                                                                                                 \
    "jobs", letter, OPTIONS_METHOD, OPTION_LIMIT, &(m)->jobs, "N", NULL,                            \
        "check up to N inputs at a time, each in a process of its own (default: one per processor)" \
  }

/* Answers for one input, as if it were the only one, with `arguments`, and writes the result by `Many.output`. */
typedef void ManyOne(Tool *tool, const void *arguments, const char *path);

typedef struct {
  const ManyOptions *options;
  /* What `arguments` has of these: for many inputs the form of each result is changed in it, and what it may use. */
  OutputOptions *output;
  WorkOptions *work;
  const InputOptions *input; /* for the colour */
  ManyOne *one;
  const void *arguments;
  const char *schema; /* of the results */
  bool has_parts;     /* it answers for parts of an input, too: --shard of one input is a share of these, which `one`
                         finds in output->file */
} Many;

/* Does the command line ask for many inputs: for more than one, for a directory, or by an option? */
bool many_are_asked_for(const Many *many, const OptionList *operands);

/* Does the one input that is given, stdin if there is none, here; or many of them, in processes. Sets the exit code;
 * complains about what goes wrong. */
void many_run(Tool *tool, const Many *many, const OptionList *operands);

#endif
