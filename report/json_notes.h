/* json_notes.h: what the notes of a net say, as members of the JSON object that is open. */
#ifndef REPORT_JSON_NOTES_H
#define REPORT_JSON_NOTES_H

#include "base/json.h"
#include "petri/net.h"

/* "thread": from 1, or null. */
void json_thread(Json *json, uint32_t thread);

/* "line", "column" */
void json_position(Json *json, SrcPos pos);

/* "thread", "line", "column", and as "text" the source of the event, or the name of the transition where there is none. */
void json_event(Json *json, const Net *net, uint32_t thread, TransId t);

#endif
