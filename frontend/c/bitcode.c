#include "frontend/c/bitcode_inside.h"

#include "base/here.h"
#include "frontend/c/prepare.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include <string.h>

#if LLVM_VERSION_MAJOR < 15
#define ELEMENT LLVMGetElementAsConstant
#else
#define ELEMENT LLVMGetAggregateElement
#endif

/* ---- which LLVM value is which number ---- */

static void bind(BitcodeReader *r, const void *key, uint32_t id) {
  const uint32_t number = intern_add(&r->keys, (const char *)&key, sizeof key, NULL);
  if (number == r->ids.n) vec_push(r->heap, &r->ids, id);
  else r->ids.at[number] = id;
}

uint32_t bitcode_bound(const BitcodeReader *r, const void *key) {
  const uint32_t number = intern_find(&r->keys, (const char *)&key, sizeof key);
  return number == INTERN_NONE ? C_NONE : r->ids.at[number];
}

const char *bitcode_name(BitcodeReader *r, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return arena_copy(&r->m->arena, name, length);
}

/* A name of C++ as it is in the source; any other one as it is. */
static const char *shown_of(BitcodeReader *r, const char *name) {
  char shown[1024];
  return demangle(&r->demangler, name, shown, sizeof shown) ? arena_copy(&r->m->arena, shown, strlen(shown)) : name;
}

/* ---- places ---- */

static void add_text(BitcodeReader *r, const char *text, size_t length) {
  vec_reserve(r->heap, &r->key, length + 1);
  if (length) memcpy(r->key.at + r->key.n, text, length);
  r->key.n += (uint32_t)length;
  r->key.at[r->key.n++] = '\0';
}

/* The name and the folder, which may be "", have no NUL, as LLVM has them. Two files may have one name in the module.
 */
static uint32_t file_number(BitcodeReader *r, const char *name, size_t length, const char *folder,
                            size_t folder_length) {
  bool is_new;
  vec_clear(&r->key);
  add_text(r, folder, folder_length);
  add_text(r, name, length);
  const uint32_t number = intern_add(&r->files, r->key.at, r->key.n, &is_new);
  if (is_new) {
    const char *key = r->key.at, *path = key + folder_length + 1;
    const char *shown = folder_length ? here_name(r->heap, key, path) : path;
    vec_push(r->heap, &r->m->files, arena_copy(&r->m->arena, shown, strlen(shown)));
  }
  return number;
}

static CPlace place_of(BitcodeReader *r, LLVMValueRef value) {
  unsigned length = 0, folder_length = 0;
  const char *file = LLVMGetDebugLocFilename(value, &length);
  const char *folder = LLVMGetDebugLocDirectory(value, &folder_length);
  if (!file || !length) return (CPlace){0, 0, 0};
  const unsigned column = LLVMIsAInstruction(value) ? LLVMGetDebugLocColumn(value) : 0;
  return (CPlace){file_number(r, file, length, folder, folder ? folder_length : 0), LLVMGetDebugLocLine(value), column};
}

/* ---- constants ---- */

static COperand anything(void) { return (COperand){C_ANYTHING, C_NONE, 0}; }

static COperand unknown(BitcodeReader *r) {
  r->strange = true;
  return anything();
}

BitcodeIndex bitcode_index(BitcodeReader *r, LLVMTypeRef type, LLVMValueRef index, bool first) {
  const bool is_known = LLVMIsAConstantInt(index) || LLVMIsAConstantExpr(index);
  const COperand known = is_known ? bitcode_operand(r, index) : anything();
  const bool constant = known.kind == C_INTEGER;
  const int64_t number = constant ? known.number : 0;
  if (!first && LLVMGetTypeKind(type) == LLVMStructTypeKind)
    return (BitcodeIndex){LLVMStructGetTypeAtIndex(type, (unsigned)number),
                          (int64_t)LLVMOffsetOfElement(r->layout, type, (unsigned)number), true};
  const LLVMTypeRef element = first ? type : LLVMGetElementType(type);
  const int64_t size = (int64_t)LLVMABISizeOfType(r->layout, element);
  return (BitcodeIndex){element, constant ? number * size : size, constant};
}

