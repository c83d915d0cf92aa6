#include "frontend/c/destructors.h"

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <limits.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
  LLVMValueRef function, object; /* object: of what; NULL: the function has no parameter */
} Destructor;

typedef VEC(Destructor) DestructorVec;

typedef struct {
  Heap *heap;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef type; /* void() */
  CxxLack *lack;
  void *data;
  DestructorVec ordered, others; /* ordered: as they are registered, one behind the other */
  VEC(LLVMValueRef) calls;       /* of __cxa_atexit */
} Ends;

static bool is_named(LLVMValueRef value, const char *name) {
  size_t length;
  return strcmp(LLVMGetValueName2(value, &length), name) == 0;
}

static LLVMValueRef strip(LLVMValueRef value) {
  while (LLVMIsAConstantExpr(value) || LLVMIsAGlobalAlias(value))
    value = LLVMIsAGlobalAlias(value) ? LLVMAliasGetAliasee(value) : LLVMGetOperand(value, 0);
  return value;
}

static void refuse(Ends *e, LLVMValueRef function) { e->lack(e->data, function, "runs behind main"); }

/* ---- what is registered ---- */

/* Destructors of the streams, and of a condition variable, do nothing that others see. */
static bool is_idle(LLVMValueRef function) {
  return is_named(function, "_ZNSt8ios_base4InitD1Ev") || is_named(function, "_ZNSt18condition_variableD1Ev");
}

/* atexit(), which registers a function of no object; and which may fail. */
static bool is_plain(LLVMValueRef call) { return LLVMGetNumArgOperands(call) == 1; }

static void add_registered(Ends *e, LLVMValueRef call, DestructorVec *to) {
  const LLVMValueRef function = strip(LLVMGetOperand(call, 0)),
                     object = is_plain(call) ? NULL : LLVMGetOperand(call, 1);
  vec_push(e->heap, &e->calls, call);
  if (!LLVMIsAFunction(function)) refuse(e, NULL);
  else if (is_idle(function)) return;
  else if ((object && !LLVMIsAConstant(object)) || LLVMCountParams(function) != (object != NULL)) refuse(e, function);
  else vec_push(e->heap, to, ((Destructor){function, object}));
}

static bool is_known(const Ends *e, LLVMValueRef call) {
  for (uint32_t i = 0; i < e->calls.n; i++)
    if (e->calls.at[i] == call) return true;
  return false;
}

static bool is_registration(LLVMValueRef i) {
  const LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return false;
  return LLVMGetNumArgOperands(i) == (is_named(callee, "__cxa_atexit") ? 3 : is_named(callee, "atexit") ? 1 : UINT_MAX);
}

/* Does it matter that it may fail? */
static bool may_fail(LLVMValueRef call) { return is_plain(call) && LLVMGetFirstUse(call); }

static bool is_used_once(LLVMValueRef value) {
  const LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

/* A row of llvm.global_ctors, which main has a call for. */
static bool is_row(LLVMValueRef user) {
  if (!LLVMIsAConstantStruct(user) || !is_used_once(user)) return false;
  const LLVMValueRef rows = LLVMGetUser(LLVMGetFirstUse(user));
  return is_used_once(rows) && is_named(LLVMGetUser(LLVMGetFirstUse(rows)), "llvm.global_ctors");
}

/* Is it used for one call, and no other? */
static bool is_called_once(LLVMValueRef function) {
  uint32_t n = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) n += !is_row(LLVMGetUser(use));
  return n == 1;
}

/* Control goes on there, and comes there from nowhere else. NULL: it need not. */
static LLVMBasicBlockRef next_of(LLVMBasicBlockRef block) {
  const LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  if (!LLVMIsABranchInst(last) || LLVMIsConditional(last)) return NULL;
  const LLVMBasicBlockRef next = LLVMGetSuccessor(last, 0);
  return is_used_once(LLVMBasicBlockAsValue(next)) ? next : NULL;
}

/* What is done once, as soon as the function is called. */
static void follow(Ends *e, LLVMValueRef function, uint32_t depth) {
  enum { MOST = 16 };
  for (LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(function); b; b = next_of(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsACallInst(i)) continue;
      const LLVMValueRef callee = LLVMGetCalledValue(i);
      if (is_registration(i) && !may_fail(i)) add_registered(e, i, &e->ordered);
      else if (depth < MOST && LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) && is_called_once(callee))
        follow(e, callee, depth + 1);
    }
}

