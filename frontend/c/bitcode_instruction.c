/* What LLVM's instructions are in the module. */
#include "frontend/c/bitcode_inside.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <string.h>

/* ---- instructions ---- */

static void push_from(BitcodeReader *r, COperand operand, uint32_t source) {
  vec_push(r->heap, &r->m->operands, operand);
  vec_push(r->heap, &r->m->sources, source);
  bitcode_last(r)->n_operands++;
}

static void push(BitcodeReader *r, LLVMValueRef value) { push_from(r, bitcode_operand(r, value), C_NONE); }

static void push_all(BitcodeReader *r, LLVMValueRef value) {
  for (int i = 0; i < LLVMGetNumOperands(value); i++) push(r, LLVMGetOperand(value, (unsigned)i));
}

uint64_t bitcode_size(BitcodeReader *r, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(r->layout, type) : 0;
}

/* Does it lie where words of its size lie? */
static bool is_aligned(LLVMValueRef access, uint64_t size) {
  return size && LLVMGetAlignment(access) >= (size < 8 ? size : 8);
}

static uint64_t size_of_value(BitcodeReader *r, LLVMValueRef value) { return bitcode_size(r, LLVMTypeOf(value)); }

void bitcode_be_strange(BitcodeReader *r, const char *text) {
  bitcode_last(r)->kind = C_STRANGE;
  bitcode_last(r)->text = arena_copy(&r->m->arena, text, strlen(text));
}

static void read_allocate(BitcodeReader *r, LLVMValueRef value) {
  const LLVMValueRef count = LLVMGetOperand(value, 0);
  bitcode_last(r)->kind = C_ALLOCATE;
  bitcode_last(r)->size = LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(value));
  if (LLVMIsAConstantInt(count)) bitcode_last(r)->size *= LLVMConstIntGetZExtValue(count);
  else bitcode_last(r)->size = 0;
  bitcode_last(r)->text = bitcode_name(r, value);
}

/* Likewise of the address of a global, as that of a structure's first member, which has that type. */
static int first_member_of(LLVMValueRef global, LLVMTypeRef member) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  int place = 0;
  while (type != member && LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type)) {
    place = LLVMCountStructElementTypes(type) == 1 ? -1 : 1;
    type = LLVMStructGetTypeAtIndex(type, 0);
  }
  return type == member ? place : 0;
}

/* As which member of a structure, of that type, an address is computed: 0: as none; 1; -1: as the last one. */
static int member_of(BitcodeReader *r, LLVMValueRef address, LLVMTypeRef member) {
  if (LLVMIsAGlobalVariable(address)) return first_member_of(address, member);
  if (!LLVMIsAGetElementPtrInst(address) &&
      (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMGetElementPtr))
    return 0;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  const int n = LLVMGetNumOperands(address) - 1;
  for (int i = 1; i < n; i++) type = bitcode_index(r, type, LLVMGetOperand(address, (unsigned)i), i == 1).type;
  if (n < 2 || LLVMGetTypeKind(type) != LLVMStructTypeKind) return 0;
  const uint64_t place = LLVMConstIntGetZExtValue(LLVMGetOperand(address, (unsigned)n));
  if (LLVMStructGetTypeAtIndex(type, (unsigned)place) != member) return 0; /* it is in a union, say */
  return place + 1 == LLVMCountStructElementTypes(type) ? -1 : 1;
}

/* From what an address goes on: a structure, by one of its members, or an element of an array, by elements. */
static void read_base(BitcodeReader *r, LLVMValueRef value) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  const LLVMValueRef first = LLVMGetOperand(value, 1);
  const bool is_here = LLVMIsAConstantInt(first) && !LLVMConstIntGetZExtValue(first);
  const uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(r->layout, type) : 0;
  if (is_here && LLVMGetTypeKind(type) == LLVMStructTypeKind) bitcode_last(r)->structure = size;
  if (LLVMGetNumOperands(value) == 2) bitcode_last(r)->element = size;
  if (!is_here || LLVMGetNumOperands(value) != 3 || LLVMGetTypeKind(type) != LLVMArrayTypeKind ||
      LLVMGetArrayLength(type) < 2)
    return;
  bitcode_last(r)->array = size;
  bitcode_last(r)->element = size / LLVMGetArrayLength(type);
}

