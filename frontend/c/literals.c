/* What is stored once more is there already, so that nothing changes but that there is one more write, at once behind
 * the copy: each run is one still. The local variable is nobody else's: its address goes nowhere but into loads, stores
 * and copies. A member is as a store has left it if each way to the copy, from where the function begins and from all
 * else that changes it, leads through that store. The value that was stored is the one that it would be at the copy:
 * what computes it comes before the store, so that no way leads from there to the copy but through the store. */
#include "frontend/c/literals.h"

#include "base/vec.h"
#include "frontend/c/members.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>

/* What changes the variable. */
typedef struct {
  LLVMValueRef at;
  uint64_t offset, end;
  bool is_store; /* of a member: from the one to the other */
} Change;

enum { MOST_BLOCKS = 1000 }; /* of a function that is looked through */

typedef struct {
  Heap *heap;
  LLVMTargetDataRef layout;
  VEC(Change) changes;
  VEC(LLVMBasicBlockRef) met; /* on ways */
} Lower;

/* ---- what lies in the variable ---- */

/* What is done with that address in it. False: not all of it is understood. */
static bool add_changes(Lower *l, LLVMValueRef address, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    Change c = {.at = user, .end = UINT64_MAX, .is_store = LLVMIsAStoreInst(user)};
    if (LLVMIsABitCastInst(user) || LLVMIsAGetElementPtrInst(user)) {
      if (!members_find(l->layout, user, variable, &c.offset) || !add_changes(l, user, variable)) return false;
      continue;
    }
    if (LLVMIsALoadInst(user) || (members_is_copy(user) && LLVMGetOperand(user, 0) != address)) continue;
    if (c.is_store) {
      if (LLVMGetOperand(user, 0) == address || !members_find(l->layout, address, variable, &c.offset)) return false;
      c.end = c.offset + LLVMStoreSizeOfType(l->layout, LLVMTypeOf(LLVMGetOperand(user, 0)));
    } else if (!members_is_copy(user) && !members_is_intrinsic(user, "llvm.memset.") &&
               !members_is_intrinsic(user, "llvm.lifetime.")) {
      return false;
    }
    vec_push(l->heap, &l->changes, c);
  }
  return true;
}

static void meet(Lower *l, LLVMBasicBlockRef block) {
  for (uint32_t k = 0; k < l->met.n; k++)
    if (l->met.at[k] == block) return;
  vec_push(l->heap, &l->met, block);
}

/* Does a way lead from the instruction, in its block, to that copy, and not through that store? Else its end is met. */
static bool goes_on_to(Lower *l, LLVMValueRef i, LLVMValueRef store, LLVMValueRef copy) {
  for (; i != store; i = LLVMGetNextInstruction(i)) {
    if (i == copy) return true;
    if (LLVMGetNextInstruction(i)) continue;
    for (unsigned n = 0; n < LLVMGetNumSuccessors(i); n++) meet(l, LLVMGetSuccessor(i, n));
    return false;
  }
  return false;
}

/* Does a way of any length? True, too, if there are too many. */
static bool leads_to(Lower *l, LLVMValueRef from, LLVMValueRef store, LLVMValueRef copy) {
  vec_clear(&l->met);
  bool leads = goes_on_to(l, from, store, copy);
  for (uint32_t k = 0; k < l->met.n && !leads; k++)
    leads = k == MOST_BLOCKS || goes_on_to(l, LLVMGetFirstInstruction(l->met.at[k]), store, copy);
  return leads;
}

/* Is the member, where it is copied, as this store has left it? */
static bool is_left(Lower *l, const Change *store, LLVMValueRef copy) {
  const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(copy)));
  bool left = !leads_to(l, LLVMGetFirstInstruction(entry), store->at, copy);
  for (uint32_t k = 0; k < l->changes.n && left; k++) {
    const Change *c = &l->changes.at[k];
    if (c != store && c->offset < store->end && store->offset < c->end)
      left = !leads_to(l, LLVMGetNextInstruction(c->at), store->at, copy);
  }
  return left;
}

/* ---- copies ---- */

/* The local variable that is copied as a whole; NULL: none is. */
static LLVMValueRef copied(Lower *l, LLVMValueRef copy) {
  LLVMValueRef from = LLVMGetOperand(copy, 1);
  const LLVMValueRef size = LLVMGetOperand(copy, 2);
  while (LLVMIsABitCastInst(from)) from = LLVMGetOperand(from, 0);
  if (!LLVMIsAAllocaInst(from) || !LLVMIsAConstantInt(size)) return NULL;
  const LLVMTypeRef type = LLVMGetAllocatedType(from);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind ||
      LLVMABISizeOfType(l->layout, type) != LLVMConstIntGetZExtValue(size))
    return NULL;
  vec_clear(&l->changes);
  return add_changes(l, from, from) ? from : NULL;
}

static void store_again(LLVMBuilderRef builder, LLVMValueRef copy, const Change *m) {
  const LLVMValueRef value = LLVMGetOperand(m->at, 0);
  const LLVMValueRef to = members_address(builder, LLVMGetOperand(copy, 0), m->offset, LLVMTypeOf(value));
  LLVMSetAlignment(LLVMBuildStore(builder, value, to), members_alignment(copy, 0, LLVMGetAlignment(m->at)));
}

static void lower_copy(Lower *l, LLVMValueRef copy) {
  const LLVMValueRef variable = copied(l, copy), next = LLVMGetNextInstruction(copy);
  if (!variable) return;
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(variable)));
  LLVMPositionBuilderBefore(builder, next);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
  for (uint32_t k = 0; k < l->changes.n; k++)
    if (l->changes.at[k].is_store && is_left(l, &l->changes.at[k], copy)) store_again(builder, copy, &l->changes.at[k]);
  LLVMDisposeBuilder(builder);
}

void literals_lower(Heap *heap, LLVMValueRef function) {
  Lower l = {.heap = heap, .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function))};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (members_is_copy(i)) lower_copy(&l, i);
    }
  vec_fini(heap, &l.changes);
  vec_fini(heap, &l.met);
}
