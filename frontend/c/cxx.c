#include "frontend/c/cxx.h"

#include "frontend/c/cxx_inside.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

/* ---- looking at the module ---- */

static bool is_named(LLVMValueRef value, const char *name) {
  size_t length;
  return strcmp(LLVMGetValueName2(value, &length), name) == 0;
}

static void look_at(Cxx *c, LLVMValueRef instruction) { c->unwinds |= LLVMIsALandingPadInst(instruction) != NULL; }

static void for_each(Cxx *c, void (*visit)(Cxx *, LLVMValueRef)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        visit(c, i);
      }
}

/* ---- building ---- */

static LLVMTypeRef pointer_to(LLVMTypeRef type) { return LLVMPointerType(type, 0); }

static LLVMValueRef argument(LLVMValueRef call, unsigned n) { return LLVMGetOperand(call, n); }

LLVMValueRef cxx_load(const Cxx *c, LLVMTypeRef type, LLVMValueRef from) {
  const LLVMValueRef address = LLVMBuildBitCast(c->builder, from, pointer_to(type), "");
  return LLVMBuildLoad2(c->builder, type, address, "");
}

void cxx_store(const Cxx *c, LLVMValueRef value, LLVMValueRef to) {
  LLVMBuildStore(c->builder, value, LLVMBuildBitCast(c->builder, to, pointer_to(LLVMTypeOf(value)), ""));
}

/* The function of C, declared as it is in the module, or by its arguments. */
static LLVMValueRef declare(const Cxx *c, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned n) {
  LLVMTypeRef types[4];
  const LLVMValueRef function = LLVMGetNamedFunction(c->module, name);
  if (function) return function;
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(arguments[i]);
  return LLVMAddFunction(c->module, name, LLVMFunctionType(result, types, n, false));
}

LLVMValueRef cxx_call(const Cxx *c, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned n) {
  LLVMTypeRef types[4];
  const LLVMValueRef function = declare(c, name, result, arguments, n);
  const LLVMTypeRef type = LLVMGlobalGetValueType(function);
  if (LLVMCountParamTypes(type) != n) { /* it is another one of that name */
    c->lack(c->data, function, "is not what it is in POSIX");
    return NULL;
  }
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < n; i++) arguments[i] = LLVMBuildBitCast(c->builder, arguments[i], types[i], "");
  return LLVMBuildCall2(c->builder, type, function, arguments, n, "");
}

/* ---- std::thread ---- */

/* What a thread does is an object's virtual function, the third; [1] is the address of the object's address, which
 * the thread takes over. */
static LLVMValueRef start_thread(Cxx *c, LLVMValueRef old) {
  const LLVMValueRef state = cxx_load(c, c->address, argument(old, 1));
  const LLVMValueRef table = cxx_load(c, c->address, state), two = LLVMConstInt(c->word, 2, false);
  LLVMValueRef slot = LLVMBuildBitCast(c->builder, table, pointer_to(c->address), "");
  slot = LLVMBuildGEP2(c->builder, c->address, slot, (LLVMValueRef[]){two}, 1, "");
  LLVMValueRef arguments[] = {argument(old, 0), LLVMConstNull(c->address), cxx_load(c, c->address, slot), state};
  cxx_store(c, LLVMConstNull(c->address), argument(old, 1));
  cxx_call(c, "pthread_create", LLVMInt32TypeInContext(c->context), arguments, 4);
  return NULL;
}

/* The object has no handle any more. Of one among others this is not said, as nobody says it in C: where it is looked
 * at, both is possible then. */
static void forget_handle(Cxx *c, LLVMValueRef thread) {
  if (LLVMIsAAllocaInst(thread)) cxx_store(c, LLVMConstNull(c->word), thread);
}

static LLVMValueRef join_thread(Cxx *c, LLVMValueRef old) {
  LLVMValueRef arguments[] = {cxx_load(c, c->word, argument(old, 0)), LLVMConstNull(c->address)};
  cxx_call(c, "pthread_join", LLVMInt32TypeInContext(c->context), arguments, 2);
  forget_handle(c, argument(old, 0));
  return NULL;
}

static LLVMValueRef detach_thread(Cxx *c, LLVMValueRef old) {
  LLVMValueRef arguments[] = {cxx_load(c, c->word, argument(old, 0))};
  cxx_call(c, "pthread_detach", LLVMInt32TypeInContext(c->context), arguments, 1);
  forget_handle(c, argument(old, 0));
  return NULL;
}

/* ---- std::condition_variable ---- */

/* A unique_lock begins with the address of its mutex. */
static LLVMValueRef wait_for_signal(Cxx *c, LLVMValueRef old) {
  LLVMValueRef arguments[] = {argument(old, 0), cxx_load(c, c->address, argument(old, 1))};
  cxx_call(c, "pthread_cond_wait", LLVMInt32TypeInContext(c->context), arguments, 2);
  return NULL;
}