/* Of the last of the indices: how many elements the array has that it is into (COperand.number). */
static int64_t elements_of(BitcodeReader *r, LLVMValueRef value, LLVMTypeRef type, int i) {
  if (i != 2 || LLVMGetNumOperands(value) != 3 || LLVMGetTypeKind(type) != LLVMArrayTypeKind) return 0;
  const int64_t elements = (int64_t)LLVMGetArrayLength(type);
  return elements > 1 ? elements * member_of(r, LLVMGetOperand(value, 0), type) : 0;
}

static void read_offset(BitcodeReader *r, LLVMValueRef value) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  bitcode_last(r)->kind = C_OFFSET;
  bitcode_last(r)->is_signed = LLVMIsInBounds(value);
  read_base(r, value);
  push(r, LLVMGetOperand(value, 0));
  for (int i = 1; i < LLVMGetNumOperands(value); i++) {
    const BitcodeIndex index = bitcode_index(r, type, LLVMGetOperand(value, (unsigned)i), i == 1);
    if (index.constant) {
      bitcode_last(r)->number += index.bytes;
    } else {
      COperand operand = bitcode_operand(r, LLVMGetOperand(value, (unsigned)i));
      if (operand.kind == C_VALUE) operand.number = elements_of(r, value, type, i);
      push_from(r, operand, C_NONE);
      push_from(r, bitcode_integer(index.bytes), C_NONE);
    }
    type = index.type;
  }
}

/* The bits of an integer, or an address; 0 of anything else. */
uint64_t bitcode_bits(LLVMValueRef value) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 64 ? LLVMGetIntTypeWidth(type) : 0;
  case LLVMPointerTypeKind: return 64;
  default: return 0;
  }
}

static void read_merge(BitcodeReader *r, LLVMValueRef value) {
  bitcode_last(r)->kind = C_MERGE;
  bitcode_last(r)->size = bitcode_bits(value);
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
    push_from(r, bitcode_operand(r, LLVMGetIncomingValue(value, i)), bitcode_bound(r, LLVMGetIncomingBlock(value, i)));
}

