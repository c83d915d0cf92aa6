#include "report/json_notes.h"

#include <assert.h>

void json_thread(Json *json, uint32_t thread) {
  json_key(json, "thread");
  if (thread == NOTE_NONE) json_null(json);
  else json_count(json, (uint64_t)thread + 1);
}

void json_position(Json *json, SrcPos pos) {
  json_member_count(json, "line", pos.line);
  json_member_count(json, "column", pos.column);
}

void json_event(Json *json, const Net *net, uint32_t thread, TransId t) {
  assert(t.v < net->n_trans);
  const TransNote *note = &net->notes->transitions[t.v];
  json_thread(json, thread);
  json_position(json, note->pos);
  json_member_string(json, "text", note->text[0] ? note->text : net->trans_name[t.v]);
}
