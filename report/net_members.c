#include "report/net_members.h"

#include <assert.h>

void net_members_thread(Members *members, uint32_t thread) {
  if (thread == NOTE_NONE) members_null(members, "thread");
  else members_count(members, "thread", (uint64_t)thread + 1);
}

void net_members_position(Members *members, SrcPos pos) {
  members_count(members, "line", pos.line);
  members_count(members, "column", pos.column);
}

void net_members_event(Members *members, const Net *net, uint32_t thread, TransId t) {
  assert(t.v < net->n_trans);
  const TransNote *note = &net->notes->transitions[t.v];
  net_members_thread(members, thread);
  net_members_position(members, note->pos);
  members_string(members, "text", note->text[0] ? note->text : net->trans_name[t.v]);
}
