#include "report/net_facts.h"

#include <assert.h>

void net_facts_thread(Facts *facts, uint32_t thread) {
  if (thread == NOTE_NONE) facts_null(facts, "thread");
  else facts_count(facts, "thread", (uint64_t)thread + 1);
}

void net_facts_position(Facts *facts, SrcPos pos) {
  facts_count(facts, "line", pos.line);
  facts_count(facts, "column", pos.column);
}

void net_facts_event(Facts *facts, const Net *net, uint32_t thread, TransId t) {
  assert(t.v < net->n_trans);
  const TransNote *note = &net->notes->transitions[t.v];
  net_facts_thread(facts, thread);
  net_facts_position(facts, note->pos);
  facts_string(facts, "text", note->text[0] ? note->text : net->trans_name[t.v]);
}