static void read_compare(BitcodeReader *r, LLVMValueRef value) {
  static const CRelation RELATIONS[] = {
      [LLVMIntEQ] = C_EQUAL,    [LLVMIntNE] = C_UNEQUAL,        [LLVMIntSLT] = C_LESS,  [LLVMIntSLE] = C_LESS_EQUAL,
      [LLVMIntSGT] = C_GREATER, [LLVMIntSGE] = C_GREATER_EQUAL, [LLVMIntUGT] = C_ABOVE, [LLVMIntUGE] = C_ABOVE_EQUAL,
      [LLVMIntULT] = C_BELOW,   [LLVMIntULE] = C_BELOW_EQUAL,
  };
  static const CRelation OF_ADDRESSES[] = {
      [LLVMIntEQ] = C_EQUAL,      [LLVMIntNE] = C_UNEQUAL,        [LLVMIntSLT] = C_OTHERWISE,
      [LLVMIntSLE] = C_OTHERWISE, [LLVMIntSGT] = C_OTHERWISE,     [LLVMIntSGE] = C_OTHERWISE,
      [LLVMIntUGT] = C_GREATER,   [LLVMIntUGE] = C_GREATER_EQUAL, [LLVMIntULT] = C_LESS,
      [LLVMIntULE] = C_LESS_EQUAL};
  const bool addresses = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMPointerTypeKind;
  bitcode_last(r)->kind = C_COMPARE;
  bitcode_last(r)->number = (addresses ? OF_ADDRESSES : RELATIONS)[LLVMGetICmpPredicate(value)];
  bitcode_last(r)->is_signed = !addresses;
  if (bitcode_last(r)->number > C_UNEQUAL && bitcode_bits(LLVMGetOperand(value, 0)) < 8)
    bitcode_last(r)->number = C_OTHERWISE;
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

static void read_mix(BitcodeReader *r, LLVMValueRef value, CMix mix) {
  bitcode_last(r)->number = mix;
  bitcode_last(r)->size = bitcode_bits(value);
  push_all(r, value);
}

/* "not" of a truth value is a comparison with false. */
static void read_xor(BitcodeReader *r, LLVMValueRef value) {
  const LLVMValueRef mask = LLVMGetOperand(value, 1);
  const LLVMTypeRef type = LLVMTypeOf(value);
  const bool truth = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
  if (!truth || !LLVMIsAConstantInt(mask) || !LLVMConstIntGetZExtValue(mask)) {
    read_mix(r, value, C_MIX_XOR);
    return;
  }
  bitcode_last(r)->kind = C_COMPARE;
  bitcode_last(r)->number = C_EQUAL;
  push(r, LLVMGetOperand(value, 0));
  push_from(r, bitcode_integer(0), C_NONE);
}

/* One more, one less: of a number or of an address. */
static void read_sum(BitcodeReader *r, LLVMValueRef value, int64_t sign) {
  const LLVMValueRef number = LLVMGetOperand(value, 1);
  const int64_t most = INT32_MAX;
  bitcode_last(r)->is_signed = is_signed(value);
  if (!LLVMIsAConstantInt(number) || LLVMGetIntTypeWidth(LLVMTypeOf(number)) > 64 ||
      LLVMConstIntGetSExtValue(number) > most || LLVMConstIntGetSExtValue(number) < -most) {
    read_mix(r, value, sign > 0 ? C_MIX_ADD : C_MIX_SUBTRACT);
    return;
  }
  bitcode_last(r)->kind = C_OFFSET;
  bitcode_last(r)->size = bitcode_bits(value);
  bitcode_last(r)->number = sign * LLVMConstIntGetSExtValue(number);
  push(r, LLVMGetOperand(value, 0));
}

/* A number in memory of so many bits has as many bytes as one of more. */
static bool is_odd(uint64_t bits) { return bits > 8 && bits != 16 && bits != 32 && bits != 64; }

static void read_trunc(BitcodeReader *r, LLVMValueRef value) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  bitcode_last(r)->kind = C_SAME;
  bitcode_last(r)->number = LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 8;
  bitcode_last(r)->is_cut = true;
  bitcode_last(r)->size = bitcode_bits(value);
  push_all(r, value);
}

