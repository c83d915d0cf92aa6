#include "ask/net_input.h"

Net *net_input_read(Heap *heap, const char *path, const NetFormat *format, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = format ? net_read_as(heap, &file, *format, err) : net_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}

bool net_input_expect_closed(const Net *net, const char *what, Err *err) {
  if (!net->notes || !net->notes->n_counts) return true;
  const char *name = net->notes->counts[0];
  return err_set(err, ERR_INPUT,
                 "%.100s: the number of threads '%.100s' was left open; %s needs to know it: sml2net -D %s=NUMBER",
                 net->name, name, what, name);
}
