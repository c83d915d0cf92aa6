#include "frontend/c/bitcode.h"

#include "base/demangle.h"
#include "base/here.h"
#include "base/intern.h"
#include "frontend/c/prepare.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Object.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include <string.h>

#if LLVM_VERSION_MAJOR < 15
#define ELEMENT LLVMGetElementAsConstant
#else
#define ELEMENT LLVMGetAggregateElement
#endif

typedef struct {
  CModule *m;
  Heap *heap;
  LLVMModuleRef llvm;
  LLVMTargetDataRef layout;
  Intern keys; /* LLVM's pointers, as bytes: */
  U32Vec ids;  /* what has which number in the module */
  Intern files;
  CharVec key; /* of one of these */
  Demangler demangler;
  bool strange; /* an operand was met that is not understood */
} Reader;

/* ---- which LLVM value is which number ---- */

static void bind(Reader *r, const void *key, uint32_t id) {
  const uint32_t number = intern_add(&r->keys, (const char *)&key, sizeof key, NULL);
  if (number == r->ids.n) vec_push(r->heap, &r->ids, id);
  else r->ids.at[number] = id;
}

static uint32_t bound(const Reader *r, const void *key) {
  const uint32_t number = intern_find(&r->keys, (const char *)&key, sizeof key);
  return number == INTERN_NONE ? C_NONE : r->ids.at[number];
}

static const char *name_of(Reader *r, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return arena_copy(&r->m->arena, name, length);
}

/* A name of C++ as it is in the source; any other one as it is. */
static const char *shown_of(Reader *r, const char *name) {
  char shown[1024];
  return demangle(&r->demangler, name, shown, sizeof shown) ? arena_copy(&r->m->arena, shown, strlen(shown)) : name;
}

/* ---- places ---- */

static void add_text(Reader *r, const char *text, size_t length) {
  vec_reserve(r->heap, &r->key, length + 1);
  if (length) memcpy(r->key.at + r->key.n, text, length);
  r->key.n += (uint32_t)length;
  r->key.at[r->key.n++] = '\0';
}

/* The name and the folder, which may be "", have no NUL, as LLVM has them. Two files may have one name in the module.
 */
static uint32_t file_number(Reader *r, const char *name, size_t length, const char *folder, size_t folder_length) {
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

static CPlace place_of(Reader *r, LLVMValueRef value) {
  unsigned length = 0, folder_length = 0;
  const char *file = LLVMGetDebugLocFilename(value, &length);
  const char *folder = LLVMGetDebugLocDirectory(value, &folder_length);
  if (!file || !length) return (CPlace){0, 0, 0};
  const unsigned column = LLVMIsAInstruction(value) ? LLVMGetDebugLocColumn(value) : 0;
  return (CPlace){file_number(r, file, length, folder, folder ? folder_length : 0), LLVMGetDebugLocLine(value), column};
}

/* ---- constants ---- */

static COperand operand_of(Reader *r, LLVMValueRef value);

static COperand integer(int64_t number) { return (COperand){C_INTEGER, C_NONE, number}; }
static COperand anything(void) { return (COperand){C_ANYTHING, C_NONE, 0}; }

static COperand unknown(Reader *r) {
  r->strange = true;
  return anything();
}

/* One index of an address: how many bytes it adds where it is constant, else per step. */
typedef struct {
  LLVMTypeRef type; /* that the next index is into */
  int64_t bytes;
  bool constant;
} Index;

static Index index_of(Reader *r, LLVMTypeRef type, LLVMValueRef index, bool first) {
  const bool constant = LLVMIsAConstantInt(index) != NULL;
  const int64_t number = constant ? LLVMConstIntGetSExtValue(index) : 0;
  if (!first && LLVMGetTypeKind(type) == LLVMStructTypeKind)
    return (Index){LLVMStructGetTypeAtIndex(type, (unsigned)number),
                   (int64_t)LLVMOffsetOfElement(r->layout, type, (unsigned)number), true};
  const LLVMTypeRef element = first ? type : LLVMGetElementType(type);
  const int64_t size = (int64_t)LLVMABISizeOfType(r->layout, element);
  return (Index){element, constant ? number * size : size, constant};
}

static COperand constant_offset(Reader *r, LLVMValueRef value) {
  COperand base = operand_of(r, LLVMGetOperand(value, 0));
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  for (int i = 1; i < LLVMGetNumOperands(value); i++) {
    const Index index = index_of(r, type, LLVMGetOperand(value, (unsigned)i), i == 1);
    if (!index.constant) return unknown(r);
    base.number += index.bytes;
    type = index.type;
  }
  return base.kind == C_GLOBAL ? base : unknown(r);
}

static COperand constant_expression(Reader *r, LLVMValueRef value) {
  switch ((int)LLVMGetConstOpcode(value)) {
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt: return operand_of(r, LLVMGetOperand(value, 0));
  case LLVMGetElementPtr: return constant_offset(r, value);
  default: return unknown(r);
  }
}

/* Addresses in a constant that is used as a whole are not followed. */
static COperand aggregate(Reader *r, LLVMValueRef value) {
  for (int i = 0; i < LLVMGetNumOperands(value); i++) {
    const COperand part = operand_of(r, LLVMGetOperand(value, (unsigned)i));
    if (part.kind == C_GLOBAL || part.kind == C_FUNCTION) r->strange = true;
  }
  return anything();
}

static COperand integer_of(LLVMValueRef value) {
  const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (width == 1) return integer((int64_t)LLVMConstIntGetZExtValue(value)); /* a truth value */
  return width <= 64 ? integer(LLVMConstIntGetSExtValue(value)) : anything();
}

static COperand operand_of(Reader *r, LLVMValueRef value) {
  if (LLVMIsAConstantInt(value)) return integer_of(value);
  if (LLVMIsAConstantPointerNull(value)) return integer(0);
  if (LLVMIsAFunction(value)) return (COperand){C_FUNCTION, bound(r, value), 0};
  if (LLVMIsAGlobalVariable(value)) return (COperand){C_GLOBAL, bound(r, value), 0};
  if (LLVMIsAGlobalAlias(value)) return operand_of(r, LLVMAliasGetAliasee(value));
  if (LLVMIsAConstantExpr(value)) return constant_expression(r, value);
  if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) || LLVMIsAConstantVector(value))
    return aggregate(r, value);
  if (LLVMIsABlockAddress(value)) return unknown(r);
  if (LLVMIsAConstant(value)) return anything(); /* floating point, undefined, zero of any type */
  const uint32_t number = bound(r, value);
  return number == C_NONE ? unknown(r) : (COperand){C_VALUE, number, 0};
}

