#include "frontend/sml/ast.h"

#include "program/program.h"

void ast_init(Ast *ast, Heap *heap) {
  *ast = (Ast){.heap = heap};
  intern_init(&ast->names, heap);
}

void ast_fini(Ast *ast) {
  Heap *heap = ast->heap;
  intern_fini(&ast->names);
  vec_fini(heap, &ast->items);
  vec_fini(heap, &ast->stmts);
  vec_fini(heap, &ast->stmt_names);
  vec_fini(heap, &ast->globals);
  vec_fini(heap, &ast->gaps);
  vec_fini(heap, &ast->locals);
  vec_fini(heap, &ast->procs);
  vec_fini(heap, &ast->threads);
  vec_fini(heap, &ast->blocks);
}

const char *ast_name(const Ast *ast, NameId name, Arena *arena) {
  return program_short_name(ast_text(ast, name), arena);
}