static COperand constant_offset(BitcodeReader *r, LLVMValueRef value) {
  COperand base = bitcode_operand(r, LLVMGetOperand(value, 0));
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  for (int i = 1; i < LLVMGetNumOperands(value); i++) {
    const BitcodeIndex index = bitcode_index(r, type, LLVMGetOperand(value, (unsigned)i), i == 1);
    if (!index.constant) return unknown(r);
    base.number += index.bytes;
    type = index.type;
  }
  return base.kind == C_GLOBAL || base.kind == C_INTEGER ? base : unknown(r);
}

static int64_t shortened(int64_t number, uint64_t bits, bool is_signed) {
  if (!bits || bits == 64) return number;
  const uint64_t all = ((uint64_t)1 << bits) - 1, low = (uint64_t)number & all;
  return (int64_t)(is_signed && bits > 1 && low >> (bits - 1) ? low | ~all : low);
}

/* What is computed of numbers, as those which offsetof was before there was one: of the address of a member of what is
 * at NULL. */
static COperand constant_number(BitcodeReader *r, LLVMValueRef value) {
  const COperand first = bitcode_operand(r, LLVMGetOperand(value, 0));
  const bool has_two = LLVMGetNumOperands(value) == 2;
  const COperand second = has_two ? bitcode_operand(r, LLVMGetOperand(value, 1)) : bitcode_integer(0);
  if (first.kind != C_INTEGER || second.kind != C_INTEGER || !bitcode_bits(value)) return unknown(r);
  const uint64_t a = (uint64_t)first.number, b = (uint64_t)second.number;
  uint64_t number = a;
  switch ((int)LLVMGetConstOpcode(value)) {
  case LLVMAdd: number = a + b; break;
  case LLVMSub: number = a - b; break;
  case LLVMMul: number = a * b; break;
  case LLVMIntToPtr:
  case LLVMZExt: number = (uint64_t)shortened(first.number, bitcode_bits(LLVMGetOperand(value, 0)), false); break;
  case LLVMSExt: number = bitcode_bits(LLVMGetOperand(value, 0)) == 1 ? 0 - a : a; break;
  }
  return bitcode_integer(shortened((int64_t)number, bitcode_bits(value), true));
}

static COperand constant_conversion(BitcodeReader *r, LLVMValueRef value) {
  const COperand operand = bitcode_operand(r, LLVMGetOperand(value, 0));
  return operand.kind == C_INTEGER ? constant_number(r, value) : operand;
}

static COperand constant_expression(BitcodeReader *r, LLVMValueRef value) {
  switch ((int)LLVMGetConstOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt: return constant_number(r, value);
  case LLVMBitCast:
  case LLVMAddrSpaceCast: return bitcode_operand(r, LLVMGetOperand(value, 0));
  case LLVMIntToPtr:
  case LLVMPtrToInt: return constant_conversion(r, value);
  case LLVMGetElementPtr: return constant_offset(r, value);
  default: return unknown(r);
  }
}

/* Addresses in a constant that is used as a whole are not followed. */
static COperand aggregate(BitcodeReader *r, LLVMValueRef value) {
  for (int i = 0; i < LLVMGetNumOperands(value); i++) {
    const COperand part = bitcode_operand(r, LLVMGetOperand(value, (unsigned)i));
    if (part.kind == C_GLOBAL || part.kind == C_FUNCTION) r->strange = true;
  }
  return anything();
}

static COperand integer_of(LLVMValueRef value) {
  const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (width == 1) return bitcode_integer((int64_t)LLVMConstIntGetZExtValue(value)); /* a truth value */
  return width <= 64 ? bitcode_integer(LLVMConstIntGetSExtValue(value)) : anything();
}

