/* net_pipe.h: what the next program in a pipe learns if there is no net for it. */
#ifndef TOOLS_NET_PIPE_H
#define TOOLS_NET_PIPE_H

#include "tools/tool.h"

/* For a tool that was to write a net to stdout, has written nothing, and has printed why: if stdout is a pipe, and not
 * the one where the message went, too, the reader gets net_absence() and need not complain a second time. */
void net_pipe_fail(const Tool *tool);

#endif
