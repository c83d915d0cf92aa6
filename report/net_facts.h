/* net_facts.h: what the notes of a net say, as members of the object that is open. */
#ifndef REPORT_NET_FACTS_H
#define REPORT_NET_FACTS_H

#include "petri/net.h"
#include "report/facts.h"

/* "thread": from 1, or null. */
void net_facts_thread(Facts *facts, uint32_t thread);

/* "line", "column" */
void net_facts_position(Facts *facts, SrcPos pos);

/* "thread", "line", "column", and as "text" the source of the event, or the name of the transition where there is none.
 */
void net_facts_event(Facts *facts, const Net *net, uint32_t thread, TransId t);

#endif
