/* What is loaded from the original, behind the copy, and stored once more, is there already if nothing comes between:
 * each run is one still, with some reads and writes more, by which nothing depends less on anything. If another thread
 * writes to the original in between, or while it is copied, it may be something else; but what is known of a member,
 * wherever it is found, is shown of each write there that is not over by then, so of that one, too. What the thread
 * finds in its copy is then what one load has found (question.h). */
#include "frontend/c/copied.h"

#include "base/vec.h"
#include "frontend/c/members.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

typedef struct {
  uint64_t offset;
  LLVMValueRef load; /* one of it */
} Member;

enum { MOST_MEMBERS = 16, MOST_BYTES = 8 };

typedef struct {
  Heap *heap;
  LLVMTargetDataRef layout;
  VEC(Member) members;
} Lower;

/* ---- which members ---- */

static void add_member(Lower *l, LLVMValueRef load, uint64_t offset, uint64_t bytes) {
  const LLVMTypeRef type = LLVMTypeOf(load);
  const uint64_t size = LLVMStoreSizeOfType(l->layout, type);
  if (LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic || size > MOST_BYTES || offset + size > bytes) return;
  for (uint32_t k = 0; k < l->members.n; k++)
    if (l->members.at[k].offset == offset && LLVMTypeOf(l->members.at[k].load) == type) return;
  if (l->members.n < MOST_MEMBERS) vec_push(l->heap, &l->members, ((Member){offset, load}));
}

/* Those of the first bytes of the variable that are loaded, by that address or one that is computed from it. */
static void find_members(Lower *l, LLVMValueRef address, LLVMValueRef variable, uint64_t bytes) {
  uint64_t offset;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) && members_find(l->layout, address, variable, &offset))
      add_member(l, user, offset, bytes);
    if (LLVMIsABitCastInst(user) || LLVMIsAGetElementPtrInst(user)) find_members(l, user, variable, bytes);
  }
}

/* ---- copies ---- */

static LLVMValueRef behind_casts(LLVMValueRef address) {
  while (LLVMIsABitCastInst(address)) address = LLVMGetOperand(address, 0);
  return address;
}

/* The local variable that something else is copied to; NULL: it is no such copy. */
static LLVMValueRef variable_of(LLVMValueRef copy) {
  const LLVMValueRef to = behind_casts(LLVMGetOperand(copy, 0)), from = behind_casts(LLVMGetOperand(copy, 1));
  const bool is_one = LLVMIsAAllocaInst(to) && !LLVMIsAConstant(from) && LLVMIsAConstantInt(LLVMGetOperand(copy, 2));
  return is_one && LLVMGetTypeKind(LLVMGetAllocatedType(to)) == LLVMStructTypeKind ? to : NULL;
}

static void store_again(LLVMBuilderRef builder, LLVMValueRef copy, const Member *m) {
  const LLVMTypeRef type = LLVMTypeOf(m->load);
  const unsigned own = LLVMGetAlignment(m->load);
  const LLVMValueRef from = members_address(builder, LLVMGetOperand(copy, 1), m->offset, type);
  const LLVMValueRef value = LLVMBuildLoad2(builder, type, from, "");
  LLVMSetAlignment(value, members_alignment(copy, 1, own));
  const LLVMValueRef to = members_address(builder, LLVMGetOperand(copy, 0), m->offset, type);
  LLVMSetAlignment(LLVMBuildStore(builder, value, to), members_alignment(copy, 0, own));
}

static void lower_copy(Lower *l, LLVMValueRef copy) {
  const LLVMValueRef variable = variable_of(copy);
  if (!variable) return;
  vec_clear(&l->members);
  find_members(l, variable, variable, LLVMConstIntGetZExtValue(LLVMGetOperand(copy, 2)));
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(variable)));
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(copy));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
  for (uint32_t k = 0; k < l->members.n; k++) store_again(builder, copy, &l->members.at[k]);
  LLVMDisposeBuilder(builder);
}

/* What is copied on comes later, so that it is seen first. */
void copied_lower(Heap *heap, LLVMValueRef function) {
  Lower l = {.heap = heap, .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function))};
  for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(function); b; b = LLVMGetPreviousBasicBlock(b))
    for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i))
      if (members_is_copy(i)) lower_copy(&l, i);
  vec_fini(heap, &l.members);
}
