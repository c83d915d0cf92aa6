/* net_warning.h: what is said on stderr of a net that was read. */
#ifndef TOOLS_NET_WARNING_H
#define TOOLS_NET_WARNING_H

#include "petri/net.h"

/* Warns if something of the file is no part of the net. */
void net_warn(const char *tool, const char *path, const Net *net);

#endif