/* ---- instructions ---- */

static CInstruction *last(Reader *r) { return &vec_last(&r->m->instructions); }

static void push_from(Reader *r, COperand operand, uint32_t source) {
  vec_push(r->heap, &r->m->operands, operand);
  vec_push(r->heap, &r->m->sources, source);
  last(r)->n_operands++;
}

static void push(Reader *r, LLVMValueRef value) { push_from(r, operand_of(r, value), C_NONE); }

static void push_all(Reader *r, LLVMValueRef value) {
  for (int i = 0; i < LLVMGetNumOperands(value); i++) push(r, LLVMGetOperand(value, (unsigned)i));
}

static uint64_t size_of(Reader *r, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(r->layout, type) : 0;
}

/* Does it lie where words of its size lie? */
static bool is_aligned(LLVMValueRef access, uint64_t size) {
  return size && LLVMGetAlignment(access) >= (size < 8 ? size : 8);
}

static uint64_t size_of_value(Reader *r, LLVMValueRef value) { return size_of(r, LLVMTypeOf(value)); }

static void be_strange(Reader *r, const char *text) {
  last(r)->kind = C_STRANGE;
  last(r)->text = arena_copy(&r->m->arena, text, strlen(text));
}

static void read_allocate(Reader *r, LLVMValueRef value) {
  const LLVMValueRef count = LLVMGetOperand(value, 0);
  last(r)->kind = C_ALLOCATE;
  last(r)->size = LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(value));
  if (LLVMIsAConstantInt(count)) last(r)->size *= LLVMConstIntGetZExtValue(count);
  else last(r)->size = 0;
  last(r)->text = name_of(r, value);
}

/* As which member of a structure an address is computed: 0: as none; 1; -1: as the last one. */
static int member_of(Reader *r, LLVMValueRef address) {
  if (!LLVMIsAGetElementPtrInst(address) &&
      (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMGetElementPtr))
    return 0;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  const int n = LLVMGetNumOperands(address) - 1;
  for (int i = 1; i < n; i++) type = index_of(r, type, LLVMGetOperand(address, (unsigned)i), i == 1).type;
  if (n < 2 || LLVMGetTypeKind(type) != LLVMStructTypeKind) return 0;
  return LLVMConstIntGetZExtValue(LLVMGetOperand(address, (unsigned)n)) + 1 == LLVMCountStructElementTypes(type) ? -1
                                                                                                                 : 1;
}