/* Does the linker make what is declared by that name, of what is anywhere in the program? */
static bool is_of_linker(const char *name) {
  static const char *const NAMES[] = {
      "end",         "_end",         "edata",       "_edata",    "etext",         "_etext",      "__etext",
      "data_start",  "__data_start", "__bss_start", "__bss_end", "__bss_start__", "__bss_end__", "__executable_start",
      "__ehdr_start"};
  for (uint32_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (strcmp(name, NAMES[i]) == 0) return true;
  return strncmp(name, "__start_", 8) == 0 || strncmp(name, "__stop_", 7) == 0;
}

/* Is it what the linker makes, or a function that the program chooses when it is loaded? */
static bool is_strange(BitcodeReader *r, LLVMValueRef value) {
  if (LLVMIsAGlobalIFunc(value)) return true;
  return LLVMIsAGlobalVariable(value) && LLVMIsDeclaration(value) && is_of_linker(bitcode_name(r, value));
}

COperand bitcode_operand(BitcodeReader *r, LLVMValueRef value) {
  if (is_strange(r, value)) return unknown(r);
  if (LLVMIsAConstantInt(value)) return integer_of(value);
  if (LLVMIsAConstantPointerNull(value)) return bitcode_integer(0);
  if (LLVMIsAFunction(value)) return (COperand){C_FUNCTION, bitcode_bound(r, value), 0};
  if (LLVMIsAGlobalVariable(value)) return (COperand){C_GLOBAL, bitcode_bound(r, value), 0};
  if (LLVMIsAGlobalAlias(value)) return bitcode_operand(r, LLVMAliasGetAliasee(value));
  if (LLVMIsAConstantExpr(value)) return constant_expression(r, value);
  if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) || LLVMIsAConstantVector(value))
    return aggregate(r, value);
  if (LLVMIsABlockAddress(value)) return unknown(r);
  if (LLVMIsAConstant(value)) return anything(); /* floating point, undefined, zero of any type */
  const uint32_t number = bitcode_bound(r, value);
  return number == C_NONE ? unknown(r) : (COperand){C_VALUE, number, 0};
}
/* ---- instructions ---- */

static bool is_terminator(LLVMValueRef value) { return LLVMIsATerminatorInst(value) != NULL; }

/* Its operands come later: they may be numbers that come later. */
static void add_instruction(BitcodeReader *r, LLVMValueRef value, uint32_t block) {
  const CInstruction it = {.kind = C_MIX, .block = block, .text = "", .place = place_of(r, value)};
  bind(r, value, r->m->instructions.n);
  vec_push(r->heap, &r->m->instructions, it);
}

static void add_successors(BitcodeReader *r, LLVMValueRef terminator, CBlock *block) {
  block->successors = r->m->successors.n;
  block->n_successors = LLVMGetNumSuccessors(terminator);
  for (unsigned i = 0; i < block->n_successors; i++)
    vec_push(r->heap, &r->m->successors, bitcode_bound(r, LLVMGetSuccessor(terminator, i)));
}
/* ---- functions ---- */

static void number_block(BitcodeReader *r, LLVMBasicBlockRef block, uint32_t number) {
  CBlock *b = &r->m->blocks.at[number];
  b->start = r->m->instructions.n;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (!bitcode_is_remark(i)) add_instruction(r, i, number);
  b->end = r->m->instructions.n;
}

static void number_function(BitcodeReader *r, LLVMValueRef function) {
  CFunction *f = &r->m->functions.at[bitcode_bound(r, function)];
  f->start = r->m->instructions.n;
  f->n_parameters = LLVMCountParams(function);
  f->blocks = r->m->blocks.n;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    bind(r, b, r->m->blocks.n);
    vec_push(r->heap, &r->m->blocks, ((CBlock){0}));
  }
  f->blocks_end = r->m->blocks.n;
  for (unsigned i = 0; i < f->n_parameters; i++) {
    add_instruction(r, LLVMGetParam(function, i), f->blocks);
    bitcode_last(r)->kind = C_PARAMETER;
    bitcode_last(r)->size = bitcode_bits(LLVMGetParam(function, i));
  }
  uint32_t number = f->blocks;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    number_block(r, b, number++);
  f->end = r->m->instructions.n;
}

