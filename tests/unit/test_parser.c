#include "frontend/sml/parse.h"

#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

/* ---- an AST as text ---- */

static const char *const OPERATORS[] = {"",  "",  "",  "",   "",  "neg", "!", "+",  "-",  "*",
                                        "/", "%", "<", "<=", ">", ">=",  "=", "!=", "&&", "||"};

static void print_name(const Ast *ast, NameId name, FILE *out) { fputs(ast->names.strings.at[name.v], out); }

/* Postfix, with spaces. */
static void print_expr(const Ast *ast, Expr expr, FILE *out) {
  for (uint32_t i = 0; i < expr.n; i++) {
    const ExprItem *item = &ast->items.at[expr.start + i];
    if (i) fputc(' ', out);
    if (item->kind == EXPR_LITERAL) fprintf(out, "%lld", (long long)item->value);
    else if (item->kind == EXPR_SELF) fputs("self", out);
    else if (item->kind == EXPR_ELEMENT) {
      print_name(ast, item->name, out);
      fputc('[', out);
      print_expr(ast, (Expr){.start = expr.start + i + 1, .n = item->n_index}, out);
      fputc(']', out);
      i += item->n_index;
    } else if (item->kind == EXPR_NAME) print_name(ast, item->name, out);
    else fputs(item->kind == EXPR_NONDET ? "?" : OPERATORS[item->kind], out);
  }
}

static void print_list(const Ast *ast, StmtId first, FILE *out);

static void print_stmt(const Ast *ast, const Stmt *s, FILE *out) {
#define KIND(kind, token, word, function, names, atomic, follows) [AST_##kind] = word,
  static const char *const KINDS[] = {[AST_ASSIGN] = "", STATEMENT_ROWS(KIND)};
  fputs(KINDS[s->kind], out);
  if (s->kind == AST_BLOCK) fprintf(out, "%u", s->block);
  if (s->n_names) {
    if (s->kind != AST_ASSIGN) fputc(' ', out);
    print_name(ast, ast_stmt_name(ast, s, 0)->name, out);
    if (ast_stmt_name(ast, s, 0)->index.n) fputc('[', out);
    print_expr(ast, ast_stmt_name(ast, s, 0)->index, out);
    if (ast_stmt_name(ast, s, 0)->index.n) fputc(']', out);
  }
  if (s->kind == AST_ASSIGN) fputs(":=", out);
  if (s->expr.n && s->kind != AST_ASSIGN) fputc(' ', out);
  print_expr(ast, s->expr, out);
  if (s->kind == AST_WHILE || s->kind == AST_IF || s->kind == AST_BLOCK || s->kind == AST_ATOMIC)
    print_list(ast, s->first, out);
  if (s->otherwise.v != STMT_NONE.v) print_list(ast, s->otherwise, out);
}

static void print_list(const Ast *ast, StmtId first, FILE *out) {
  fputc('{', out);
  for (StmtId id = first; id.v != STMT_NONE.v; id = ast_stmt(ast, id)->next) {
    if (id.v != first.v) fputs("; ", out);
    print_stmt(ast, ast_stmt(ast, id), out);
  }
  fputc('}', out);
}

static void print_decls(const Ast *ast, const Decl *decls, uint32_t n, FILE *out) {
  for (uint32_t i = 0; i < n; i++) {
    fputs(decls[i].kind == DECL_LOCK ? "lock " : decls[i].is_bool ? "bool " : "int ", out);
    if (decls[i].kind == DECL_TRACKED) fprintf(out, "%u:%u ", decls[i].n_values, decls[i].initial);
    print_name(ast, decls[i].name, out);
    if (decls[i].is_array && decls[i].size_name.v == NAME_NONE.v) fprintf(out, "[%u]", decls[i].n_elements);
    if (decls[i].is_array && decls[i].size_name.v != NAME_NONE.v)
      fprintf(out, "[%s]", ast->names.strings.at[decls[i].size_name.v]);
    fputs(", ", out);
  }
}

static void print_ast(const Ast *ast, FILE *out) {
  print_decls(ast, ast->globals.at, ast->globals.n, out);
  for (uint32_t i = 0; i < ast->procs.n; i++) {
    fputs("proc ", out);
    print_name(ast, ast->procs.at[i].name, out);
    print_list(ast, ast->procs.at[i].first, out);
  }
  for (uint32_t i = 0; i < ast->threads.n; i++) {
    const Thread *t = &ast->threads.at[i];
    if (i) fputs(" | ", out);
    if (t->is_counted && t->count_name.v == NAME_NONE.v) fprintf(out, "%llu*", (unsigned long long)t->count);
    if (t->is_counted && t->count_name.v != NAME_NONE.v) fprintf(out, "%s*", ast->names.strings.at[t->count_name.v]);
    print_decls(ast, ast->locals.at + t->locals_start, t->locals_end - t->locals_start, out);
    print_list(ast, t->first, out);
  }
}

