#include "frontend/c/key_destructors.h"

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>

typedef struct {
  Heap *heap;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef type;         /* void() */
  VEC(LLVMValueRef) keys;   /* calls that make one which has such a destructor */
  VEC(LLVMValueRef) begins; /* functions that threads begin with */
} Keys;

static LLVMValueRef strip(LLVMValueRef value) {
  while (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMBitCast) value = LLVMGetOperand(value, 0);
  return value;
}

static bool is_defined(LLVMValueRef value) { return LLVMIsAFunction(value) && !LLVMIsDeclaration(value); }

/* ---- what there is ---- */

/* Is a function called each time that it is used, with so many arguments? */
static bool is_called(LLVMValueRef function, unsigned n) {
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function || LLVMGetNumArgOperands(user) != n)
      return false;
  }
  return true;
}

static void find_keys(Keys *k) {
  const LLVMValueRef create = LLVMGetNamedFunction(k->module, "pthread_key_create");
  if (!create || !LLVMIsDeclaration(create) || !is_called(create, 2)) return;
  for (LLVMUseRef use = LLVMGetFirstUse(create); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef destructor = strip(LLVMGetOperand(LLVMGetUser(use), 1));
    if (is_defined(destructor) && LLVMCountParams(destructor) == 1 &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(destructor, 0))) == LLVMPointerTypeKind)
      vec_push(k->heap, &k->keys, LLVMGetUser(use));
  }
}

/* False: it is not known of all threads. */
static bool find_begins(Keys *k) {
  const LLVMValueRef create = LLVMGetNamedFunction(k->module, "pthread_create");
  if (!is_called(create, 4) || !is_called(LLVMGetNamedFunction(k->module, "pthread_exit"), 1)) return false;
  for (LLVMUseRef use = create ? LLVMGetFirstUse(create) : NULL; use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef begin = strip(LLVMGetOperand(LLVMGetUser(use), 2));
    bool known = false;
    if (!is_defined(begin)) return false;
    for (uint32_t i = 0; i < k->begins.n; i++) known |= k->begins.at[i] == begin;
    if (!known) vec_push(k->heap, &k->begins, begin);
  }
  return true;
}

/* ---- the function that calls destructors ---- */

/* A function of the library, as it is declared, or with such a type. */
static LLVMValueRef call_library(Keys *k, const char *name, LLVMTypeRef type, LLVMValueRef *arguments, unsigned n) {
  LLVMValueRef function = LLVMGetNamedFunction(k->module, name);
  if (!function) function = LLVMAddFunction(k->module, name, type);
  return LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(function), function, arguments, n, "");
}

/* Any number, for the analysis. */
static LLVMValueRef any_number(Keys *k) {
  const LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(k->context), NULL, 0, false);
  return call_library(k, "sched_yield", type, NULL, 0);
}

/* With what the thread has kept; or with memory that nobody else has, as it may have kept nothing, of which nothing
 * would be known. */
static void call_destructor(Keys *k, LLVMValueRef destructor, LLVMValueRef nothing) {
  const LLVMTypeRef number = LLVMInt32TypeInContext(k->context), address = LLVMTypeOf(nothing);
  LLVMTypeRef key = number;
  LLVMValueRef any = LLVMConstNull(number);
  LLVMValueRef kept = call_library(k, "pthread_getspecific", LLVMFunctionType(address, &key, 1, false), &any, 1);
  const LLVMValueRef test = LLVMBuildICmp(k->builder, LLVMIntEQ, any_number(k), any, "");
  kept = LLVMBuildSelect(k->builder, test, kept, nothing, "");
  kept = LLVMBuildBitCast(k->builder, kept, LLVMTypeOf(LLVMGetParam(destructor, 0)), "");
  LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(destructor), destructor, &kept, 1, "");
}

static LLVMBasicBlockRef add_block(Keys *k, LLVMValueRef function) {
  return LLVMAppendBasicBlockInContext(k->context, function, "");
}

