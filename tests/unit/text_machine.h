/* text_machine.h: what an event of an SML program does to tracked values, by its text alone: an oracle that shares no
 * code with the frontend. For small events: an assignment, a test, an await, an atomic without loops. */
#ifndef TESTS_UNIT_TEXT_MACHINE_H
#define TESTS_UNIT_TEXT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXT_VARIABLES = 64 };

/* What is known of a variable. */
typedef struct {
  bool known;
  int64_t number;
} TextValue;

/* The variables that an event sees, by name; what is not among them is unknown. */
typedef struct {
  uint32_t n;
  const char *name[TEXT_VARIABLES];
  int64_t n_values[TEXT_VARIABLES];
  TextValue value[TEXT_VARIABLES];
} TextState;

/* Can the event with that text lead from one state to the other? Values of `to` are all known; whatever the text leaves
 * open may have any value. Where the text makes no sense, *failed becomes true. */
bool text_may_lead(const char *text, const TextState *from, const TextState *to, bool *failed);

#endif
