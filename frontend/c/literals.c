/* What is stored once more is there already, so that nothing changes but that there is one more write, at once behind
 * the copy: each run is one still. The local variable is nobody else's: its address goes nowhere but into loads, stores
 * and copies. So between a store to it and a copy of it in the same basic block, nothing changes what lies there but
 * what is there in the block. */
#include "frontend/c/literals.h"

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <string.h>

/* A member that has been stored. */
typedef struct {
  uint64_t offset, size;
  LLVMValueRef store;
} Member;

typedef struct {
  Heap *heap;
  LLVMTargetDataRef layout;
  VEC(Member) members; /* what lies in the variable */
} Lower;

/* ---- addresses ---- */

/* How far an address of a member is behind what it goes on from. False: it is none. */
static bool find_step(const Lower *l, LLVMValueRef address, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(address); n++) {
    const LLVMValueRef index = LLVMGetOperand(address, n);
    if (!LLVMIsAConstantInt(index)) return false;
    const uint64_t number = LLVMConstIntGetZExtValue(index);
    if (n == 1 && number) return false;
    if (n == 1) continue;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || number >= LLVMCountStructElementTypes(type)) return false;
    *offset += LLVMOffsetOfElement(l->layout, type, (unsigned)number);
    type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
  }
  return true;
}

/* Is it an address in that variable, and where? */
static bool find_place(const Lower *l, LLVMValueRef address, LLVMValueRef variable, uint64_t *offset) {
  *offset = 0;
  while (address != variable) {
    if (!LLVMIsABitCastInst(address) && !LLVMIsAGetElementPtrInst(address)) return false;
    if (LLVMIsAGetElementPtrInst(address) && !find_step(l, address, offset)) return false;
    address = LLVMGetOperand(address, 0);
  }
  return true;
}

/* What begins or ends the life of a variable, copies it, or fills it. */
static bool is_intrinsic(LLVMValueRef call, const char *name) {
  size_t length;
  const LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  return callee && LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), name, strlen(name)) == 0;
}

static bool is_copy(LLVMValueRef i) { return is_intrinsic(i, "llvm.memcpy."); }

/* Does its address go into nothing but loads, stores and copies? */
static bool is_own(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    const bool goes_on = LLVMIsABitCastInst(user) || LLVMIsAGetElementPtrInst(user);
    if (goes_on ? !is_own(user)
                : !LLVMIsALoadInst(user) && !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) &&
                      !is_copy(user) && !is_intrinsic(user, "llvm.memset.") && !is_intrinsic(user, "llvm.lifetime."))
      return false;
  }
  return true;
}

/* ---- what lies in the variable ---- */

static void forget(Lower *l, uint64_t offset, uint64_t size) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < l->members.n; k++) {
    const Member m = l->members.at[k];
    if (m.offset >= offset + size || offset >= m.offset + m.size) l->members.at[n++] = m;
  }
  l->members.n = n;
}

/* Of an instruction between the beginning of the block and the copy. */
static void see(Lower *l, LLVMValueRef i, LLVMValueRef variable) {
  if (is_copy(i) || is_intrinsic(i, "llvm.memset.") || is_intrinsic(i, "llvm.lifetime.")) vec_clear(&l->members);
  if (!LLVMIsAStoreInst(i)) return;
  Member m = {.size = LLVMStoreSizeOfType(l->layout, LLVMTypeOf(LLVMGetOperand(i, 0))), .store = i};
  if (!find_place(l, LLVMGetOperand(i, 1), variable, &m.offset)) return;
  forget(l, m.offset, m.size);
  vec_push(l->heap, &l->members, m);
}

/* Are all addresses in it known places? */
static bool is_all_followed(const Lower *l, LLVMValueRef address, LLVMValueRef variable) {
  uint64_t offset;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsABitCastInst(user) && !LLVMIsAGetElementPtrInst(user)) continue;
    if (!find_place(l, user, variable, &offset) || !is_all_followed(l, user, variable)) return false;
  }
  return true;
}

/* ---- copies ---- */

/* The local variable that is copied as a whole; NULL: none is. */
static LLVMValueRef copied(const Lower *l, LLVMValueRef copy) {
  LLVMValueRef from = LLVMGetOperand(copy, 1);
  const LLVMValueRef size = LLVMGetOperand(copy, 2);
  while (LLVMIsABitCastInst(from)) from = LLVMGetOperand(from, 0);
  if (!LLVMIsAAllocaInst(from) || !LLVMIsAConstantInt(size)) return NULL;
  const LLVMTypeRef type = LLVMGetAllocatedType(from);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind ||
      LLVMABISizeOfType(l->layout, type) != LLVMConstIntGetZExtValue(size))
    return NULL;
  return is_own(from) && is_all_followed(l, from, from) ? from : NULL;
}

/* That of the member, if what is copied to has as much. */
static unsigned alignment_of(LLVMValueRef copy, LLVMValueRef store) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align")), own = LLVMGetAlignment(store);
  const LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(copy, 1, kind);
  const uint64_t whole = attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
  return whole < own ? (unsigned)whole : own;
}

static void store_again(LLVMBuilderRef builder, LLVMValueRef copy, const Member *m) {
  const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetCalledValue(copy)));
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), m->offset, false);
  const LLVMValueRef value = LLVMGetOperand(m->store, 0), to = LLVMGetOperand(copy, 0);
  const LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), to, &offset, 1, "");
  const LLVMValueRef address = LLVMBuildBitCast(builder, place, LLVMPointerType(LLVMTypeOf(value), 0), "");
  LLVMSetAlignment(LLVMBuildStore(builder, value, address), alignment_of(copy, m->store));
}

static void lower_copy(Lower *l, LLVMValueRef copy) {
  const LLVMValueRef variable = copied(l, copy), next = LLVMGetNextInstruction(copy);
  if (!variable) return;
  vec_clear(&l->members);
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(copy)); i != copy;
       i = LLVMGetNextInstruction(i))
    see(l, i, variable);
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(variable)));
  LLVMPositionBuilderBefore(builder, next);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
  for (uint32_t k = 0; k < l->members.n; k++) store_again(builder, copy, &l->members.at[k]);
  LLVMDisposeBuilder(builder);
}

void literals_lower(Heap *heap, LLVMValueRef function) {
  Lower l = {.heap = heap, .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function))};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (is_copy(i)) lower_copy(&l, i);
    }
  vec_fini(heap, &l.members);
}
