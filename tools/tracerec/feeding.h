/* feeding.h: the events of a run that is watched go to its monitor. */
#ifndef TOOLS_TRACEREC_FEEDING_H
#define TOOLS_TRACEREC_FEEDING_H

#include "base/options.h"
#include "tools/tracerec/watching.h"

#include <stdint.h>

/* All that is below the floor, after a live_round; up to a finding (Watching.found). */
void feeding_round(Watching *watching, uint64_t floor);
/* After the last round. */
void feeding_end(Watching *watching);

/* Opens the modules that were loaded since, once there is an event. */
void feeding_open_symbols(Watching *watching);

/* The names in the list, each of which may be several, with commas. */
uint32_t feeding_count_names(const OptionList *list);

#endif
