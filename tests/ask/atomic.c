/* atomic.c: is every block of the SML text on stdin causally atomic? Linked to the C library alone (tests/ask/run.sh).
 */
#include "ask/atomicity.h"
#include "ask/program_input.h"

int main(void) {
  Heap *heap = heap_new(0);
  InFile file;
  Atomicity result;
  Err err;
  Net *net = file_read(heap, "-", &file, &err) ? program_input_compile(heap, &file, &(ProgramOptions){0}, &err) : NULL;
  const bool good = net && atomicity_check(heap, net, &(AtomicityOptions){0}, &(AskLimits){0}, &result, &err);
  heap_free(heap);
  return good ? verdict_exit_code(result.verdict) : EXIT_ERROR;
}