static LLVMValueRef signal_one(Cxx *c, LLVMValueRef old) {
  cxx_call(c, "pthread_cond_signal", LLVMInt32TypeInContext(c->context), (LLVMValueRef[]){argument(old, 0)}, 1);
  return NULL;
}

static LLVMValueRef signal_all(Cxx *c, LLVMValueRef old) {
  cxx_call(c, "pthread_cond_broadcast", LLVMInt32TypeInContext(c->context), (LLVMValueRef[]){argument(old, 0)}, 1);
  return NULL;
}

/* ---- std::lock ---- */

/* It takes all of them, in turns, and gives back what it has where it would have to wait: rounds that fail, and are no
 * events (emit_rounds.c). Then one after the other is as good. */
static LLVMValueRef lock_all(Cxx *c, LLVMValueRef old, const char *lock) {
  for (unsigned n = 0; n < LLVMGetNumArgOperands(old); n++)
    cxx_call(c, lock, LLVMVoidTypeInContext(c->context), (LLVMValueRef[]){argument(old, n)}, 1);
  return NULL;
}

static LLVMValueRef lock_mutexes(Cxx *c, LLVMValueRef old) { return lock_all(c, old, "_ZNSt5mutex4lockEv"); }

static LLVMValueRef lock_unique_locks(Cxx *c, LLVMValueRef old) {
  return lock_all(c, old, "_ZNSt11unique_lockISt5mutexE4lockEv");
}

/* ---- the standard streams: what they do to themselves is no access ---- */

static LLVMValueRef write_value(Cxx *c, LLVMValueRef old) {
  (void)c;
  return argument(old, 0);
}

static LLVMValueRef write_text(Cxx *c, LLVMValueRef old) {
  cxx_call(c, "puts", LLVMInt32TypeInContext(c->context), (LLVMValueRef[]){argument(old, 1)}, 1);
  return argument(old, 0);
}

/* A string begins with the address of its text, and the length. */
static LLVMValueRef write_string(Cxx *c, LLVMValueRef old) {
  LLVMValueRef text = cxx_load(c, c->address, argument(old, 1)), length = LLVMConstInt(c->word, 1, false);
  length = LLVMBuildGEP2(c->builder, c->word, LLVMBuildBitCast(c->builder, argument(old, 1), pointer_to(c->word), ""),
                         &length, 1, "");
  cxx_load(c, c->word, length);
  cxx_call(c, "puts", LLVMInt32TypeInContext(c->context), &text, 1);
  return argument(old, 0);
}

/* std::endl, std::hex and their like, as values. */
static LLVMValueRef write_manipulator(Cxx *c, LLVMValueRef old) {
  const LLVMValueRef function = argument(old, 1);
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  if (!LLVMIsAFunction(function) || strncmp(name, "_ZSt", 4) != 0)
    c->lack(c->data, LLVMGetBasicBlockParent(LLVMGetInstructionParent(old)), "calls a function by way of a stream");
  return argument(old, 0);
}

/* ---- functions whose addresses are in tables ---- */

/* The function has one block, which does no more than `ends` says: the process ends there, or the function. */
static void define(Cxx *c, const char *name, bool ends) {
  const LLVMValueRef function = LLVMGetNamedFunction(c->module, name);
  if (!function || !LLVMIsDeclaration(function)) return;
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(c->builder, LLVMAppendBasicBlockInContext(c->context, function, ""));
  LLVMSetCurrentDebugLocation2(c->builder, NULL);
  if (ends) cxx_call(c, "abort", LLVMVoidTypeInContext(c->context), NULL, 0);
  if (ends) LLVMBuildUnreachable(c->builder);
  else LLVMBuildRetVoid(c->builder);
}

/* Those of a thread's object as it is before its constructor, and after its destructor. */
static void define_virtual(Cxx *c) {
  define(c, "__cxa_pure_virtual", true);
  define(c, "_ZNSt6thread6_StateD0Ev", false);
  define(c, "_ZNSt6thread6_StateD1Ev", false);
  define(c, "_ZNSt6thread6_StateD2Ev", false);
}

/* ---- which calls these are ---- */