/* In that loop: calls one of them, or goes to the end. */
static void call_any(Keys *k, LLVMValueRef function, LLVMBasicBlockRef loop, LLVMBasicBlockRef end,
                     LLVMValueRef nothing) {
  LLVMPositionBuilderAtEnd(k->builder, loop);
  const LLVMValueRef which = any_number(k), choice = LLVMBuildSwitch(k->builder, which, end, k->keys.n);
  for (uint32_t i = 0; i < k->keys.n; i++) {
    const LLVMBasicBlockRef block = add_block(k, function);
    LLVMAddCase(choice, LLVMConstInt(LLVMTypeOf(which), i + 1, false), block);
    LLVMPositionBuilderAtEnd(k->builder, block);
    call_destructor(k, strip(LLVMGetOperand(k->keys.at[i], 1)), nothing);
    LLVMBuildBr(k->builder, loop);
  }
}

/* A loop that calls one of them, again and again. */
static LLVMValueRef build(Keys *k) {
  enum { BYTES = 4096 };
  const LLVMTypeRef byte = LLVMInt8TypeInContext(k->context);
  const LLVMValueRef function = LLVMAddFunction(k->module, "destructors of what a thread has kept", k->type);
  const LLVMBasicBlockRef entry = add_block(k, function), loop = add_block(k, function), end = add_block(k, function);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMSetCurrentDebugLocation2(k->builder, NULL);
  LLVMPositionBuilderAtEnd(k->builder, entry);
  LLVMValueRef nothing = LLVMBuildAlloca(k->builder, LLVMArrayType(byte, BYTES), "");
  nothing = LLVMBuildBitCast(k->builder, nothing, LLVMPointerType(byte, 0), "");
  LLVMBuildBr(k->builder, loop);
  LLVMPositionBuilderAtEnd(k->builder, end);
  LLVMBuildRetVoid(k->builder);
  call_any(k, function, loop, end, nothing);
  return function;
}

/* ---- where it is called ---- */

static void call_before(Keys *k, LLVMValueRef function, LLVMValueRef instruction) {
  LLVMPositionBuilderBefore(k->builder, instruction);
  LLVMSetCurrentDebugLocation2(k->builder, LLVMInstructionGetDebugLoc(instruction));
  LLVMBuildCall2(k->builder, k->type, function, NULL, 0, "");
}

static void place(Keys *k, LLVMValueRef function) {
  const LLVMValueRef exit = LLVMGetNamedFunction(k->module, "pthread_exit");
  for (uint32_t i = 0; i < k->begins.n; i++)
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->begins.at[i]); b; b = LLVMGetNextBasicBlock(b))
      if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b))) call_before(k, function, LLVMGetBasicBlockTerminator(b));
  for (LLVMUseRef use = exit ? LLVMGetFirstUse(exit) : NULL; use; use = LLVMGetNextUse(use))
    call_before(k, function, LLVMGetUser(use));
}

/* To keep the destructor of a key that is called here is no gap any more. */
static void forget_destructors(Keys *k) {
  for (uint32_t i = 0; i < k->keys.n; i++)
    LLVMSetOperand(k->keys.at[i], 1, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(k->keys.at[i], 1))));
}

void key_destructors_lower(Heap *heap, LLVMModuleRef module) {
  Keys keys = {.heap = heap, .module = module}, *k = &keys;
  k->context = LLVMGetModuleContext(module);
  k->builder = LLVMCreateBuilderInContext(k->context);
  k->type = LLVMFunctionType(LLVMVoidTypeInContext(k->context), NULL, 0, false);
  find_keys(k);
  if (k->keys.n && find_begins(k)) {
    place(k, build(k));
    forget_destructors(k);
  }
  vec_fini(heap, &k->keys);
  vec_fini(heap, &k->begins);
  LLVMDisposeBuilder(k->builder);
}