/* Any other ones: of objects in functions, and of templates; and what may be registered or not. */
static void find_others(Ends *e) {
  const uint32_t known = e->calls.n;
  for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (is_registration(i) && (!known || !is_known(e, i))) add_registered(e, i, &e->others);
}

/* A function of the library that returns any number, and does nothing. */
static LLVMValueRef any_number(Ends *e) {
  const char *const name = "sched_yield";
  const LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(e->context), NULL, 0, false);
  LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
  if (!function) function = LLVMAddFunction(e->module, name, type);
  return LLVMBuildCall2(e->builder, type, function, NULL, 0, "");
}

/* To register them is no event. */
static void remove_registrations(Ends *e) {
  for (uint32_t i = 0; i < e->calls.n; i++) {
    const LLVMValueRef call = e->calls.at[i];
    LLVMPositionBuilderBefore(e->builder, call);
    LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(call));
    LLVMReplaceAllUsesWith(call, may_fail(call) ? any_number(e) : LLVMConstNull(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
  }
}

/* ---- llvm.global_dtors: rows of a priority, a function, and what it belongs to ---- */

static uint64_t priority_of(LLVMValueRef row) { return LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)); }

static void add_marked(Ends *e, LLVMValueRef row, DestructorVec *to) {
  const LLVMValueRef function = strip(LLVMGetOperand(row, 1));
  if (!LLVMIsAFunction(function) || LLVMCountParams(function)) refuse(e, LLVMIsAFunction(function) ? function : NULL);
  else vec_push(e->heap, to, ((Destructor){function, NULL}));
}

/* They run behind the others, those of high priority first; of one priority, the last ones first. Found in the opposite
 * order, as all are. */
static void find_marked(Ends *e) {
  const LLVMValueRef global = LLVMGetNamedGlobal(e->module, "llvm.global_dtors");
  const LLVMValueRef rows = global ? LLVMGetInitializer(global) : NULL;
  const int n = rows && LLVMIsAConstantArray(rows) ? LLVMGetNumOperands(rows) : 0;
  uint64_t after = 0;
  for (bool more = n > 0, first = true; more; first = false) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < n; i++) {
      const uint64_t priority = priority_of(LLVMGetOperand(rows, (unsigned)i));
      if ((first || priority > after) && priority < least) least = priority;
    }
    more = least != UINT64_MAX;
    for (int i = 0; more && i < n; i++)
      if (priority_of(LLVMGetOperand(rows, (unsigned)i)) == least)
        add_marked(e, LLVMGetOperand(rows, (unsigned)i), &e->ordered);
    after = least;
  }
}

/* ---- the function that calls them ---- */

static LLVMValueRef add_function(Ends *e, const char *name) {
  const LLVMValueRef function = LLVMAddFunction(e->module, name, e->type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->context, function, ""));
  LLVMSetCurrentDebugLocation2(e->builder, NULL);
  return function;
}

static void call(Ends *e, LLVMValueRef function) { LLVMBuildCall2(e->builder, e->type, function, NULL, 0, ""); }

static void call_destructor(Ends *e, const Destructor *d) {
  const LLVMTypeRef type = LLVMGlobalGetValueType(d->function);
  LLVMValueRef object = d->object;
  if (object) object = LLVMConstBitCast(object, LLVMTypeOf(LLVMGetParam(d->function, 0)));
  LLVMBuildCall2(e->builder, type, d->function, &object, object != NULL, "");
}

/* A loop that does one of them, again and again. */
static LLVMValueRef build_any(Ends *e, const DestructorVec *of, const char *name) {
  const LLVMValueRef function = add_function(e, name);
  const LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(e->context, function, "");
  const LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(e->context, function, "");
  LLVMBuildBr(e->builder, loop);
  LLVMPositionBuilderAtEnd(e->builder, end);
  LLVMBuildRetVoid(e->builder);
  LLVMPositionBuilderAtEnd(e->builder, loop);
  const LLVMValueRef which = any_number(e), choice = LLVMBuildSwitch(e->builder, which, end, of->n);
  for (uint32_t i = 0; i < of->n; i++) {
    const LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(e->context, function, "");
    LLVMAddCase(choice, LLVMConstInt(LLVMTypeOf(which), i + 1, false), block);
    LLVMPositionBuilderAtEnd(e->builder, block);
    call_destructor(e, &of->at[i]);
    LLVMBuildBr(e->builder, loop);
  }
  return function;
}