/* Of the last of the indices: how many elements the array has that it is into (COperand.number). */
static int64_t elements_of(Reader *r, LLVMValueRef value, LLVMTypeRef type, int i) {
  if (i != 2 || LLVMGetNumOperands(value) != 3 || LLVMGetTypeKind(type) != LLVMArrayTypeKind) return 0;
  const int64_t elements = (int64_t)LLVMGetArrayLength(type);
  return elements > 1 ? elements * member_of(r, LLVMGetOperand(value, 0)) : 0;
}

static void read_offset(Reader *r, LLVMValueRef value) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  last(r)->kind = C_OFFSET;
  last(r)->is_signed = LLVMIsInBounds(value);
  push(r, LLVMGetOperand(value, 0));
  for (int i = 1; i < LLVMGetNumOperands(value); i++) {
    const Index index = index_of(r, type, LLVMGetOperand(value, (unsigned)i), i == 1);
    if (index.constant) {
      last(r)->number += index.bytes;
    } else {
      COperand operand = operand_of(r, LLVMGetOperand(value, (unsigned)i));
      if (operand.kind == C_VALUE) operand.number = elements_of(r, value, type, i);
      push_from(r, operand, C_NONE);
      push_from(r, integer(index.bytes), C_NONE);
    }
    type = index.type;
  }
}

/* The bits of an integer, or an address; 0 of anything else. */
static uint64_t bits_of(LLVMValueRef value) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 64 ? LLVMGetIntTypeWidth(type) : 0;
  case LLVMPointerTypeKind: return 64;
  default: return 0;
  }
}

static void read_merge(Reader *r, LLVMValueRef value) {
  last(r)->kind = C_MERGE;
  last(r)->size = bits_of(value);
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
    push_from(r, operand_of(r, LLVMGetIncomingValue(value, i)), bound(r, LLVMGetIncomingBlock(value, i)));
}

static void read_compare(Reader *r, LLVMValueRef value) {
  static const CRelation RELATIONS[] = {
      [LLVMIntEQ] = C_EQUAL,    [LLVMIntNE] = C_UNEQUAL,        [LLVMIntSLT] = C_LESS,      [LLVMIntSLE] = C_LESS_EQUAL,
      [LLVMIntSGT] = C_GREATER, [LLVMIntSGE] = C_GREATER_EQUAL, [LLVMIntUGT] = C_OTHERWISE, [LLVMIntUGE] = C_OTHERWISE,
      [LLVMIntULT] = C_BELOW,   [LLVMIntULE] = C_OTHERWISE,
  };
  static const CRelation OF_ADDRESSES[] = {
      [LLVMIntEQ] = C_EQUAL,      [LLVMIntNE] = C_UNEQUAL,        [LLVMIntSLT] = C_OTHERWISE,
      [LLVMIntSLE] = C_OTHERWISE, [LLVMIntSGT] = C_OTHERWISE,     [LLVMIntSGE] = C_OTHERWISE,
      [LLVMIntUGT] = C_GREATER,   [LLVMIntUGE] = C_GREATER_EQUAL, [LLVMIntULT] = C_LESS,
      [LLVMIntULE] = C_LESS_EQUAL};
  const bool addresses = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMPointerTypeKind;
  last(r)->kind = C_COMPARE;
  last(r)->number = (addresses ? OF_ADDRESSES : RELATIONS)[LLVMGetICmpPredicate(value)];
  last(r)->is_signed = !addresses;
  if (last(r)->number > C_UNEQUAL && bits_of(LLVMGetOperand(value, 0)) < 8) last(r)->number = C_OTHERWISE;
  push_all(r, value);
}

/* What is in no block cannot be given back. */
static void remove_copy(LLVMValueRef value, LLVMValueRef copy) {
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
  LLVMPositionBuilderBefore(builder, value);
  LLVMInsertIntoBuilder(builder, copy);
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(copy);
}

/* Is it arithmetic that must not wrap as one of numbers with a sign? LLVM says so in its text alone: in that of a copy
 * of its own, which has no names in it. */
