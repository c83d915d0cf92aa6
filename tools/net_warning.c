#include "tools/net_warning.h"

#include "base/file.h"

#include <stdio.h>

void net_warn(const char *tool, const char *path, const Net *net) {
  if (!net->n_phantoms) return;
  fprintf(stderr, "%s: %s: warning: phantom transitions (PTR) are left out: %u\n", tool, file_name(path),
          net->n_phantoms);
}
