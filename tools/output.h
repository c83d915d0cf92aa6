/* output.h: a report goes where the options say: one result, in one of the forms that there are, and pictures besides.
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include "report/writers.h"
#include "tools/input_options.h"
#include "tools/paths.h"
#include "tools/tool.h"

/* Where the result goes, and in what form. The strings are argv's; NULL is an option that was not given. */
typedef struct {
  uint32_t format; /* a row of the table of writers */
  const char *output, *dot, *svg, *html;
  bool stats, verbose;
  const ReportFile *file; /* what the result is about; no option. NULL: that is not known */
} OutputOptions;

/* The rows of a tool's option table. */
#define OUTPUT_FILE_OPTIONS(o)                                                                                        \
  {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &(o)->output, "FILE", NULL, "write the result there, not to stdout"},  \
      {"dot", 0, OPTIONS_OUTPUT, OPTION_TEXT, &(o)->dot, "FILE", NULL, "also draw what was found as a DOT graph"},    \
      {"svg", 0, OPTIONS_OUTPUT, OPTION_TEXT, &(o)->svg, "FILE", NULL, "also draw what was found as an SVG picture"}, \
  {                                                                                                                   \
    "html", 0, OPTIONS_OUTPUT, OPTION_TEXT, &(o)->html, "FILE", NULL,                                                 \
        "also write a page in which one steps through what was found"                                                 \
  }

#define OUTPUT_OPTIONS(o)                                                       \
  {"format",     'f',  OPTIONS_OUTPUT,  OPTION_CHOICE,                          \
   &(o)->format, NULL, writers_names(), "format of the result (default text)"}, \
      OUTPUT_FILE_OPTIONS(o)

#define OUTPUT_STATS(o) \
  { "stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &(o)->stats, NULL, NULL, "print sizes, time and memory on stderr" }
#define OUTPUT_VERBOSE(o) \
  { "verbose", 'v', OPTIONS_OUTPUT, OPTION_FLAG, &(o)->verbose, NULL, NULL, "print every step of an example run" }

/* The names of all formats, and after these two more of the tool's own; NULL-terminated, the heap's. */
const char *const *output_formats(Heap *heap, const char *const more[2]);

/* The number of rows in the table, that of the first of output_formats()'s own. */
uint32_t output_own_format(void);

/* The uses of paths that are in the options (tools/paths.h), of `input` (NULL: of none), and `n_more` others, which may
 * be NULL: false, with ERR_INPUT, if two are the same file. */
bool output_differs(Heap *heap, const OutputOptions *options, const char *input, const PathUse *more, size_t n_more,
                    Err *err);

/* Are only messages wanted of the report? */
bool output_is_brief(const OutputOptions *options);

/* Prints the statistics, if they are asked for, sets the exit code, draws what is to be drawn, and writes the page.
 * `input` says what was read; NULL: that is not known. False, with *err, if that fails. */
bool output_begin(Tool *tool, const Report *report, const OutputOptions *options, const InputOptions *input, Err *err);

/* Writes the result. `input` says whether it is coloured. */
bool output_result(Tool *tool, const Report *report, const OutputOptions *options, const InputOptions *input,
                   bool quiet, Err *err);

/* Does something that is written say what was read, and what was said of it? Then that is to be kept. */
bool output_says_inputs(const OutputOptions *options);

/* Prints an error as tool_complain does. If nothing has been written so far, and the format says errors, a text of that
 * schema is written, too, which has no answer. */
void output_error(Tool *tool, const char *schema, const OutputOptions *options, const InputOptions *input,
                  const Err *err);

/* The two, one after the other. */
bool output_report(Tool *tool, const Report *report, const OutputOptions *options, const InputOptions *input,
                   bool quiet, Err *err);

#endif