static bool is_signed(LLVMValueRef value) {
  const LLVMValueRef copy = LLVMInstructionClone(value);
  LLVMInstructionSetDebugLoc(copy, NULL);
  for (int i = 0; i < LLVMGetNumOperands(copy); i++)
    LLVMSetOperand(copy, (unsigned)i, LLVMGetUndef(LLVMTypeOf(LLVMGetOperand(copy, (unsigned)i))));
  char *text = LLVMPrintValueToString(copy);
  const bool found = strstr(text, " nsw ") != NULL;
  LLVMDisposeMessage(text);
  remove_copy(value, copy);
  return found;
}

static void read_mix(Reader *r, LLVMValueRef value, CMix mix) {
  last(r)->number = mix;
  last(r)->size = bits_of(value);
  push_all(r, value);
}

/* "not" of a truth value is a comparison with false. */
static void read_xor(Reader *r, LLVMValueRef value) {
  const LLVMValueRef mask = LLVMGetOperand(value, 1);
  const LLVMTypeRef type = LLVMTypeOf(value);
  const bool truth = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
  if (!truth || !LLVMIsAConstantInt(mask) || !LLVMConstIntGetZExtValue(mask)) {
    read_mix(r, value, C_MIX_XOR);
    return;
  }
  last(r)->kind = C_COMPARE;
  last(r)->number = C_EQUAL;
  push(r, LLVMGetOperand(value, 0));
  push_from(r, integer(0), C_NONE);
}

/* One more, one less: of a number or of an address. */
static void read_sum(Reader *r, LLVMValueRef value, int64_t sign) {
  const LLVMValueRef number = LLVMGetOperand(value, 1);
  const int64_t most = INT32_MAX;
  last(r)->is_signed = is_signed(value);
  if (!LLVMIsAConstantInt(number) || LLVMGetIntTypeWidth(LLVMTypeOf(number)) > 64 ||
      LLVMConstIntGetSExtValue(number) > most || LLVMConstIntGetSExtValue(number) < -most) {
    read_mix(r, value, sign > 0 ? C_MIX_ADD : C_MIX_SUBTRACT);
    return;
  }
  last(r)->kind = C_OFFSET;
  last(r)->size = bits_of(value);
  last(r)->number = sign * LLVMConstIntGetSExtValue(number);
  push(r, LLVMGetOperand(value, 0));
}

/* A number in memory of so many bits has as many bytes as one of more. */
static bool is_odd(uint64_t bits) { return bits > 8 && bits != 16 && bits != 32 && bits != 64; }

static void read_trunc(Reader *r, LLVMValueRef value) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  last(r)->kind = C_SAME;
  last(r)->number = LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 8;
  last(r)->is_cut = true;
  last(r)->size = bits_of(value);
  push_all(r, value);
}

static void read_pick(Reader *r, LLVMValueRef value) {
  const LLVMValueRef from = LLVMGetOperand(value, 0);
  const bool swap = LLVMIsAInstruction(from) && LLVMGetInstructionOpcode(from) == LLVMAtomicCmpXchg;
  last(r)->kind = swap ? C_PICK : C_SAME;
  if (swap) last(r)->number = *LLVMGetIndices(value);
  push_all(r, value);
}

static CUpdate update_of(LLVMValueRef value) {
  switch ((int)LLVMGetAtomicRMWBinOp(value)) {
  case LLVMAtomicRMWBinOpXchg: return C_UPDATE_EXCHANGE;
  case LLVMAtomicRMWBinOpAdd: return C_UPDATE_ADD;
  case LLVMAtomicRMWBinOpSub: return C_UPDATE_SUBTRACT;
  default: return C_UPDATE_SOMEHOW;
  }
}

static void read_update(Reader *r, LLVMValueRef value) {
  last(r)->kind = C_UPDATE;
  last(r)->size = size_of_value(r, value);
  last(r)->number = update_of(value);
  push_all(r, value);
}

static void read_swap(Reader *r, LLVMValueRef value) {
  last(r)->kind = C_SWAP;
  last(r)->size = size_of_value(r, LLVMGetOperand(value, 1));
  last(r)->number = LLVMGetWeak(value);
  push_all(r, value);
}

static bool starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* What is said to the optimiser and the debugger alone. */
static bool is_remark(const char *name) {
  return starts(name, "llvm.dbg.") || starts(name, "llvm.lifetime.") || starts(name, "llvm.assume") ||
         starts(name, "llvm.donothing") || starts(name, "llvm.experimental.noalias") ||
         starts(name, "llvm.prefetch.") || starts(name, "llvm.sideeffect") || starts(name, "llvm.invariant.");
}

