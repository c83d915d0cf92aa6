#include "frontend/c/prepare.h"

#include "frontend/c/by_value.h"
#include "frontend/c/copied.h"
#include "frontend/c/cxx_threads.h"
#include "frontend/c/destructors.h"
#include "frontend/c/key_destructors.h"
#include "frontend/c/literals.h"
#include "frontend/c/member_pointers.h"
#include "frontend/c/ternaries.h"
#include "frontend/c/throws.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

static bool run_passes(const InFile *file, LLVMModuleRef module, const char *passes, Err *err) {
  const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  err_set(err, ERR_INPUT, "%.300s: %.300s", file->name, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* A call that may be left by an exception becomes one that is not; what would come then is not come to. The pass was
 * renamed. */
static bool lower_invokes(const InFile *file, LLVMModuleRef module, Err *err) {
  return run_passes(file, module, "function(lower-invoke)", err) ||
         run_passes(file, module, "function(lowerinvoke)", err);
}

/* ---- numbers that nobody changes ---- */

static bool is_only_loaded(LLVMValueRef global, LLVMTypeRef type) {
  for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsALoadInst(user) || LLVMTypeOf(user) != type || LLVMGetVolatile(user)) return false;
  }
  return true;
}

/* `static int threads = 4;`: what nothing is done to but to load it is its number, so that loops can be unrolled. No
 * dependence comes from such a load. */
static void be_constants(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    const LLVMValueRef number = LLVMIsDeclaration(g) ? NULL : LLVMGetInitializer(g);
    if (!number || !LLVMIsAConstantInt(number) || !is_only_loaded(g, LLVMTypeOf(number))) continue;
    for (LLVMUseRef use; (use = LLVMGetFirstUse(g));) {
      const LLVMValueRef load = LLVMGetUser(use);
      LLVMReplaceAllUsesWith(load, number);
      LLVMInstructionEraseFromParent(load);
    }
  }
}

/* ---- loops that create threads, and those beside them, go round as often as they do ---- */

/* More rounds stay a loop. */
enum { MOST_ROUNDS = 16 };

#define EACH(kind, v, llvm) (LLVMValueRef v = LLVMGetFirst##kind(llvm); v; v = LLVMGetNext##kind(v))
#define EACH_BLOCK(b, f) (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))

static bool creates_threads(LLVMValueRef function) {
  for
    EACH_BLOCK(b, function) {
      for
        EACH(Instruction, i, b) {
          if (LLVMGetInstructionOpcode(i) != LLVMCall) continue;
          size_t length;
          const LLVMValueRef callee = LLVMGetCalledValue(i);
          if (LLVMIsAFunction(callee) && strcmp(LLVMGetValueName2(callee, &length), "pthread_create") == 0) return true;
        }
    }
  return false;
}

/* What they are given is often a structure that is assigned as a whole, and copied by who is given it. */
static void store_arguments(Heap *heap, LLVMModuleRef module) {
  for
    EACH(Function, f, module) {
      if (creates_threads(f)) literals_lower(heap, f);
      copied_lower(heap, f);
    }
}

static bool is_small(LLVMValueRef value, int64_t *number) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) return false;
  *number = LLVMConstIntGetSExtValue(value);
  return *number > -MOST_ROUNDS * MOST_ROUNDS && *number < MOST_ROUNDS * MOST_ROUNDS;
}

/* It counts from a constant, by a constant. The block that goes back to it with the next number; NULL: it does not. */
static LLVMBasicBlockRef counts_in(LLVMValueRef phi, int64_t *first, int64_t *step) {
  LLVMBasicBlockRef latch = NULL;
  bool comes_in = false;
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) return NULL;
  for (unsigned i = 0; i < 2; i++) {
    const LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (is_small(value, first)) comes_in = true;
    else if (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
             LLVMGetOperand(value, 0) == phi && is_small(LLVMGetOperand(value, 1), step))
      latch = LLVMGetIncomingBlock(phi, i);
  }
  return comes_in ? latch : NULL;
}

/* Where the block is a loop's, which is left at a constant, after a few rounds as it seems: the block that goes back to
 * it. Whether it is so, LLVM finds out. */
static LLVMBasicBlockRef latch_of(LLVMBasicBlockRef header) {
  const LLVMValueRef branch = LLVMGetBasicBlockTerminator(header);
  int64_t first = 0, step = 0, end = 0;
  if (!branch || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return NULL;
  const LLVMValueRef test = LLVMGetCondition(branch);
  if (!LLVMIsAICmpInst(test) || !is_small(LLVMGetOperand(test, 1), &end)) return NULL;
  const LLVMBasicBlockRef latch = counts_in(LLVMGetOperand(test, 0), &first, &step);
  if (!latch || !step || LLVMGetInstructionParent(LLVMGetOperand(test, 0)) != header) return NULL;
  const int64_t rounds = (end - first) / step;
  return rounds >= 0 && rounds <= MOST_ROUNDS ? latch : NULL;
}

/* Says to LLVM: this loop shall be unrolled. What says it is a node with itself in it. */
static void ask_to_unroll(LLVMContextRef context, LLVMBasicBlockRef latch) {
  const char *const LOOP = "llvm.loop", *const FULL = "llvm.loop.unroll.full";
  LLVMMetadataRef full = LLVMMDStringInContext2(context, FULL, strlen(FULL));
  LLVMMetadataRef parts[2] = {LLVMTemporaryMDNode(context, NULL, 0), LLVMMDNodeInContext2(context, &full, 1)};
  const LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 2);
  LLVMMetadataReplaceAllUsesWith(parts[0], node);
  LLVMSetMetadata(LLVMGetBasicBlockTerminator(latch), LLVMGetMDKindIDInContext(context, LOOP, (unsigned)strlen(LOOP)),
                  LLVMMetadataAsValue(context, node));
}