/* The instruction's operands are the last ones of the module, so it is made a copy of, at the end, for a moment. */
static void read_instruction(BitcodeReader *r, LLVMValueRef value) {
  const uint32_t number = bitcode_bound(r, value);
  vec_push(r->heap, &r->m->instructions, r->m->instructions.at[number]);
  bitcode_last(r)->operands = r->m->operands.n;
  r->strange = false;
  bitcode_instruction(r, value);
  if (r->strange) bitcode_be_strange(r, "a constant that is not understood");
  if (is_terminator(value)) add_successors(r, value, &r->m->blocks.at[bitcode_last(r)->block]);
  r->m->instructions.at[number] = *bitcode_last(r);
  r->m->instructions.n--;
}

static void read_function(BitcodeReader *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (!bitcode_is_remark(i)) read_instruction(r, i);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (bitcode_is_remark(i)) bitcode_local(r, i);
}

/* ---- globals ---- */

static void read_initial(BitcodeReader *r, LLVMValueRef value, uint64_t offset, CPlace place);

static void read_parts(BitcodeReader *r, LLVMValueRef value, uint64_t offset, CPlace place) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    const LLVMValueRef part = LLVMGetOperand(value, i);
    const uint64_t at =
        is_struct ? LLVMOffsetOfElement(r->layout, type, i) : i * LLVMABISizeOfType(r->layout, LLVMTypeOf(part));
    read_initial(r, part, offset + at, place);
  }
}

static void read_numbers(BitcodeReader *r, LLVMValueRef value, uint64_t offset, CPlace place) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  const uint64_t size = LLVMABISizeOfType(r->layout, LLVMGetElementType(type));
  const unsigned n = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength(type) : LLVMGetVectorSize(type);
  for (unsigned i = 0; i < n; i++) read_initial(r, ELEMENT(value, i), offset + i * size, place);
}

/* `place`: of the global. */
static void read_initial(BitcodeReader *r, LLVMValueRef value, uint64_t offset, CPlace place) {
  if (LLVMIsAConstantAggregateZero(value)) return;
  if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value)) {
    read_parts(r, value, offset, place);
  } else if (LLVMIsAConstantDataSequential(value)) {
    if (!LLVMIsConstantString(value)) read_numbers(r, value, offset, place);
  } else {
    r->strange = false;
    const COperand operand = bitcode_operand(r, value);
    if (r->strange) vec_push(r->heap, &r->m->lacks, ((CLack){"begins with a constant that is not understood", place}));
    if (operand.kind != C_INTEGER || operand.number)
      vec_push(r->heap, &r->m->initials, ((CInitial){offset, bitcode_size(r, LLVMTypeOf(value)), operand}));
  }
}

static void read_global(BitcodeReader *r, LLVMValueRef global) {
  CGlobal *g = &r->m->globals.at[bitcode_bound(r, global)];
  const LLVMValueRef value = LLVMGetInitializer(global);
  g->initials = r->m->initials.n;
  if (value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value)) {
    size_t length;
    const char *text = LLVMGetAsString(value, &length);
    g->string = arena_copy(&r->m->arena, text, strnlen(text, length));
  } else if (value) {
    read_initial(r, value, 0, place_of(r, global));
  }
  g->n_initials = r->m->initials.n - g->initials;
}

static void add_global(BitcodeReader *r, LLVMValueRef global) {
  const CGlobal g = {.name = shown_of(r, bitcode_name(r, global)),
                     .size = bitcode_size(r, LLVMGlobalGetValueType(global)),
                     .is_defined = LLVMGetInitializer(global) != NULL,
                     .is_constant = LLVMIsGlobalConstant(global),
                     .is_local = LLVMIsThreadLocal(global)};
  bind(r, global, r->m->globals.n);
  vec_push(r->heap, &r->m->globals, g);
}

static void add_function(BitcodeReader *r, LLVMValueRef function) {
  const char *name = bitcode_name(r, function);
  const CFunction f = {.name = name,
                       .shown = shown_of(r, name),
                       .is_defined = !LLVMIsDeclaration(function),
                       .is_variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)),
                       .place = LLVMGetSubprogram(function) ? place_of(r, function) : (CPlace){0, 0, 0}};
  bind(r, function, r->m->functions.n);
  vec_push(r->heap, &r->m->functions, f);
}

/* ---- the whole ---- */

