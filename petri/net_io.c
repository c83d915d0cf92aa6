#include "petri/net_io.h"

Net *net_read(Heap *heap, const InFile *file, Err *err) { return pnml_read(heap, file, err); }
