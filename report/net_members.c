#include "report/net_members.h"

#include <assert.h>

void net_members_thread(Members *members, uint32_t thread) {
  if (thread == NOTE_NONE) members_null(members, "thread");
  else members_count(members, "thread", (uint64_t)thread + 1);
}

/* A name, or null where there is none. */
static void add_name(Members *members, const char *key, const char *name) {
  members_string(members, key, name[0] ? name : NULL);
}

void net_members_position(Members *members, const Notes *notes, SrcPos pos) {
  add_name(members, "file", notes_file_of(notes, pos));
  members_count(members, "line", pos.line);
  members_count(members, "column", pos.column);
  add_name(members, "function", notes->functions[pos.function]);
}

void net_members_event(Members *members, const Net *net, uint32_t thread, TransId t) {
  assert(t.v < net->n_trans);
  const TransNote *note = &net->notes->transitions[t.v];
  net_members_thread(members, thread);
  net_members_position(members, net->notes, note->pos);
  members_string(members, "text", note->text[0] ? note->text : net->trans_name[t.v]);
}
