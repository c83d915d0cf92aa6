#include "frontend/sml/ast.h"

void ast_init(Ast *ast, Heap *heap) {
  *ast = (Ast){.heap = heap};
  intern_init(&ast->names, heap);
}

void ast_fini(Ast *ast) {
  Heap *heap = ast->heap;
  intern_fini(&ast->names);
  vec_fini(heap, &ast->items);
  vec_fini(heap, &ast->stmts);
  vec_fini(heap, &ast->globals);
  vec_fini(heap, &ast->locals);
  vec_fini(heap, &ast->procs);
  vec_fini(heap, &ast->threads);
  vec_fini(heap, &ast->blocks);
}

const char *ast_name(const Ast *ast, NameId name, Arena *arena) {
  enum { SHOWN = 60 };
  const char *text = ast->names.strings.at[name.v];
  uint32_t length = ast->names.lengths.at[name.v];
  if (length <= SHOWN) return text;
  for (length = SHOWN; ((unsigned char)text[length] & 0xc0) == 0x80;) length--;
  return arena_format(arena, "%.*s...", (int)length, text);
}
