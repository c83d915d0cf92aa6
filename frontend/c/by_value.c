#include "frontend/c/by_value.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <string.h>

typedef struct {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  unsigned by_value; /* the kind of attribute */
  CxxLack *lack;
  void *data;
} Lower;

/* The type of the structure that argument n is the address of; NULL: it is none that is passed by value. */
static LLVMTypeRef type_of(const Lower *l, LLVMValueRef call, unsigned n) {
  const LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, n + 1, l->by_value);
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* Room for a copy, in the function's entry. */
static LLVMValueRef add_local(Lower *l, LLVMValueRef call, LLVMTypeRef type) {
  const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMPositionBuilderBefore(l->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  return LLVMBuildAlloca(l->builder, type, "");
}

static void copy_argument(Lower *l, LLVMValueRef call, unsigned n, LLVMTypeRef type) {
  const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(l->module);
  const unsigned align = LLVMABIAlignmentOfType(layout, type);
  const LLVMValueRef copy = add_local(l, call, type), from = LLVMGetOperand(call, n);
  const LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(l->context), LLVMABISizeOfType(layout, type), false);
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(call));
  LLVMBuildMemCpy(l->builder, copy, align, from, align, size);
  LLVMSetOperand(call, n, LLVMBuildBitCast(l->builder, copy, LLVMTypeOf(from), ""));
  LLVMSetCurrentDebugLocation2(l->builder, NULL);
}

static void lower_call(Lower *l, LLVMValueRef call) {
  const unsigned named = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
  for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
    const LLVMTypeRef type = type_of(l, call, n);
    if (!type) continue;
    if (n < named) copy_argument(l, call, n, type);
    else
      l->lack(l->data, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)),
              "passes a structure as one of variable arguments");
  }
}

void by_value_lower(LLVMModuleRef module, CxxLack *lack, void *data) {
  Lower lower = {.module = module, .context = LLVMGetModuleContext(module), .lack = lack, .data = data}, *l = &lower;
  l->builder = LLVMCreateBuilderInContext(l->context);
  l->by_value = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i)) lower_call(l, i);
  LLVMDisposeBuilder(l->builder);
}