static void add_lack(BitcodeReader *r, LLVMValueRef function, const char *what) {
  const bool placed = function && LLVMGetSubprogram(function);
  vec_push(r->heap, &r->m->lacks, ((CLack){what, placed ? place_of(r, function) : (CPlace){0, 0, 0}}));
}

static void add_cxx_lack(void *reader, LLVMValueRef function, const char *what) { add_lack(reader, function, what); }

/* Assembler outside of functions may give what is defined another name, or have more of the program's text and data. */
static bool has_assembler(LLVMModuleRef module) {
  size_t length;
  const char *text = LLVMGetModuleInlineAsm(module, &length);
  for (const char *end = text + length, *line = text, *next; line < end; line = next + 1) {
    next = memchr(line, '\n', (size_t)(end - line));
    if (!next) next = end;
    while (line < next && (*line == ' ' || *line == '\t')) line++;
    if (line < next && strncmp(line, ".symver", 7) != 0) return true; /* a version is for other programs */
  }
  return false;
}

/* Functions that the library calls by their names, so that the program may have its own ones. Whoever creates a thread
 * calls some of these, and so may all that the library does. */
static void find_replaced(BitcodeReader *r) {
  static const char *const REPLACED[] = {"malloc",        "calloc",   "realloc",       "free",
                                         "aligned_alloc", "memalign", "posix_memalign"};
  for (uint32_t i = 0; i < sizeof REPLACED / sizeof *REPLACED; i++) {
    const LLVMValueRef it = LLVMGetNamedFunction(r->llvm, REPLACED[i]);
    if (!it || LLVMIsDeclaration(it) || LLVMGetLinkage(it) == LLVMInternalLinkage) continue;
    add_lack(r, it, arena_format(&r->m->arena, "defines '%s', which functions of the library call, too", REPLACED[i]));
  }
}

static void read_module(BitcodeReader *r) {
  LLVMValueRef it;
  if (has_assembler(r->llvm)) add_lack(r, NULL, "assembler outside of functions");
  find_replaced(r);
  for (it = LLVMGetFirstGlobal(r->llvm); it; it = LLVMGetNextGlobal(it)) add_global(r, it);
  for (it = LLVMGetFirstFunction(r->llvm); it; it = LLVMGetNextFunction(it)) add_function(r, it);
  for (it = LLVMGetFirstFunction(r->llvm); it; it = LLVMGetNextFunction(it)) number_function(r, it);
  for (it = LLVMGetFirstFunction(r->llvm); it; it = LLVMGetNextFunction(it)) read_function(r, it);
  for (it = LLVMGetFirstGlobal(r->llvm); it; it = LLVMGetNextGlobal(it)) read_global(r, it);
}

static bool load(BitcodeReader *r, LLVMContextRef context, const InFile *files, uint32_t n, Err *err) {
  if (!bitcode_link_all(context, files, n, &r->llvm, err)) return false;
  if (LLVMPointerSize(LLVMGetModuleDataLayout(r->llvm)) != 8)
    return err_set(err, ERR_INPUT, "%.300s: it is for a machine whose addresses do not have 64 bits", files[0].name);
  if (!prepare_module(r->heap, &files[0], r->llvm, add_cxx_lack, r, err)) return false;
  r->layout = LLVMGetModuleDataLayout(r->llvm);
  return true;
}

bool bitcode_read(const InFile *files, uint32_t n, CModule *module, Err *err) {
  const LLVMContextRef context = LLVMContextCreate();
  BitcodeReader r = {.m = module, .heap = module->heap};
  intern_init(&r.keys, r.heap);
  intern_init(&r.files, r.heap);
  file_number(&r, files[0].name, strlen(files[0].name), NULL, 0);
  const bool good = load(&r, context, files, n, err);
  if (good) read_module(&r);
  intern_fini(&r.keys);
  intern_fini(&r.files);
  vec_fini(r.heap, &r.ids);
  vec_fini(r.heap, &r.key);
  demangler_fini(&r.demangler);
  if (good) LLVMDisposeModule(r.llvm);
  LLVMContextDispose(context);
  if (good) cmodule_finish(module);
  return good;
}