static const CxxRow ROWS[] = {
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", 3, start_thread},
    {"_ZNSt6thread4joinEv", 1, join_thread},
    {"_ZNSt6thread6detachEv", 1, detach_thread},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", 2, wait_for_signal},
    {"_ZNSt18condition_variable10notify_oneEv", 1, signal_one},
    {"_ZNSt18condition_variable10notify_allEv", 1, signal_all},
    {"_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_", 2, lock_mutexes},
    {"_ZSt4lockISt5mutexS0_JS0_EEvRT_RT0_DpRT1_", 3, lock_mutexes},
    {"_ZSt4lockISt5mutexS0_JS0_S0_EEvRT_RT0_DpRT1_", 4, lock_mutexes},
    {"_ZSt4lockISt11unique_lockISt5mutexES2_JEEvRT_RT0_DpRT1_", 2, lock_unique_locks},
    {"_ZSt4lockISt11unique_lockISt5mutexES2_JS2_EEvRT_RT0_DpRT1_", 3, lock_unique_locks},
    {"_ZNSolsEPF*", 2, write_manipulator},
    {"_ZNSolsE?", 2, write_value},
    {"_ZNSolsEPKv", 2, write_value},
    {"_ZNSo9_M_insertI*", 2, write_value},
    {"_ZNSo3putEc", 2, write_value},
    {"_ZNSo5flushEv", 1, write_value},
    {"_ZSt4endlI*", 1, write_value},
    {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", 2, write_text},
    {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", 2, write_value},
    {"_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE", 2,
     write_string},
};

static bool matches(const char *name, const char *pattern) {
  const size_t start = strcspn(pattern, "*?");
  if (!pattern[start]) return strcmp(name, pattern) == 0;
  return strncmp(name, pattern, start) == 0 && (pattern[start] == '*' || strlen(name) == start + 1);
}

static CxxBuild *build_in(const CxxRow *rows, size_t n_rows, const char *name, unsigned n) {
  for (size_t i = 0; i < n_rows; i++)
    if (matches(name, rows[i].name) && rows[i].n_arguments == n) return rows[i].build;
  return NULL;
}

/* Some of the streams' functions have a body in a header. NULL: the call stays. */
static CxxBuild *build_of(LLVMValueRef old) {
  size_t length;
  const LLVMValueRef callee = LLVMGetCalledValue(old);
  if (!LLVMIsAFunction(callee)) return NULL;
  const char *name = LLVMGetValueName2(callee, &length);
  const unsigned n = LLVMGetNumArgOperands(old);
  CxxBuild *build = build_in(ROWS, sizeof ROWS / sizeof *ROWS, name, n);
  if (!build && LLVMIsDeclaration(callee)) build = build_in(C11_ROWS, C11_N_ROWS, name, n);
  return build;
}

static void replace(Cxx *c, LLVMValueRef old) {
  CxxBuild *const build = LLVMIsACallInst(old) ? build_of(old) : NULL;
  if (!build) return;
  LLVMPositionBuilderBefore(c->builder, old);
  LLVMSetCurrentDebugLocation2(c->builder, LLVMInstructionGetDebugLoc(old));
  const LLVMValueRef value = build(c, old);
  const LLVMTypeRef type = LLVMTypeOf(old);
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(old, value ? LLVMBuildBitCast(c->builder, value, type, "") : LLVMConstNull(type));
  LLVMInstructionEraseFromParent(old);
}

/* ---- static objects of functions ---- */

/* Does it look whether one is made, as the compiler does where several threads may make it? */
static bool looks_at_guard(LLVMValueRef i) {
  size_t length;
  if (!LLVMIsALoadInst(i) || LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic ||
      LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 8)
    return false;
  LLVMValueRef guard = LLVMGetOperand(i, 0);
  while (LLVMIsAConstantExpr(guard) && LLVMGetConstOpcode(guard) == LLVMBitCast) guard = LLVMGetOperand(guard, 0);
  return LLVMIsAGlobalVariable(guard) && strncmp(LLVMGetValueName2(guard, &length), "_ZGV", strlen("_ZGV")) == 0;
}

/* The model says what it is to look (libstdcxx.cc), as it says what the calls are that follow. */
static void replace_look(Cxx *c, LLVMValueRef i) {
  const LLVMValueRef look = LLVMGetNamedFunction(c->module, "causal_static_is_made");
  if (!look || !looks_at_guard(i)) return;
  LLVMValueRef guard = LLVMGetOperand(i, 0);
  LLVMPositionBuilderBefore(c->builder, i);
  LLVMSetCurrentDebugLocation2(c->builder, LLVMInstructionGetDebugLoc(i));
  LLVMReplaceAllUsesWith(i, LLVMBuildCall2(c->builder, LLVMGlobalGetValueType(look), look, &guard, 1, ""));
  LLVMInstructionEraseFromParent(i);
}

/* pthread_exit, too, runs the destructors of what is on the stack. */
static void look_at_exit(Cxx *c, LLVMValueRef i) {
  if (c->unwinds && LLVMIsACallInst(i) && is_named(LLVMGetCalledValue(i), "pthread_exit"))
    c->lack(c->data, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)),
            "ends its thread, and runs destructors then");
}

void cxx_lower(LLVMModuleRef module, CxxLack *lack, void *data) {
  const LLVMContextRef context = LLVMGetModuleContext(module);
  Cxx c = {.module = module,
           .context = context,
           .builder = LLVMCreateBuilderInContext(context),
           .address = pointer_to(LLVMInt8TypeInContext(context)),
           .word = LLVMInt64TypeInContext(context),
           .lack = lack,
           .data = data};
  for_each(&c, look_at);
  for_each(&c, look_at_exit);
  for_each(&c, replace);
  for_each(&c, replace_look);
  define_virtual(&c);
  LLVMDisposeBuilder(c.builder);
}