/* What gives the address that it is given, for the optimiser (threads' variables: LLVM 16). */
static bool is_address(const char *name) {
  return starts(name, "llvm.threadlocal.address") || starts(name, "llvm.launder.invariant.group") ||
         starts(name, "llvm.strip.invariant.group");
}

/* What only computes. */
static bool is_pure(const char *name) {
  static const char *const PURE[] = {
      "abs.",        "smax.",        "smin.",    "umax.",    "umin.",         "bswap.",      "ctpop.", "ctlz.",
      "cttz.",       "fabs.",        "sqrt.",    "floor.",   "ceil.",         "pow.",        "exp.",   "log.",
      "sin.",        "cos.",         "fmuladd.", "fma.",     "expect.",       "fshl.",       "fshr.",  "copysign.",
      "objectsize.", "is.constant.", "maxnum.",  "minnum.",  "round.",        "trunc.",      "rint.",  "sadd.",
      "uadd.",       "ssub.",        "usub.",    "smul.",    "umul.",         "nearbyint.",  "exp2.",  "exp10.",
      "log2.",       "log10.",       "powi.",    "tan.",     "lround.",       "llround.",    "lrint.", "llrint.",
      "roundeven.",  "bitreverse.",  "minimum.", "maximum.", "canonicalize.", "is.fpclass.", "ldexp.", "fptosi.sat.",
      "fptoui.sat.", "scmp.",        "ucmp.",    NULL};
  if (!starts(name, "llvm.")) return false;
  for (const char *const *p = PURE; *p; p++)
    if (starts(name + 5, *p)) return true;
  return false;
}

static void read_bytes(Reader *r, LLVMValueRef value, CKind kind) {
  const LLVMValueRef size = LLVMGetOperand(value, 2);
  last(r)->kind = kind;
  last(r)->size = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
  push(r, LLVMGetOperand(value, 0));
  push(r, LLVMGetOperand(value, 1));
}

/* The next text in quotes, which ends there; *at goes behind it. "" if there is none. */
static const char *next_quoted(char **at) {
  char *start = strchr(*at, '"'), *end = start ? strchr(start + 1, '"') : NULL;
  if (!end) return "";
  *end = '\0';
  *at = end + 1;
  return start + 1;
}

/* Is it done by registers and constants alone? Whatever memory it uses besides it says by a clobber. */
static bool uses_registers(const char *constraints) {
  for (const char *at = constraints; *at;) {
    const size_t length = strcspn(at, ",");
    const bool clobbers = *at == '~';
    if (clobbers ? strncmp(at, "~{memory}", length) == 0 : strspn(at, "=&rabcdSDAqQinIJ0123456789") < length)
      return false;
    at += length + (at[length] == ',');
  }
  return true;
}

/* Assembler that does nothing to memory: what only computes, or waits, or keeps the compiler from moving accesses. */
static bool is_silent_assembler(LLVMValueRef assembler) {
  static const char *const NOTHING[] = {"", "nop", "pause", "rep; nop", "rep;nop", "mfence", "lfence", "sfence"};
  char *text = LLVMPrintValueToString(assembler), *at = text;
  const char *code = next_quoted(&at), *constraints = next_quoted(&at);
  bool silent = uses_registers(constraints);
  for (size_t i = 0; i < sizeof NOTHING / sizeof *NOTHING; i++) silent |= strcmp(code, NOTHING[i]) == 0;
  LLVMDisposeMessage(text);
  return silent;
}

static void read_call(Reader *r, LLVMValueRef value) {
  const LLVMValueRef callee = LLVMGetCalledValue(value);
  const char *name = LLVMIsAFunction(callee) ? name_of(r, callee) : "";
  if (LLVMIsAInlineAsm(callee)) {
    if (is_silent_assembler(callee)) last(r)->kind = C_MIX;
    else be_strange(r, "assembler");
    for (unsigned i = 0; i < LLVMGetNumArgOperands(value); i++) push(r, LLVMGetOperand(value, i));
  } else if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove.")) {
    read_bytes(r, value, C_COPY);
  } else if (starts(name, "llvm.memset.")) {
    read_bytes(r, value, C_FILL);
  } else if (is_address(name)) {
    last(r)->kind = C_SAME;
    push(r, LLVMGetOperand(value, 0));
  } else {
    last(r)->kind = is_pure(name) ? C_MIX : C_CALL;
    if (last(r)->kind == C_CALL) last(r)->size = bits_of(value), push(r, callee);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(value); i++) push(r, LLVMGetOperand(value, i));
  }
}