static void read_pick(BitcodeReader *r, LLVMValueRef value) {
  const LLVMValueRef from = LLVMGetOperand(value, 0);
  const bool swap = LLVMIsAInstruction(from) && LLVMGetInstructionOpcode(from) == LLVMAtomicCmpXchg;
  bitcode_last(r)->kind = swap ? C_PICK : C_SAME;
  if (swap) bitcode_last(r)->number = *LLVMGetIndices(value);
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

static void read_update(BitcodeReader *r, LLVMValueRef value) {
  bitcode_last(r)->kind = C_UPDATE;
  bitcode_last(r)->size = size_of_value(r, value);
  bitcode_last(r)->number = update_of(value);
  push_all(r, value);
}

static void read_swap(BitcodeReader *r, LLVMValueRef value) {
  bitcode_last(r)->kind = C_SWAP;
  bitcode_last(r)->size = size_of_value(r, LLVMGetOperand(value, 1));
  bitcode_last(r)->number = LLVMGetWeak(value);
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

static void read_bytes(BitcodeReader *r, LLVMValueRef value, CKind kind) {
  const LLVMValueRef size = LLVMGetOperand(value, 2);
  bitcode_last(r)->kind = kind;
  bitcode_last(r)->size = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
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

/* May a value of that type have an address in it? */
static bool has_address(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind: return false;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) >= 64;
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (has_address(LLVMStructGetTypeAtIndex(type, i))) return true;
    return false;
  default: return true;
  }
}

/* Assembler that does nothing to memory: what only computes, or waits, or keeps the compiler from moving accesses.
 * *computes: it does not only leave its operands as they are. */
static bool is_silent_assembler(LLVMValueRef assembler, bool *computes) {
  static const char *const NOTHING[] = {"", "nop", "pause", "rep; nop", "rep;nop", "mfence", "lfence", "sfence"};
  char *text = LLVMPrintValueToString(assembler), *at = text;
  const char *code = next_quoted(&at), *constraints = next_quoted(&at);
  const bool silent = uses_registers(constraints);
  *computes = true;
  for (size_t i = 0; i < sizeof NOTHING / sizeof *NOTHING; i++) *computes &= strcmp(code, NOTHING[i]) != 0;
  LLVMDisposeMessage(text);
  return silent || !*computes;
}

/* What it computes may be an address that is in its text, or in a register. */
static void read_assembler(BitcodeReader *r, LLVMValueRef value) {
  bool computes;
  if (is_silent_assembler(LLVMGetCalledValue(value), &computes)) {
    bitcode_last(r)->kind = C_MIX;
    bitcode_last(r)->is_free = true;
    bitcode_last(r)->is_unknown = computes && has_address(LLVMTypeOf(value));
  } else {
    bitcode_be_strange(r, "assembler");
  }
}

static void read_call(BitcodeReader *r, LLVMValueRef value) {
  const LLVMValueRef callee = LLVMGetCalledValue(value);
  const char *name = LLVMIsAFunction(callee) ? bitcode_name(r, callee) : "";
  if (LLVMIsAInlineAsm(callee)) {
    read_assembler(r, value);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(value); i++) push(r, LLVMGetOperand(value, i));
  } else if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove.")) {
    read_bytes(r, value, C_COPY);
  } else if (starts(name, "llvm.memset.")) {
    read_bytes(r, value, C_FILL);
  } else if (is_address(name)) {
    bitcode_last(r)->kind = C_SAME;
    push(r, LLVMGetOperand(value, 0));
  } else {
    bitcode_last(r)->kind = is_pure(name) ? C_MIX : C_CALL;
    if (bitcode_last(r)->kind == C_CALL) bitcode_last(r)->size = bitcode_bits(value), push(r, callee);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(value); i++) push(r, LLVMGetOperand(value, i));
  }
}

static void read_terminator(BitcodeReader *r, LLVMValueRef value, CKind kind) {
  bitcode_last(r)->kind = kind;
  if (kind != C_GOTO) push(r, LLVMGetOperand(value, 0));
  if (kind != C_SWITCH) return;
  for (int i = 2; i < LLVMGetNumOperands(value); i += 2) push(r, LLVMGetOperand(value, (unsigned)i));
}

