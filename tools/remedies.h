/* remedies.h: the options that help against what the libraries complain of. */
#ifndef TOOLS_REMEDIES_H
#define TOOLS_REMEDIES_H

#include "base/remedy.h"

extern const Remedies TOOL_REMEDIES;

#endif
