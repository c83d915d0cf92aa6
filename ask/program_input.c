#include "ask/program_input.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool program_input_define(Heap *heap, const char *text, SmlDefine *define) {
  const char *equals = strchr(text, '=');
  char *end;
  if (!equals || equals == text || equals[1] < '0' || equals[1] > '9') return false;
  errno = 0;
  define->value = strtoull(equals + 1, &end, 10);
  if (*end || errno) return false;
  char *name = heap_alloc(heap, (size_t)(equals - text) + 1);
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  define->name = name;
  return true;
}

bool program_input_expect(const InFile *file, const char *what, Err *err) {
  return strspn(file->text, " \t\r\n") < file->length ||
         err_set(err, ERR_INPUT, "%s: the file is empty; expected %s", file->name, what);
}

bool program_input_begin(Heap *heap, const InFile *file, const ProgramOptions *options, Diag *diag, Err *err) {
  diag_init(diag, heap, file->name, file->text, file->length);
  if (text_is_binary(file->text, file->length))
    return err_set(err, ERR_INPUT, "%s: a binary file, not the text of a program", file->name);
  return diag_switch(diag, SML_WARNINGS, options->warnings, options->n_warnings, err);
}

void program_input_say(const ProgramOptions *options, const Diag *diag) {
  if (options->say) options->say(options->say_argument, diag);
}

Net *program_input_compile(Heap *heap, const InFile *file, const ProgramOptions *options, Err *err) {
  Diag diag;
  Net *net = NULL;
  if (program_input_begin(heap, file, options, &diag, err)) {
    net = sml_compile(heap, &options->sml, &diag);
    err->kind = ERR_INPUT;
    err->text[0] = '\0';
    program_input_say(options, &diag);
  }
  diag_fini(&diag);
  return net;
}
