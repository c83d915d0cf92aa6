/* What a local variable is called: LLVM's names are dropped by most builds of clang, so it is the name that is told to
 * the debugger. (From LLVM 19 on that is no call any more: there the function's name has to do.) */
#include "frontend/c/bitcode_inside.h"

#include <llvm-c/Core.h>

#include <string.h>

/* Of a node of LLVM's, an argument of a call, its parts: NULL: it has fewer. */
static LLVMValueRef part_of(BitcodeReader *r, LLVMValueRef node, unsigned n) {
  VEC(LLVMValueRef) parts = {0};
  const unsigned all = LLVMGetMDNodeNumOperands(node);
  vec_resize_zeroed(r->heap, &parts, all + 1);
  LLVMGetMDNodeOperands(node, parts.at);
  const LLVMValueRef part = n < all ? parts.at[n] : NULL;
  vec_fini(r->heap, &parts);
  return part;
}

/* The variable: its scope, its name, its file, its type. */
static const char *variable_name(BitcodeReader *r, LLVMValueRef variable) {
  const LLVMValueRef name = part_of(r, variable, 1);
  unsigned length = 0;
  const char *text = name ? LLVMGetMDString(name, &length) : NULL;
  return text && length ? arena_copy(&r->m->arena, text, length) : NULL;
}

void bitcode_local(BitcodeReader *r, LLVMValueRef remark) {
  const LLVMValueRef callee = LLVMGetCalledValue(remark);
  size_t length;
  if (strcmp(LLVMGetValueName2(callee, &length), "llvm.dbg.declare")) return;
  const LLVMValueRef place = part_of(r, LLVMGetOperand(remark, 0), 0);
  const uint32_t number = place && LLVMIsAAllocaInst(place) ? bitcode_bound(r, place) : C_NONE;
  const char *name = number == C_NONE ? NULL : variable_name(r, LLVMGetOperand(remark, 1));
  if (name) r->m->instructions.at[number].text = name;
}
