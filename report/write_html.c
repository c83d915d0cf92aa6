/* A page to look at the result in: the viewer of report/viewer/, and in it the JSON. Nothing of the result can end the
 * element that it stands in, since no '<' is left of it; what the viewer shows of it is text for the browser, never
 * markup. */
#include "report/run_texts.h"
#include "report/viewer_text.h"
#include "report/write_json.h"
#include "report/writers.h"

static void write_lines(const char *const *lines, FILE *out) {
  for (; *lines; lines++) {
    fputs(*lines, out);
    fputc('\n', out);
  }
}

/* With the source files of a recorded run, if nothing was read but the run. */
bool html_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  (void)err;
  Report whole = *report;
  Inputs texts;
  inputs_init(&texts, report->arena.heap);
  if (!report->inputs || (!report->inputs->texts.n && !report->inputs->remarks.n)) {
    run_texts_add(report, &texts);
    whole.inputs = &texts;
  }
  write_lines(VIEWER_HEAD, out);
  Json json = json_start_in_html(out);
  json_write_result(&whole, &json);
  write_lines(VIEWER_TAIL, out);
  inputs_fini(&texts);
  return true;
}