/* The AST, or "N errors". */
static void parses(const char *text, const char *expected) {
  Heap *heap = heap_new(0);
  Diag diag;
  Ast ast;
  diag_init(&diag, heap, "t.sml", text, strlen(text));
  diag.max_errors = 20;
  ast_init(&ast, heap);
  parse_program(&ast, &diag);
  char *got = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&got, &size);
  if (!out) abort();
  if (diag.n_errors) fprintf(out, "%u errors", diag.n_errors);
  else print_ast(&ast, out);
  fclose(out);
  check_text(got, expected);
  if (strcmp(got, expected) != 0) diag_print(&diag, stdout, false);
  free(got);
  ast_fini(&ast);
  diag_fini(&diag);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* ---- the grammar ---- */

static void empty_programs(void) {
  parses("", "{}");
  parses("// nothing", "{}");
  parses("||", "{} | {}");
  parses(";;", "{}");
  parses("int Y;", "int Y, {}");
  parses("0 * { } || 2 * { skip }", "0*{} | 2*{skip}");
}

static void declarations(void) {
  parses("int X, Y; bool F := true, G; lock l, m; int[3] C := 2; skip",
         "int X, int Y, bool 2:1 F, bool 2:0 G, lock l, lock m, int 3:2 C, {skip}");
  parses("int[5] C := -1, D := 7, E := -10; int Z := -5; skip", "int 5:4 C, int 5:2 D, int 5:0 E, int Z, {skip}");
  parses("int[1] C; int[65535] D; bool E = false; skip", "int 1:0 C, int 65535:0 D, bool 2:0 E, {skip}");
  parses("local bool f := true; local int[4] k, m := 3; skip || local bool f; skip",
         "bool 2:1 f, int 4:0 k, int 4:3 m, {skip} | bool 2:0 f, {skip}");
  parses("lock l; int Y; proc p { Y := 1 } proc q { } call p", "lock l, int Y, proc p{Y:=1}proc q{}{call p}");
}

static void arrays(void) {
  parses("int X[3], Y; int[4] C[N] := 2; lock l[2], m; skip",
         "int X[3], int Y, int 4:2 C[N], lock l[2], lock m, {skip}");
  parses("F[self] := F[(self + 1) % N] + 1; acquire(l[self]) release(l[k])",
         "{F[self]:=F[self 1 + N %] 1 +; acquire l[self]; release l[k]}");
  parses("if (F[a || b] && G[1] = 2) { }", "{if F[a b ||] G[1] 2 = &&{}}");
  parses("x := F[G[1]]", "{x:=F[G[1]]}");
  parses("F[] := 1; x := F[1; F[2", "3 errors");
  parses("int X[; int Y[-1]; lock l[2; skip", "3 errors");
}

static void statements(void) {
  parses("x := 1 y := 2; z := 3;;", "{x:=1; y:=2; z:=3}");
  parses("while (a) { skip } if (b) { skip } else { x := 1; } if (c) { }", "{while a{skip}; if b{skip}{x:=1}; if c{}}");
  parses("if (a) { } else if (b) { skip } else if (c) { } else { x := 1 }; skip",
         "{if a{}{if b{skip}{if c{}{x:=1}}}; skip}");
  parses("if (a) { } else if (b) { } x := 1", "{if a{}{if b{}}; x:=1}");
  parses("begin x := 1 begin:B y := 2 end; end begin end", "{begin0{x:=1; begin1 B{y:=2}}; begin2{}}");
  parses("acquire(l) release(l); atomic { x := 1 } await (y = 2) call p",
         "{acquire l; release l; atomic{x:=1}; await y 2 =; call p}");
  parses("N * { local bool f; f := true };", "N*bool 2:0 f, {f:=1}");
  parses("x = 1; y = x = 1", "{x:=1; y:=x 1 =}");
}

static void expressions(void) {
  parses("x := 1 + 2 * 3 - 4", "{x:=1 2 3 * + 4 -}");
  parses("x := (1 + 2) * -3 / - -y % 5", "{x:=1 2 + 3 neg * y neg neg / 5 %}");
  parses("x := a - b - c", "{x:=a b - c -}");
  parses("x := nondet + true - false", "{x:=? 1 + 0 -}");
  parses("x := a or b and c or d", "{x:=a b c && || d ||}");
  parses("x := (a || b && c)", "{x:=a b c && ||}");
  parses("x := !a = b", "{x:=a b = !}");
  parses("x := !a && not !b", "{x:=a ! b ! ! &&}");
  parses("x := a + 1 < b * 2 and c != d", "{x:=a 1 + b 2 * < c d != &&}");
  parses("x := (a < b) = (c < d)", "{x:=a b < c d < =}");
  parses("if (a ≤ b ∨ ¬ c ≥ d ∧ e ≠ 1) { }", "{if a b <= c d >= ! e 1 != && ||{}}");
}