static void read_terminator(Reader *r, LLVMValueRef value, CKind kind) {
  last(r)->kind = kind;
  if (kind != C_GOTO) push(r, LLVMGetOperand(value, 0));
  if (kind != C_SWITCH) return;
  for (int i = 2; i < LLVMGetNumOperands(value); i += 2) push(r, LLVMGetOperand(value, (unsigned)i));
}

/* Fills the last instruction, which is empty. */
static void read_as(Reader *r, LLVMValueRef value) {
  switch ((int)LLVMGetInstructionOpcode(value)) {
  case LLVMAlloca: read_allocate(r, value); break;
  case LLVMLoad:
    last(r)->kind = C_LOAD;
    last(r)->is_atomic = LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    last(r)->size = size_of_value(r, value);
    last(r)->number = !is_aligned(value, last(r)->size);
    push_all(r, value);
    break;
  case LLVMStore:
    last(r)->kind = C_STORE;
    last(r)->is_atomic = LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    last(r)->size = size_of_value(r, LLVMGetOperand(value, 0));
    last(r)->number = !is_aligned(value, last(r)->size);
    push_all(r, value);
    break;
  case LLVMAtomicRMW: read_update(r, value); break;
  case LLVMAtomicCmpXchg: read_swap(r, value); break;
  case LLVMGetElementPtr: read_offset(r, value); break;
  case LLVMPHI: read_merge(r, value); break;
  case LLVMICmp: read_compare(r, value); break;
  case LLVMXor: read_xor(r, value); break;
  case LLVMAdd: read_sum(r, value, 1); break;
  case LLVMSub: read_sum(r, value, -1); break;
  case LLVMExtractValue: read_pick(r, value); break;
  case LLVMCall: read_call(r, value); break;
  case LLVMSelect:
    last(r)->kind = C_SELECT;
    last(r)->size = bits_of(value);
    push_all(r, value);
    break;
  case LLVMRet:
    last(r)->kind = C_RETURN;
    push_all(r, value);
    break;
  case LLVMBr: read_terminator(r, value, LLVMIsConditional(value) ? C_BRANCH : C_GOTO); break;
  case LLVMSwitch: read_terminator(r, value, C_SWITCH); break;
  case LLVMUnreachable: last(r)->kind = C_STOP; break;
  case LLVMTrunc: read_trunc(r, value); break;
  case LLVMSExt: /* of a truth value: 0 or -1 */
    last(r)->is_cut = bits_of(LLVMGetOperand(value, 0)) < 32;
    last(r)->kind = bits_of(LLVMGetOperand(value, 0)) >= 8 ? C_SAME : C_MIX;
    last(r)->size = last(r)->kind == C_SAME ? bits_of(value) : 0;
    last(r)->is_signed = last(r)->kind == C_SAME;
    push_all(r, value);
    break;
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMZExt:
  case LLVMFreeze:
    last(r)->kind = C_SAME;
    last(r)->is_cut = bits_of(LLVMGetOperand(value, 0)) < 32 || bits_of(LLVMGetOperand(value, 0)) > bits_of(value);
    last(r)->size = bits_of(value);
    last(r)->is_signed = last(r)->size && last(r)->size == bits_of(LLVMGetOperand(value, 0));
    last(r)->number = is_odd(bits_of(LLVMGetOperand(value, 0)));
    push_all(r, value);
    break;
  case LLVMInsertValue: last(r)->kind = C_SAME, push_all(r, value); break;
  case LLVMAnd: read_mix(r, value, C_MIX_AND); break;
  case LLVMLShr:
  case LLVMAShr: read_mix(r, value, C_MIX_SHIFT); break;
  case LLVMMul:
    last(r)->is_signed = is_signed(value);
    read_mix(r, value, C_MIX_MULTIPLY);
    break;
  case LLVMSDiv:
  case LLVMUDiv:
    last(r)->is_signed = LLVMGetInstructionOpcode(value) == LLVMSDiv;
    read_mix(r, value, C_MIX_DIVIDE);
    break;
  case LLVMSRem:
  case LLVMURem:
    last(r)->is_signed = LLVMGetInstructionOpcode(value) == LLVMSRem;
    read_mix(r, value, C_MIX_REMAINDER);
    break;
  case LLVMFence: last(r)->kind = C_MIX; break;
  case LLVMInvoke:
  case LLVMLandingPad:
  case LLVMResume:
  case LLVMIndirectBr:
  case LLVMCallBr:
  case LLVMVAArg: be_strange(r, "an instruction that is not understood"); break;
  default: last(r)->kind = C_MIX, push_all(r, value); break; /* arithmetic, vectors */
  }
}

