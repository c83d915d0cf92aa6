/* input_list.h: the inputs of one call, where there may be many: files, what is in directories, lists of paths. */
#ifndef TOOLS_INPUT_LIST_H
#define TOOLS_INPUT_LIST_H

#include "base/err.h"
#include "base/intern.h"
#include "base/options.h"

/* The paths, each once, in their order; by number in `paths`. */
typedef struct {
  Intern paths;
  uint32_t twice; /* so many were given again, and are left out */
} InputList;

/* Does the path lead to a directory? */
bool input_list_is_directory(const char *path);

/* The operands, then the paths in the file `list`, one a line ("-": stdin; NULL: none). Instead of a directory there
 * are the files in it and in its directories, by name (bytes), except those that begin with a dot; a symbolic link to
 * a file counts as one, and so does a link that leads nowhere; a link to a directory is left out, and so is what is
 * neither, such as a pipe. What is not there is an input, too. Memory is the heap's,
 * until fini. False, with *err, if a list or a directory cannot be read, an operand is "-", or there is no input at
 * all. */
bool input_list_make(Heap *heap, const OptionList *operands, const char *list, InputList *inputs, Err *err);
void input_list_fini(InputList *inputs);

/* Leaves those that are share number `i`, from 1, of `n`: by a hash of the path, the same on every machine. */
void input_list_share(Heap *heap, InputList *inputs, uint64_t i, uint64_t n);

#endif