static void the_bars_separate_threads_or_mean_or(void) {
  parses("x := a || y := b", "{x:=a} | {y:=b}");
  parses("if (a || b) { skip } || while (c || d) { }", "{if a b ||{skip}} | {while c d ||{}}");
  parses("x := (a || b) || y := 1", "{x:=a b ||} | {y:=1}");
}

static void the_papers_programs(void) {
  parses("lock l ; int Y;\nbegin\nacquire(l)\nY := 5;\nY := 3\nrelease(l)\nend\n||\nx := Y - 2\n",
         "lock l, int Y, {begin0{acquire l; Y:=5; Y:=3; release l}} | {x:=Y 2 -}");
  parses("lock l ; int Y;\nbegin\nacquire(l)\nY := 5;\nY := 3\nrelease(l)\nend\n||\nacquire(l)\nx := Y − 2\nrelease(l)",
         "lock l, int Y, {begin0{acquire l; Y:=5; Y:=3; release l}} | {acquire l; x:=Y 2 -; release l}");
  parses("int X, Y; t = X || begin X = 1 Y = 1 end || r=Y", "int X, int Y, {t:=X} | {begin0{X:=1; Y:=1}} | {r:=Y}");
}

static void several_errors_are_found_in_one_go(void) {
  parses("int X\nskip || x := ; y := 1 || skip", "2 errors");
  parses("x := 1 + ; y := * 2; while z { x := } acquire(; skip", "5 errors");
  parses("if (x < ) { y := ( } else { z := ) }", "3 errors");
  parses("begin x := 1 || begin y := 2 end", "1 errors");
  parses("while (true) { while (true) { skip || x := ) ; skip", "2 errors");
  parses("proc { skip } x := 1 y", "2 errors");
  parses("a < b", "1 errors");
  parses("x := a < b < c", "1 errors");
  parses("x := 1 + !y", "1 errors");
  parses("int[0] X; int[65536] Y; int[] Z; int[-1] W; local int x; skip", "5 errors");
  parses("atomic { while (x) { } acquire(l) begin skip end }", "3 errors");
  parses("skip int X; local bool f; proc p { }", "3 errors");
  parses("2 * { skip } skip || 3 * skip", "2 errors");
  parses("skip } skip end else { }", "3 errors");
  parses("begin:3 skip end", "1 errors");
}

static void errors_have_an_end(void) {
  char text[2001];
  for (int i = 0; i < 2000; i += 2) memcpy(text + i, ": ", 2);
  text[2000] = '\0';
  parses(text, "1 errors");
  for (int i = 0; i < 2000; i += 2) memcpy(text + i, "x;", 2);
  parses(text, "20 errors");
}

static char *repeat(const char *before, const char *part, const char *middle, const char *end, int n) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  fputs(before, out);
  for (int i = 0; i < n; i++) fputs(part, out);
  fputs(middle, out);
  for (int i = 0; i < n; i++) fputs(end, out);
  fclose(out);
  return text;
}

static void nests(const char *before, const char *part, const char *middle, const char *end) {
  char *deep = repeat(before, part, middle, end, PARSE_MAX_DEPTH - 1);
  char *deeper = repeat(before, part, middle, end, PARSE_MAX_DEPTH + 1);
  SmlCase good = sml_case(deep), bad = sml_case(deeper);
  CU_ASSERT_PTR_NOT_NULL(good.net);
  CU_ASSERT_PTR_NULL(bad.net);
  CU_ASSERT_EQUAL(bad.diag.n_errors, 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(bad.messages, "nested deeper than 1000 levels"));
  sml_case_end(&good);
  sml_case_end(&bad);
  free(deep);
  free(deeper);
}

static void nesting_has_a_limit(void) {
  nests("", "while (x) { ", "skip", "}");
  nests("", "if (x) { skip } else { ", "skip", "}");
  nests("if (x) { }", "else if (x) { skip } ", "", "");
  nests("", "begin ", "skip", " end");
  nests("", "atomic { ", "skip", "}");
  nests("x := ", "(", "1", ")");
  nests("x := ", "- ", "1", "");
  nests("x := ", "!", "1", "");
}

void suite_parser(void) {
  CU_pSuite suite = CU_add_suite("parser", NULL, NULL);
  CU_ADD_TEST(suite, empty_programs);
  CU_ADD_TEST(suite, declarations);
  CU_ADD_TEST(suite, arrays);
  CU_ADD_TEST(suite, statements);
  CU_ADD_TEST(suite, expressions);
  CU_ADD_TEST(suite, the_bars_separate_threads_or_mean_or);
  CU_ADD_TEST(suite, the_papers_programs);
  CU_ADD_TEST(suite, several_errors_are_found_in_one_go);
  CU_ADD_TEST(suite, errors_have_an_end);
  CU_ADD_TEST(suite, nesting_has_a_limit);
}
