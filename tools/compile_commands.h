/* compile_commands.h: a compilation database, compile_commands.json: how each file of a project is compiled, as CMake,
 * Meson and Bear write it (clang.llvm.org/docs/JSONCompilationDatabase.html). */
#ifndef TOOLS_COMPILE_COMMANDS_H
#define TOOLS_COMPILE_COMMANDS_H

#include "base/err.h"
#include "base/file.h"
#include "base/compile_words.h"

/* One file of it. */
typedef struct {
  const char *folder, *path; /* the path is that in the folder */
  const char *name;          /* as it is called from here */
  const char *real;          /* its name behind all links */
  Words options;             /* that say what it means */
  bool is_known;             /* it is C or C++ */
  bool differs;              /* it is there a second time, with other options */
} CompileCommand;

typedef VEC(CompileCommand) CompileCommands;

/* Is it the name of one? */
bool compile_commands_is(const char *path);

/* Adds the files of the database, each once: with the options of its first entry. All is the heap's. False, with
 * ERR_INPUT, if it is no such database; with ERR_LIMIT, if there is nothing to read JSON with. */
bool compile_commands_read(Heap *heap, const InFile *database, CompileCommands *commands, Err *err);

#endif
