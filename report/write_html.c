/* A page to look at the result in: the viewer of report/viewer/, and in it the JSON. Nothing of the result can end the
 * element that it stands in, since no '<' is left of it; what the viewer shows of it is text for the browser, never
 * markup. */
#include "report/viewer_text.h"
#include "report/write_json.h"
#include "report/writers.h"

static void write_lines(const char *const *lines, FILE *out) {
  for (; *lines; lines++) {
    fputs(*lines, out);
    fputc('\n', out);
  }
}

bool html_write(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  (void)err;
  write_lines(VIEWER_HEAD, out);
  Json json = json_start_in_html(out);
  json_write_result(report, &json);
  write_lines(VIEWER_TAIL, out);
  return true;
}
