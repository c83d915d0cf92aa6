#include "frontend/c/ternaries.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stddef.h>

/* Is it a choice of two addresses? */
static bool is_choice(LLVMValueRef i) {
  return LLVMIsASelectInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind &&
         !LLVMIsAConstantPointerNull(LLVMGetOperand(i, 1)) && !LLVMIsAConstantPointerNull(LLVMGetOperand(i, 2));
}

/* What is behind an instruction goes to the end of a block. */
static void move_behind(LLVMBuilderRef builder, LLVMValueRef from, LLVMBasicBlockRef to) {
  LLVMPositionBuilderAtEnd(builder, to);
  for (LLVMValueRef i = LLVMGetNextInstruction(from), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(builder, i);
  }
}

/* Control comes to where it is merged from another block. */
static void replace_source(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef was, LLVMBasicBlockRef is) {
  LLVMPositionBuilderBefore(builder, phi);
  const LLVMValueRef other = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, k);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    if (from == was) from = is;
    LLVMAddIncoming(other, &value, &from, 1);
  }
  LLVMInstructionSetDebugLoc(other, LLVMInstructionGetDebugLoc(phi));
  LLVMReplaceAllUsesWith(phi, other);
  LLVMInstructionEraseFromParent(phi);
}

static void replace_sources(LLVMBuilderRef builder, LLVMBasicBlockRef was, LLVMBasicBlockRef is) {
  const LLVMValueRef end = LLVMGetBasicBlockTerminator(is);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(end, s)), next; i && LLVMIsAPHINode(i); i = next) {
      next = LLVMGetNextInstruction(i);
      replace_source(builder, i, was, is);
    }
}

static void lower(LLVMBuilderRef builder, LLVMValueRef choice) {
  const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(choice));
  const LLVMBasicBlockRef block = LLVMGetInstructionParent(choice);
  const LLVMValueRef function = LLVMGetBasicBlockParent(block);
  LLVMBasicBlockRef sources[] = {LLVMAppendBasicBlockInContext(context, function, ""), block};
  const LLVMBasicBlockRef behind = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMValueRef values[] = {LLVMGetOperand(choice, 1), LLVMGetOperand(choice, 2)};
  LLVMMoveBasicBlockAfter(sources[0], block);
  LLVMMoveBasicBlockAfter(behind, sources[0]);
  move_behind(builder, choice, behind);
  replace_sources(builder, block, behind);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(choice));
  LLVMPositionBuilderAtEnd(builder, sources[0]);
  LLVMBuildBr(builder, behind);
  LLVMPositionBuilderAtEnd(builder, block);
  LLVMBuildCondBr(builder, LLVMGetOperand(choice, 0), sources[0], behind);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(behind));
  const LLVMValueRef merged = LLVMBuildPhi(builder, LLVMTypeOf(choice), "");
  LLVMAddIncoming(merged, values, sources, 2);
  LLVMReplaceAllUsesWith(choice, merged);
  LLVMInstructionEraseFromParent(choice);
  LLVMSetCurrentDebugLocation2(builder, NULL);
}

static LLVMValueRef choice_in(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (i && !is_choice(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* What is behind one comes to a later block. */
void ternaries_lower(LLVMModuleRef module) {
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      const LLVMValueRef choice = choice_in(b);
      if (choice) lower(builder, choice);
    }
  LLVMDisposeBuilder(builder);
}
