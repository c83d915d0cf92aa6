#include "frontend/c/members.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <string.h>

/* How far an address of a member is behind what it goes on from. False: it is none. */
static bool find_step(LLVMTargetDataRef layout, LLVMValueRef address, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(address); n++) {
    const LLVMValueRef index = LLVMGetOperand(address, n);
    if (!LLVMIsAConstantInt(index)) return false;
    const uint64_t number = LLVMConstIntGetZExtValue(index);
    if (n == 1) {
      if (number > INT32_MAX) return false;
      *offset += number * LLVMABISizeOfType(layout, type);
      continue;
    }
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || number >= LLVMCountStructElementTypes(type)) return false;
    *offset += LLVMOffsetOfElement(layout, type, (unsigned)number);
    type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
  }
  return true;
}

bool members_find(LLVMTargetDataRef layout, LLVMValueRef address, LLVMValueRef variable, uint64_t *offset) {
  *offset = 0;
  while (address != variable) {
    if (!LLVMIsABitCastInst(address) && !LLVMIsAGetElementPtrInst(address)) return false;
    if (LLVMIsAGetElementPtrInst(address) && !find_step(layout, address, offset)) return false;
    address = LLVMGetOperand(address, 0);
  }
  return true;
}

LLVMValueRef members_address(LLVMBuilderRef builder, LLVMValueRef structure, uint64_t offset, LLVMTypeRef type) {
  const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(structure));
  const LLVMTypeRef byte = LLVMInt8TypeInContext(context);
  LLVMValueRef number = LLVMConstInt(LLVMInt64TypeInContext(context), offset, false);
  const LLVMValueRef start = LLVMBuildBitCast(builder, structure, LLVMPointerType(byte, 0), "");
  const LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, byte, start, &number, 1, "");
  return LLVMBuildBitCast(builder, place, LLVMPointerType(type, 0), "");
}

unsigned members_alignment(LLVMValueRef copy, unsigned argument, unsigned own) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
  const LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(copy, argument + 1, kind);
  const uint64_t whole = attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
  return whole < own ? (unsigned)whole : own;
}

bool members_is_intrinsic(LLVMValueRef call, const char *name) {
  size_t length;
  const LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  return callee && LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), name, strlen(name)) == 0;
}

bool members_is_copy(LLVMValueRef i) { return members_is_intrinsic(i, "llvm.memcpy."); }