/* Fills the last instruction, which is empty. */
void bitcode_instruction(BitcodeReader *r, LLVMValueRef value) {
  switch ((int)LLVMGetInstructionOpcode(value)) {
  case LLVMAlloca: read_allocate(r, value); break;
  case LLVMLoad:
    bitcode_last(r)->kind = C_LOAD;
    bitcode_last(r)->is_atomic = LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    bitcode_last(r)->size = size_of_value(r, value);
    bitcode_last(r)->number = !is_aligned(value, bitcode_last(r)->size);
    push_all(r, value);
    break;
  case LLVMStore:
    bitcode_last(r)->kind = C_STORE;
    bitcode_last(r)->is_atomic = LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    bitcode_last(r)->size = size_of_value(r, LLVMGetOperand(value, 0));
    bitcode_last(r)->number = !is_aligned(value, bitcode_last(r)->size);
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
    bitcode_last(r)->kind = C_SELECT;
    bitcode_last(r)->size = bitcode_bits(value);
    push_all(r, value);
    break;
  case LLVMRet:
    bitcode_last(r)->kind = C_RETURN;
    push_all(r, value);
    break;
  case LLVMBr: read_terminator(r, value, LLVMIsConditional(value) ? C_BRANCH : C_GOTO); break;
  case LLVMSwitch: read_terminator(r, value, C_SWITCH); break;
  case LLVMUnreachable: bitcode_last(r)->kind = C_STOP; break;
  case LLVMTrunc: read_trunc(r, value); break;
  case LLVMSExt: /* of a truth value: 0 or -1 */
    bitcode_last(r)->is_cut = bitcode_bits(LLVMGetOperand(value, 0)) < 32;
    bitcode_last(r)->kind = bitcode_bits(LLVMGetOperand(value, 0)) >= 8 ? C_SAME : C_MIX;
    bitcode_last(r)->size = bitcode_last(r)->kind == C_SAME ? bitcode_bits(value) : 0;
    bitcode_last(r)->is_signed = bitcode_last(r)->kind == C_SAME;
    push_all(r, value);
    break;
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMZExt:
  case LLVMFreeze:
    bitcode_last(r)->kind = C_SAME;
    bitcode_last(r)->is_cut =
        bitcode_bits(LLVMGetOperand(value, 0)) < 32 || bitcode_bits(LLVMGetOperand(value, 0)) > bitcode_bits(value);
    bitcode_last(r)->size = bitcode_bits(value);
    bitcode_last(r)->is_signed =
        bitcode_last(r)->size && bitcode_last(r)->size == bitcode_bits(LLVMGetOperand(value, 0));
    bitcode_last(r)->number = is_odd(bitcode_bits(LLVMGetOperand(value, 0)));
    push_all(r, value);
    break;
  case LLVMInsertValue: bitcode_last(r)->kind = C_SAME, push_all(r, value); break;
  case LLVMAnd: read_mix(r, value, C_MIX_AND); break;
  case LLVMLShr:
  case LLVMAShr:
    bitcode_last(r)->is_signed = LLVMGetInstructionOpcode(value) == LLVMAShr;
    read_mix(r, value, C_MIX_SHIFT);
    break;
  case LLVMMul:
    bitcode_last(r)->is_signed = is_signed(value);
    read_mix(r, value, C_MIX_MULTIPLY);
    break;
  case LLVMSDiv:
  case LLVMUDiv:
    bitcode_last(r)->is_signed = LLVMGetInstructionOpcode(value) == LLVMSDiv;
    read_mix(r, value, C_MIX_DIVIDE);
    break;
  case LLVMSRem:
  case LLVMURem:
    bitcode_last(r)->is_signed = LLVMGetInstructionOpcode(value) == LLVMSRem;
    read_mix(r, value, C_MIX_REMAINDER);
    break;
  case LLVMFence: bitcode_last(r)->kind = C_MIX; break;
  case LLVMInvoke:
  case LLVMLandingPad:
  case LLVMResume:
  case LLVMIndirectBr:
  case LLVMCallBr:
  case LLVMVAArg: bitcode_be_strange(r, "an instruction that is not understood"); break;
  default: bitcode_last(r)->kind = C_MIX, push_all(r, value); break; /* arithmetic, vectors */
  }
}

bool bitcode_is_remark(LLVMValueRef value) {
  if (LLVMGetInstructionOpcode(value) != LLVMCall) return false;
  const LLVMValueRef callee = LLVMGetCalledValue(value);
  size_t length;
  return LLVMIsAFunction(callee) && is_remark(LLVMGetValueName2(callee, &length));
}
