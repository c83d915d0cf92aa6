/* Files of bitcode, and of programs that were linked of it. */
#include "frontend/c/bitcode_inside.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Object.h>

#include <string.h>

/* ---- LLVM ---- */

static bool complain(const InFile *file, char *message, Err *err) {
  err_set(err, ERR_INPUT, "%.300s: %.300s", file->name, message ? message : "not LLVM's bitcode");
  LLVMDisposeMessage(message);
  return false;
}

static bool parse(LLVMContextRef context, const InFile *file, LLVMModuleRef *module, Err *err) {
  char *message = NULL;
  const LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(file->text, file->length, file->name);
  if (LLVMParseIRInContext(context, buffer, module, &message)) return complain(file, message, err);
  if (LLVMVerifyModule(*module, LLVMReturnStatusAction, &message)) return complain(file, message, err);
  LLVMDisposeMessage(message);
  return true;
}

/* Files of several programs have been given for one. */
static bool complain_of_two(const InFile *file, char *message, Err *err) {
  if (!message || !strstr(message, "'main': symbol multiply defined")) return complain(file, message, err);
  LLVMDisposeMessage(message);
  return err_set(err, ERR_INPUT,
                 "%.300s: a second 'main': of several programs in a compilation database, --main=FILE "
                 "takes the one with the main of that file",
                 file->name);
}

/* What LLVM says of its own accord, the first of it. */
static void hear(LLVMDiagnosticInfoRef said, void *words) {
  char **first = words;
  if (!*first && LLVMGetDiagInfoSeverity(said) == LLVMDSError) *first = LLVMGetDiagInfoDescription(said);
}

/* The first one, with all others linked to it. */
bool bitcode_link_all(LLVMContextRef context, const InFile *files, uint32_t n, LLVMModuleRef *module, Err *err) {
  char *said = NULL;
  if (!parse(context, &files[0], module, err)) return false;
  LLVMContextSetDiagnosticHandler(context, hear, &said);
  for (uint32_t i = 1; i < n; i++) {
    LLVMModuleRef other;
    if (!parse(context, &files[i], &other, err)) return LLVMDisposeMessage(said), false;
    if (LLVMLinkModules2(*module, other)) return complain_of_two(&files[i], said, err); /* the other one is gone */
  }
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  LLVMDisposeMessage(said);
  return true;
}

bool bitcode_link(Heap *heap, const InFile *files, uint32_t n, CharVec *bytes, Err *err) {
  const LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  if (!bitcode_link_all(context, files, n, &module, err)) return LLVMContextDispose(context), false;
  const LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
  const size_t size = LLVMGetBufferSize(buffer);
  vec_reserve(heap, bytes, size);
  memcpy(bytes->at + bytes->n, LLVMGetBufferStart(buffer), size);
  bytes->n += (uint32_t)size;
  LLVMDisposeMemoryBuffer(buffer);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return true;
}

/* ---- linked programs ---- */

static void read_section(Heap *heap, LLVMBinaryRef binary, LLVMSectionIteratorRef section, CharVec *lines) {
  while (!LLVMObjectFileIsSectionIteratorAtEnd(binary, section)) {
    const char *name = LLVMGetSectionName(section);
    if (name && strcmp(name, ".llvm_bc") == 0) {
      const size_t size = (size_t)LLVMGetSectionSize(section);
      vec_reserve(heap, lines, size);
      memcpy(lines->at + lines->n, LLVMGetSectionContents(section), size);
      lines->n += (uint32_t)size;
    }
    LLVMMoveToNextSection(section);
  }
}

bool bitcode_section(Heap *heap, const InFile *program, CharVec *lines, Err *err) {
  char *message = NULL;
  const LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(program->text, program->length, program->name);
  const LLVMBinaryRef binary = LLVMCreateBinary(buffer, NULL, &message);
  if (!binary) return LLVMDisposeMemoryBuffer(buffer), complain(program, message, err);
  const LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
  read_section(heap, binary, section, lines);
  LLVMDisposeSectionIterator(section);
  LLVMDisposeBinary(binary);
  LLVMDisposeMemoryBuffer(buffer);
  return true;
}

bool bitcode_is_linked(const char *text, size_t length) {
  return length >= 4 && memcmp(text,
                               "\x7f"
                               "ELF",
                               4) == 0;
}

bool bitcode_recognise(const char *text, size_t length) {
  return length >= 4 && (memcmp(text, "BC\xc0\xde", 4) == 0 || memcmp(text, "\xde\xc0\x17\x0b", 4) == 0);
}

const char *bitcode_version(void) { return C_LLVM_VERSION; }
