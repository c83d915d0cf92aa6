/* `args[i] = (Arg){.from = a, .to = b};` is a copy of all bytes: of its parts nothing is known but that. What each
 * member is stored as once more is the same again, so it changes nothing; but it says what threads read there
 * (question.h). */
#include "frontend/c/members.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <string.h>

/* Longer ones are copied, and no more. */
enum { MOST_MEMBERS = 32 };

static bool is_copy(LLVMValueRef i) {
  static const char NAME[] = "llvm.memcpy.";
  size_t length;
  if (LLVMGetInstructionOpcode(i) != LLVMCall) return false;
  const LLVMValueRef callee = LLVMGetCalledValue(i);
  return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), NAME, sizeof NAME - 1) == 0;
}

/* The address, as it was before it became that of bytes. */
static LLVMValueRef typed(LLVMValueRef address) {
  return LLVMIsABitCastInst(address) ? LLVMGetOperand(address, 0) : address;
}

/* The structure, where it is a local variable all of which is copied; else NULL. */
static LLVMTypeRef structure_of(LLVMModuleRef module, LLVMValueRef copy) {
  const LLVMValueRef from = typed(LLVMGetOperand(copy, 1)), size = LLVMGetOperand(copy, 2);
  if (!LLVMIsAAllocaInst(from) || !LLVMIsAConstantInt(size)) return NULL;
  const LLVMTypeRef type = LLVMGetAllocatedType(from);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) > MOST_MEMBERS ||
      LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type) != LLVMConstIntGetZExtValue(size))
    return NULL;
  return type;
}

static bool is_word(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

/* ---- what is in a member ---- */

/* Is the instruction the address of a member of the variable? *n: which one. */
static bool is_member(LLVMValueRef address, LLVMValueRef variable, uint64_t *n) {
  if (!LLVMIsAGetElementPtrInst(address) || LLVMGetOperand(address, 0) != variable ||
      LLVMGetNumOperands(address) != 3 || !LLVMIsAConstantInt(LLVMGetOperand(address, 2)))
    return false;
  *n = LLVMConstIntGetZExtValue(LLVMGetOperand(address, 2));
  return true;
}

/* Is all that is done with the address a load, or a store there? *store: the last one that was met; *several: there are
 * more. */
static bool is_accessed_only(LLVMValueRef address, LLVMValueRef *store, bool *several) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user)) continue;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == address) return false;
    *several |= *store != NULL;
    *store = user;
  }
  return true;
}

/* Does a call only copy from the address, or say that it is in use? */
static bool leaves_alone(LLVMValueRef user, LLVMValueRef address) {
  static const char LIFETIME[] = "llvm.lifetime.";
  size_t length;
  if (!LLVMIsACallInst(user)) return false;
  if (is_copy(user)) return LLVMGetOperand(user, 1) == address && LLVMGetOperand(user, 0) != address;
  const LLVMValueRef callee = LLVMGetCalledValue(user);
  return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), LIFETIME, sizeof LIFETIME - 1) == 0;
}

static bool are_alone(LLVMValueRef bytes) {
  for (LLVMUseRef use = LLVMGetFirstUse(bytes); use; use = LLVMGetNextUse(use))
    if (!leaves_alone(LLVMGetUser(use), bytes)) return false;
  return true;
}

/* The only store in member n of a variable that nobody else knows of; NULL: there is none, or it is not known. */
static LLVMValueRef store_in(LLVMValueRef variable, uint64_t n) {
  LLVMValueRef store = NULL;
  bool several = false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef other = NULL;
    bool any = false;
    uint64_t member;
    if (is_member(user, variable, &member)) {
      if (!is_accessed_only(user, member == n ? &store : &other, member == n ? &several : &any)) return NULL;
    } else if (LLVMIsABitCastInst(user) ? !are_alone(user) : !leaves_alone(user, variable)) {
      return NULL;
    }
  }
  return several ? NULL : store;
}

/* ---- is it stored on each way to the copy? ---- */

enum { MOST_BLOCKS = 1000 };

typedef struct {
  LLVMBasicBlockRef met[MOST_BLOCKS];
  unsigned n;
} Ways;

/* False: there are too many. */
static bool meet(Ways *ways, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < ways->n; i++)
    if (ways->met[i] == block) return true;
  if (ways->n == MOST_BLOCKS) return false;
  ways->met[ways->n++] = block;
  return true;
}

static bool comes_before(LLVMValueRef first, LLVMValueRef second) {
  for (; first; first = LLVMGetNextInstruction(first))
    if (first == second) return true;
  return false;
}

/* No way leads from the function's entry to the one without the other one. */
static bool is_always_before(LLVMValueRef first, LLVMValueRef second) {
  const LLVMBasicBlockRef here = LLVMGetInstructionParent(first), there = LLVMGetInstructionParent(second);
  Ways ways = {.n = 0};
  if (here == there) return comes_before(first, second);
  meet(&ways, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here)));
  for (unsigned i = 0; i < ways.n; i++) {
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(ways.met[i]);
    if (ways.met[i] == there) return false;
    for (unsigned k = 0; ways.met[i] != here && k < LLVMGetNumSuccessors(end); k++)
      if (!meet(&ways, LLVMGetSuccessor(end, k))) return false;
  }
  return true;
}

/* ---- the whole ---- */

static void store_members(LLVMBuilderRef builder, LLVMValueRef copy, LLVMTypeRef type) {
  const LLVMValueRef from = typed(LLVMGetOperand(copy, 1));
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(copy));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
  const LLVMValueRef to = LLVMBuildBitCast(builder, LLVMGetOperand(copy, 0), LLVMTypeOf(from), "");
  for (unsigned n = 0; n < LLVMCountStructElementTypes(type); n++) {
    const LLVMTypeRef member = LLVMStructGetTypeAtIndex(type, n);
    if (!is_word(member)) continue;
    const LLVMValueRef store = store_in(from, n);
    if (!store || !is_always_before(store, copy)) continue;
    const LLVMValueRef value = LLVMGetOperand(store, 0);
    if (LLVMTypeOf(value) != member) continue;
    LLVMBuildStore(builder, value, LLVMBuildStructGEP2(builder, type, to, n, ""));
  }
}

void members_store(struct LLVMOpaqueValue *function) {
  const LLVMModuleRef module = LLVMGetGlobalParent(function);
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      const LLVMTypeRef type = is_copy(i) ? structure_of(module, i) : NULL;
      if (type) store_members(builder, i, type);
    }
  LLVMDisposeBuilder(builder);
}
