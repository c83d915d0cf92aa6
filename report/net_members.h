/* net_members.h: what the notes of a net say, as members of the object that is open. */
#ifndef REPORT_NET_MEMBERS_H
#define REPORT_NET_MEMBERS_H

#include "petri/net.h"
#include "report/members.h"

/* "thread": from 1, or null. */
void net_members_thread(Members *members, uint32_t thread);

/* "file", "line", "column", "function" */
void net_members_position(Members *members, const Notes *notes, SrcPos pos);

/* "thread", the position, and as "text" the source of the event, or the name of the transition where there is none.
 */
void net_members_event(Members *members, const Net *net, uint32_t thread, TransId t);

#endif