static bool is_terminator(LLVMValueRef value) { return LLVMIsATerminatorInst(value) != NULL; }

static bool is_left_out(LLVMValueRef value) {
  if (LLVMGetInstructionOpcode(value) != LLVMCall) return false;
  const LLVMValueRef callee = LLVMGetCalledValue(value);
  size_t length;
  return LLVMIsAFunction(callee) && is_remark(LLVMGetValueName2(callee, &length));
}

/* Its operands come later: they may be numbers that come later. */
static void add_instruction(Reader *r, LLVMValueRef value, uint32_t block) {
  const CInstruction it = {.kind = C_MIX, .block = block, .text = "", .place = place_of(r, value)};
  bind(r, value, r->m->instructions.n);
  vec_push(r->heap, &r->m->instructions, it);
}

static void add_successors(Reader *r, LLVMValueRef terminator, CBlock *block) {
  block->successors = r->m->successors.n;
  block->n_successors = LLVMGetNumSuccessors(terminator);
  for (unsigned i = 0; i < block->n_successors; i++)
    vec_push(r->heap, &r->m->successors, bound(r, LLVMGetSuccessor(terminator, i)));
}

/* ---- functions ---- */

static void number_block(Reader *r, LLVMBasicBlockRef block, uint32_t number) {
  CBlock *b = &r->m->blocks.at[number];
  b->start = r->m->instructions.n;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (!is_left_out(i)) add_instruction(r, i, number);
  b->end = r->m->instructions.n;
}

static void number_function(Reader *r, LLVMValueRef function) {
  CFunction *f = &r->m->functions.at[bound(r, function)];
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
    last(r)->kind = C_PARAMETER;
    last(r)->size = bits_of(LLVMGetParam(function, i));
  }
  uint32_t number = f->blocks;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    number_block(r, b, number++);
  f->end = r->m->instructions.n;
}

/* The instruction's operands are the last ones of the module, so it is made a copy of, at the end, for a moment. */
static void read_instruction(Reader *r, LLVMValueRef value) {
  const uint32_t number = bound(r, value);
  vec_push(r->heap, &r->m->instructions, r->m->instructions.at[number]);
  last(r)->operands = r->m->operands.n;
  r->strange = false;
  read_as(r, value);
  if (r->strange) be_strange(r, "a constant that is not understood");
  if (is_terminator(value)) add_successors(r, value, &r->m->blocks.at[last(r)->block]);
  r->m->instructions.at[number] = *last(r);
  r->m->instructions.n--;
}

static void read_function(Reader *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (!is_left_out(i)) read_instruction(r, i);
}

/* ---- globals ---- */

static void read_initial(Reader *r, LLVMValueRef value, uint64_t offset);

static void read_parts(Reader *r, LLVMValueRef value, uint64_t offset) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    const LLVMValueRef part = LLVMGetOperand(value, i);
    const uint64_t at =
        is_struct ? LLVMOffsetOfElement(r->layout, type, i) : i * LLVMABISizeOfType(r->layout, LLVMTypeOf(part));
    read_initial(r, part, offset + at);
  }
}

static void read_numbers(Reader *r, LLVMValueRef value, uint64_t offset) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  const uint64_t size = LLVMABISizeOfType(r->layout, LLVMGetElementType(type));
  const unsigned n = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength(type) : LLVMGetVectorSize(type);
  for (unsigned i = 0; i < n; i++) read_initial(r, ELEMENT(value, i), offset + i * size);
}

static void read_initial(Reader *r, LLVMValueRef value, uint64_t offset) {
  if (LLVMIsAConstantAggregateZero(value)) return;
  if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value)) {
    read_parts(r, value, offset);
  } else if (LLVMIsAConstantDataSequential(value)) {
    if (!LLVMIsConstantString(value)) read_numbers(r, value, offset);
  } else {
    const COperand operand = operand_of(r, value);
    if (operand.kind != C_INTEGER || operand.number)
      vec_push(r->heap, &r->m->initials, ((CInitial){offset, size_of_value(r, value), operand}));
  }
}

