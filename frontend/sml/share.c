#include "frontend/sml/share.h"

#include <string.h>

static void use_expr(const Ast *ast, const Symbols *symbols, Expr expr, uint8_t *uses) {
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    const ExprItem *item = &ast->items.at[i];
    if (item->kind != EXPR_NAME) continue;
    const uint32_t global = symbols->global_of.at[item->name.v];
    if (global != SYMBOL_NONE) uses[global] |= USE_READ;
  }
}

void share_uses(const Ast *ast, const Symbols *symbols, const Flow *flow, uint8_t *uses) {
  if (ast->globals.n) memset(uses, 0, ast->globals.n);
  for (uint32_t i = 0; i < flow->ops.n; i++) {
    const Op *op = &flow->ops.at[i];
    if (op->kind != OP_ASSIGN && op->kind != OP_TEST && op->kind != OP_AWAIT) continue;
    const Stmt *s = ast_stmt(ast, op->stmt);
    use_expr(ast, symbols, s->expr, uses);
    const uint32_t global = op->kind == OP_ASSIGN ? symbols->global_of.at[s->name.v] : SYMBOL_NONE;
    if (global != SYMBOL_NONE) uses[global] |= USE_WRITE;
  }
}

typedef struct {
  uint64_t users;
  bool written;
} Totals;

static Share decide(const Decl *decl, Totals totals, Encoding encoding) {
  if (decl->kind == DECL_LOCK) return SHARE_LOCK;
  if (decl->kind == DECL_INT) return SHARE_ABSTRACT;
  if (encoding == ENCODING_PAPER) return SHARE_TRACKED;
  if (!totals.written) return SHARE_CONSTANT;
  return totals.users <= 1 ? SHARE_FOLDED : SHARE_TRACKED;
}

void share_decide(const Ast *ast, const Symbols *symbols, const Flow *flows, Encoding encoding, Share *share) {
  Heap *heap = ast->heap;
  const uint32_t n = ast->globals.n;
  Totals *totals = heap_zeroed(heap, n * sizeof *totals);
  uint8_t *uses = heap_alloc(heap, n);
  for (uint32_t t = 0; t < ast->threads.n; t++) {
    share_uses(ast, symbols, &flows[t], uses);
    for (uint32_t i = 0; i < n; i++)
      if (uses[i]) {
        totals[i].users += ast->threads.at[t].count;
        totals[i].written |= (uses[i] & USE_WRITE) != 0;
      }
  }
  for (uint32_t i = 0; i < n; i++) share[i] = decide(&ast->globals.at[i], totals[i], encoding);
  heap_release(heap, totals);
  heap_release(heap, uses);
}