static LLVMValueRef build(Ends *e) {
  const LLVMValueRef others = e->others.n ? build_any(e, &e->others, "destructors of objects in functions") : NULL;
  const LLVMValueRef function = add_function(e, "destructors of static objects");
  if (others) call(e, others);
  for (uint32_t i = e->ordered.n; i-- > 0;) {
    call_destructor(e, &e->ordered.at[i]);
    if (others) call(e, others);
  }
  LLVMBuildRetVoid(e->builder);
  return function;
}

/* Where some of the objects may not be there yet. */
static LLVMValueRef build_early(Ends *e) {
  DestructorVec all = {0};
  for (uint32_t i = 0; i < e->ordered.n; i++) vec_push(e->heap, &all, e->ordered.at[i]);
  for (uint32_t i = 0; i < e->others.n; i++) vec_push(e->heap, &all, e->others.at[i]);
  const LLVMValueRef function = build_any(e, &all, "destructors of static objects that are there");
  vec_fini(e->heap, &all);
  return function;
}

/* ---- where it is called ---- */

static void call_before(Ends *e, LLVMValueRef function, LLVMValueRef instruction) {
  LLVMPositionBuilderBefore(e->builder, instruction);
  LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(instruction));
  call(e, function);
}

static void call_at_returns(Ends *e, LLVMValueRef function, LLVMValueRef main) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(main); b; b = LLVMGetNextBasicBlock(b))
    if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b))) call_before(e, function, LLVMGetBasicBlockTerminator(b));
}

static bool is_in(LLVMValueRef instruction, LLVMValueRef function) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)) == function;
}

/* Where it is called, the process ends; it may be called by a pointer: then that is not known. What is not main itself
 * may be called by a constructor. */
static void call_at_exit(Ends *e, const char *name, LLVMValueRef main, LLVMValueRef function, LLVMValueRef early) {
  const LLVMValueRef exit = LLVMGetNamedFunction(e->module, name);
  for (LLVMUseRef use = exit ? LLVMGetFirstUse(exit) : NULL; use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == exit)
      call_before(e, is_in(user, main) ? function : early, user);
    else refuse(e, NULL);
  }
}

/* Is it a function that nothing is done with but that threads begin there? Not main, which nothing is done with. */
static bool is_of_threads(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || !is_named(LLVMGetCalledValue(user), "pthread_create") ||
        LLVMGetNumArgOperands(user) != 4 || LLVMGetOperand(user, 2) != function || LLVMGetOperand(user, 3) == function)
      return false;
  }
  return LLVMGetFirstUse(function) != NULL;
}

/* If main is left by it, the last thread runs them. */
static void refuse_at_exit_of_thread(Ends *e) {
  const LLVMValueRef exit = LLVMGetNamedFunction(e->module, "pthread_exit");
  const LLVMValueRef first = e->ordered.n ? e->ordered.at[0].function : e->others.at[0].function;
  for (LLVMUseRef use = exit ? LLVMGetFirstUse(exit) : NULL; use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && is_of_threads(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))) continue;
    refuse(e, first);
    return;
  }
}

static void place(Ends *e, LLVMValueRef main) {
  static const char *const EXITS[] = {"exit", "err", "errx", "verr", "verrx"};
  if (!e->ordered.n && !e->others.n) return;
  const LLVMValueRef function = build(e), early = build_early(e);
  if (LLVMGetFirstUse(main)) refuse(e, main); /* which may return where it does not end the process */
  call_at_returns(e, function, main);
  for (size_t i = 0; i < sizeof EXITS / sizeof *EXITS; i++) call_at_exit(e, EXITS[i], main, function, early);
  refuse_at_exit_of_thread(e);
}

void destructors_lower(Heap *heap, LLVMModuleRef module, CxxLack *lack, void *data) {
  const LLVMValueRef main = LLVMGetNamedFunction(module, "main");
  if (!main || LLVMIsDeclaration(main)) return;
  Ends ends = {.heap = heap, .module = module, .lack = lack, .data = data}, *e = &ends;
  e->context = LLVMGetModuleContext(module);
  e->builder = LLVMCreateBuilderInContext(e->context);
  e->type = LLVMFunctionType(LLVMVoidTypeInContext(e->context), NULL, 0, false);
  find_marked(e);
  follow(e, main, 0);
  find_others(e);
  remove_registrations(e);
  place(e, main);
  vec_fini(heap, &e->ordered);
  vec_fini(heap, &e->others);
  vec_fini(heap, &e->calls);
  LLVMDisposeBuilder(e->builder);
}