static void read_global(Reader *r, LLVMValueRef global) {
  CGlobal *g = &r->m->globals.at[bound(r, global)];
  const LLVMValueRef value = LLVMGetInitializer(global);
  g->initials = r->m->initials.n;
  if (value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value)) {
    size_t length;
    const char *text = LLVMGetAsString(value, &length);
    g->string = arena_copy(&r->m->arena, text, strnlen(text, length));
  } else if (value) {
    read_initial(r, value, 0);
  }
  g->n_initials = r->m->initials.n - g->initials;
}

static void add_global(Reader *r, LLVMValueRef global) {
  const CGlobal g = {.name = shown_of(r, name_of(r, global)),
                     .size = size_of(r, LLVMGlobalGetValueType(global)),
                     .is_defined = LLVMGetInitializer(global) != NULL,
                     .is_constant = LLVMIsGlobalConstant(global),
                     .is_local = LLVMIsThreadLocal(global)};
  bind(r, global, r->m->globals.n);
  vec_push(r->heap, &r->m->globals, g);
}

static void add_function(Reader *r, LLVMValueRef function) {
  const char *name = name_of(r, function);
  const CFunction f = {.name = name,
                       .shown = shown_of(r, name),
                       .is_defined = !LLVMIsDeclaration(function),
                       .is_variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)),
                       .place = LLVMGetSubprogram(function) ? place_of(r, function) : (CPlace){0, 0, 0}};
  bind(r, function, r->m->functions.n);
  vec_push(r->heap, &r->m->functions, f);
}

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

/* What LLVM says of its own accord, the first of it. */
static void hear(LLVMDiagnosticInfoRef said, void *words) {
  char **first = words;
  if (!*first && LLVMGetDiagInfoSeverity(said) == LLVMDSError) *first = LLVMGetDiagInfoDescription(said);
}

/* The first one, with all others linked to it. */
static bool link_all(LLVMContextRef context, const InFile *files, uint32_t n, LLVMModuleRef *module, Err *err) {
  char *said = NULL;
  if (!parse(context, &files[0], module, err)) return false;
  LLVMContextSetDiagnosticHandler(context, hear, &said);
  for (uint32_t i = 1; i < n; i++) {
    LLVMModuleRef other;
    if (!parse(context, &files[i], &other, err)) return LLVMDisposeMessage(said), false;
    if (LLVMLinkModules2(*module, other)) return complain(&files[i], said, err); /* the other one is gone */
  }
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  LLVMDisposeMessage(said);
  return true;
}

/* ---- the whole ---- */

static void add_lack(Reader *r, LLVMValueRef function, const char *what) {
  const bool placed = function && LLVMGetSubprogram(function);
  vec_push(r->heap, &r->m->lacks, ((CLack){what, placed ? place_of(r, function) : (CPlace){0, 0, 0}}));
}

static void add_cxx_lack(void *reader, LLVMValueRef function, const char *what) { add_lack(reader, function, what); }

static void read_module(Reader *r) {
  LLVMValueRef it;
  for (it = LLVMGetFirstGlobal(r->llvm); it; it = LLVMGetNextGlobal(it)) add_global(r, it);
  for (it = LLVMGetFirstFunction(r->llvm); it; it = LLVMGetNextFunction(it)) add_function(r, it);
  for (it = LLVMGetFirstFunction(r->llvm); it; it = LLVMGetNextFunction(it)) number_function(r, it);
  for (it = LLVMGetFirstFunction(r->llvm); it; it = LLVMGetNextFunction(it)) read_function(r, it);
  for (it = LLVMGetFirstGlobal(r->llvm); it; it = LLVMGetNextGlobal(it)) read_global(r, it);
}

static bool load(Reader *r, LLVMContextRef context, const InFile *files, uint32_t n, Err *err) {
  if (!link_all(context, files, n, &r->llvm, err)) return false;
  if (!prepare_module(&files[0], r->llvm, add_cxx_lack, r, err)) return false;
  r->layout = LLVMGetModuleDataLayout(r->llvm);
  return true;
}

bool bitcode_read(const InFile *files, uint32_t n, CModule *module, Err *err) {
  const LLVMContextRef context = LLVMContextCreate();
  Reader r = {.m = module, .heap = module->heap};
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

bool bitcode_link(Heap *heap, const InFile *files, uint32_t n, CharVec *bytes, Err *err) {
  const LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  if (!link_all(context, files, n, &module, err)) return LLVMContextDispose(context), false;
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
