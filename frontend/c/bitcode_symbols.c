/* What a file of bitcode defines for others, and what it needs of them. */
#include "frontend/c/bitcode_inside.h"

#include <llvm-c/Core.h>

#include <string.h>

static bool is_alike(LLVMLinkage linkage) { return linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage; }

/* What C calls an inline function has its code here, and is to be defined elsewhere. What is weak and not defined may
 * be nowhere: it makes no other file a part of the program. */
static BitcodeSymbolKind kind_of(LLVMValueRef value) {
  const LLVMLinkage linkage = LLVMGetLinkage(value);
  if (linkage == LLVMAvailableExternallyLinkage) return SYMBOL_NEEDED;
  if (LLVMIsDeclaration(value))
    return linkage == LLVMExternalLinkage && LLVMGetFirstUse(value) ? SYMBOL_NEEDED : SYMBOL_OWN;
  if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage || linkage == LLVMAppendingLinkage)
    return SYMBOL_OWN;
  if (linkage == LLVMExternalLinkage) return SYMBOL_DEFINED;
  return is_alike(linkage) ? SYMBOL_ALIKE : SYMBOL_WEAK;
}

static void add(Heap *heap, LLVMValueRef value, BitcodeSymbols *symbols) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  const BitcodeSymbolKind kind = kind_of(value);
  if (kind == SYMBOL_OWN || strncmp(name, "llvm.", 5) == 0) return;
  char *copy = heap_alloc(heap, length + 1);
  memcpy(copy, name, length);
  copy[length] = '\0';
  vec_push(heap, &symbols->all, ((BitcodeSymbol){copy, kind}));
}

static void add_all(Heap *heap, LLVMModuleRef module, BitcodeSymbols *symbols) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) add(heap, f, symbols);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) add(heap, g, symbols);
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a)) add(heap, a, symbols);
  for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i)) add(heap, i, symbols);
  symbols->is_run = LLVMGetNamedGlobal(module, "llvm.global_ctors") || LLVMGetNamedGlobal(module, "llvm.global_dtors");
}

bool bitcode_symbols(Heap *heap, const InFile *file, BitcodeSymbols *symbols, Err *err) {
  const LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  const bool good = bitcode_link_all(context, file, 1, &module, err);
  if (good) {
    add_all(heap, module, symbols);
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  return good;
}
