#include "ask/net_input.h"

Net *net_input_read(Heap *heap, const char *path, const NetFormat *format, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = format ? net_read_as(heap, &file, *format, err) : net_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}
