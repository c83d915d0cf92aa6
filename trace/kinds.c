#include "trace/kinds.h"

#include <assert.h>

#define ROW(format, name, methods, title, line) [format] = {name, title, line, &methods},
const TraceKind TRACE_KINDS[] = {TRACE_FORMATS(ROW)};

/* All titles; `second` stands between the first two. */
static void list(char *room, const char *second, bool with_lines) {
  size_t n = 0;
  for (int i = 0; i < TRACE_N_FORMATS; i++) {
    const TraceKind *kind = &TRACE_KINDS[i];
    const char *before = i == 0 ? "" : i == TRACE_N_FORMATS - 1 ? " or " : i == 1 ? second : ", ";
    n += (size_t)snprintf(room + n, TRACE_LIST_ROOM - n, "%s%s", before, kind->title);
    if (with_lines && *kind->line) n += (size_t)snprintf(room + n, TRACE_LIST_ROOM - n, " (%s)", kind->line);
    assert(n < TRACE_LIST_ROOM);
  }
}

void trace_format_list(char room[TRACE_LIST_ROOM]) { list(room, ", ", false); }
void trace_kinds_neither(char room[TRACE_LIST_ROOM]) { list(room, ", nor ", true); }