/* What unrolls shall take no access away. */
static void keep_accesses(LLVMValueRef function) {
  for
    EACH_BLOCK(b, function) {
      for
        EACH(Instruction, i, b) {
          const LLVMOpcode kind = LLVMGetInstructionOpcode(i);
          if (kind == LLVMLoad || kind == LLVMStore) LLVMSetVolatile(i, true);
        }
    }
}

static bool ask_for_loops(LLVMModuleRef module) {
  bool found = false;
  for
    EACH(Function, f, module) {
      if (!creates_threads(f)) continue;
      for
        EACH_BLOCK(b, f) {
          const LLVMBasicBlockRef latch = latch_of(b);
          if (!latch) continue;
          found = true;
          ask_to_unroll(LLVMGetModuleContext(module), latch);
        }
    }
  return found;
}

/* What one loop has counted may be the end of the next one: so there are a few rounds. */
static bool unroll(const InFile *file, LLVMModuleRef module, Err *err) {
  enum { MOST = 3 };
  for (int round = 0; round < MOST && ask_for_loops(module); round++) {
    for
      EACH(Function, f, module) keep_accesses(f);
    if (!run_passes(file, module, "function(loop-unroll<O1;no-partial;no-runtime;no-peeling;no-upperbound>,sccp)", err))
      return false;
  }
  return true;
}

/* ---- what runs before main ---- */

/* A row of llvm.global_ctors: a priority, a function, and what it belongs to. */
static LLVMValueRef function_of_row(LLVMValueRef row) {
  const LLVMValueRef function = LLVMIsAConstantStruct(row) ? LLVMGetOperand(row, 1) : NULL;
  return function && LLVMIsAFunction(function) ? function : NULL;
}

static uint64_t priority_of(LLVMValueRef row) { return LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)); }

static LLVMValueRef rows_of(LLVMModuleRef module, const char *name) {
  const LLVMValueRef global = LLVMGetNamedGlobal(module, name), rows = global ? LLVMGetInitializer(global) : NULL;
  return rows && LLVMIsAConstantArray(rows) ? rows : NULL;
}

/* Calls it there. False: it is not understood how. */
static bool call_before(LLVMBuilderRef builder, LLVMValueRef function) {
  if (!function || LLVMCountParams(function)) return false;
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
  return true;
}

/* The next row behind that one, of that priority or more: the first of the least. */
static int next_row(LLVMValueRef rows, int n, int last) {
  int next = -1;
  for (int i = 0; i < n; i++) {
    const uint64_t priority = priority_of(LLVMGetOperand(rows, (unsigned)i));
    if (last >= 0) {
      const uint64_t before = priority_of(LLVMGetOperand(rows, (unsigned)last));
      if (priority < before || (priority == before && i <= last)) continue;
    }
    if (next < 0 || priority < priority_of(LLVMGetOperand(rows, (unsigned)next))) next = i;
  }
  return next;
}

/* Calls all constructors at the beginning of main, by priority. */
static void call_constructors(LLVMModuleRef module, CxxLack *lack, void *data) {
  const LLVMValueRef rows = rows_of(module, "llvm.global_ctors"), main = LLVMGetNamedFunction(module, "main");
  if (!rows || !main || LLVMIsDeclaration(main)) return;
  const LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  const int n = LLVMGetNumOperands(rows);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main)));
  for (int i = next_row(rows, n, -1); i >= 0; i = next_row(rows, n, i)) {
    const LLVMValueRef function = function_of_row(LLVMGetOperand(rows, (unsigned)i));
    if (!call_before(builder, function)) lack(data, function, "runs before main");
  }
  LLVMDisposeBuilder(builder);
}

/* ---- the whole ---- */

bool prepare_module(Heap *heap, const InFile *file, LLVMModuleRef module, CxxLack *lack, void *data, Err *err) {
  throws_lower(heap, module);
  if (!lower_invokes(file, module, err)) return false;
  member_pointers_lower(module);
  cxx_lower(module, lack, data);
  key_destructors_lower(heap, module);
  by_value_lower(module, lack, data);
  be_constants(module);
  call_constructors(module, lack, data);
  destructors_lower(heap, module, lack, data);
  ternaries_lower(module);
  if (!run_passes(file, module, "function(lower-expect,mem2reg)", err)) return false;
  cxx_threads_lower(module);
  if (!run_passes(file, module, "function(mem2reg)", err)) return false;
  cxx_threads_settle(module);
  store_arguments(heap, module);
  return unroll(file, module, err);
}
