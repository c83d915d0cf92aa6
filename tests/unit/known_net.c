#include "tests/unit/known_net.h"

#include "petri/net_io.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

Net *known_net(Heap *heap, const char *name) {
  const char *shared = getenv("SHARED");
  char path[4096];
  InFile file;
  Err err = {0};
  snprintf(path, sizeof path, "%s/nets/%s.ll_net", shared ? shared : "../shared", name);
  if (access(path, R_OK)) return skip("%s is not there", path), NULL;
  Net *net = file_read(heap, path, &file, &err) ? net_read(heap, &file, &err) : NULL;
  if (!net) printf("\n%s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(net);
  return net;
}
