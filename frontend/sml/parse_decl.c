#include "frontend/sml/parser.h"

#include "program/program.h"

#include <string.h>

/* After an error in a declaration: goes on after its ';', or before what can only stand after it. */
static void skip_declaration(Parser *p) {
  while (!parser_at(p, TK_EOF) && !parser_at(p, TK_SEMICOLON) && !parser_at(p, TK_PROC) && !parser_at(p, TK_LOCAL) &&
         !parser_at(p, TK_PARALLEL) && !parser_at(p, TK_BEGIN) && !parser_at(p, TK_INT) && !parser_at(p, TK_BOOL) &&
         !parser_at(p, TK_LOCK) && !parser_at(p, TK_RBRACE))
    parser_advance(p);
  parser_accept(p, TK_SEMICOLON);
}

/* Is the number that was just taken the K of an int[K]? */
static bool check_range(Parser *p, int64_t k) {
  if (k >= 1 && k <= PROGRAM_MAX_VALUES) return true;
  diag_add(p->diag, LEVEL_ERROR, NULL, p->last.at, p->last.length,
           "int[K] has the values 0 to K - 1, for a K from 1 to %d, not %lld", PROGRAM_MAX_VALUES, (long long)k);
  return false;
}

/* type ::= 'int' | 'bool' | 'int' '[' K ']'      `local` wants one that is tracked */
static bool parse_type(Parser *p, bool local, Decl *type) {
  *type = (Decl){.kind = DECL_INT, .n_values = 0};
  if (parser_accept(p, TK_BOOL)) {
    *type = (Decl){.kind = DECL_TRACKED, .n_values = 2, .is_bool = true};
    return true;
  }
  if (!parser_expect(p, TK_INT, local ? "or 'bool' after 'local'" : "or 'bool'")) return false;
  if (!parser_accept(p, TK_LBRACKET)) {
    if (!local) return true;
    diag_add(p->diag, LEVEL_ERROR, NULL, p->last.at, p->last.length,
             "a local is 'bool' or 'int[K]'; one without a known value needs no declaration");
    return false;
  }
  const Token k = p->token;
  if (!parser_expect(p, TK_INTEGER, "of values in 'int[K]'")) return false;
  const bool good = check_range(p, k.value);
  *type = (Decl){.kind = DECL_TRACKED, .n_values = good ? (uint32_t)k.value : 1};
  return parser_expect(p, TK_RBRACKET, "after the number of values");
}

/* Stores the start value of a tracked variable, modulo K. */
static void set_initial(Parser *p, Decl *decl, bool negative, int64_t value, Span span) {
  if (decl->kind != DECL_TRACKED) return;
  const int64_t rest = value % (int64_t)decl->n_values;
  decl->initial = (uint32_t)(negative && rest ? decl->n_values - rest : rest);
  if ((negative && value) || value >= (int64_t)decl->n_values)
    diag_add(p->diag, LEVEL_WARNING, "modulo-wrap", span.at, span.length,
             "the value is outside 0 to %u; it is taken modulo %u", decl->n_values - 1, decl->n_values);
}

/* literal ::= '-'? integer | 'true' | 'false' */
static bool parse_initial(Parser *p, Decl *decl) {
  const bool negative = parser_accept(p, TK_MINUS);
  const Token token = p->token;
  if (!negative && (parser_accept(p, TK_TRUE) || parser_accept(p, TK_FALSE))) {
    set_initial(p, decl, false, token.kind == TK_TRUE, token.span);
    return true;
  }
  if (!parser_accept(p, TK_INTEGER)) return parser_expected(p, "a number, 'true' or 'false'", "");
  set_initial(p, decl, negative, token.value, token.span);
  return true;
}

/* '[' (integer | name) ']' */
static bool parse_size(Parser *p, Decl *decl) {
  parser_advance(p);
  const Token size = p->token;
  decl->is_array = true;
  decl->size_span = size.span;
  if (parser_accept(p, TK_INTEGER)) {
    if (size.value > PROGRAM_MAX_VALUES)
      diag_add(p->diag, LEVEL_ERROR, NULL, size.span.at, size.span.length, "an array has at most %d elements, not %lld",
               PROGRAM_MAX_VALUES, (long long)size.value);
    else decl->n_elements = (uint32_t)size.value;
  } else if (parser_accept(p, TK_NAME)) {
    decl->size_name = parser_name(p, size.span);
  } else {
    return parser_expected(p, "a number of elements, or a name that -D sets,", "");
  }
  return parser_expect(p, TK_RBRACKET, "after the number of elements");
}

/* ---- semaphores and reader-writer locks ---- */

/* Is that the next token: a word that is a name elsewhere? */
static bool at_word(Parser *p, const char *word) {
  const Span span = p->token.span;
  return parser_at(p, TK_NAME) && span.length == strlen(word) && !memcmp(p->diag->text + span.at, word, span.length);
}

static bool at_sem(Parser *p) {
  return at_word(p, "sem") && (parser_peek(p) == TK_NAME || parser_peek(p) == TK_LBRACKET);
}

static bool at_rwlock(Parser *p) { return at_word(p, "rwlock") && parser_peek(p) == TK_NAME; }

/* The number, from `least` to `most`; else an error, and `least`. */
static uint32_t parse_number(Parser *p, const char *what, uint32_t least, uint32_t most) {
  const Token token = p->token;
  if (!parser_expect(p, TK_INTEGER, what)) return least;
  if (token.value >= least && token.value <= most) return (uint32_t)token.value;
  diag_add(p->diag, LEVEL_ERROR, NULL, token.span.at, token.span.length,
           "the number of a semaphore is from %u to %u here, not %lld", least, most, (long long)token.value);
  return least;
}

/* name size? '=' K      `most`: what it counts to, or 0: to K, but at least to 1 */
static bool parse_semaphore(Parser *p, uint32_t most) {
  Decl decl = {.kind = DECL_SEM, .span = p->token.span, .n_elements = 1, .size_name = NAME_NONE};
  if (!parser_expect(p, TK_NAME, "for the semaphore")) return false;
  decl.name = parser_name(p, decl.span);
  if (parser_at(p, TK_LBRACKET) && !parse_size(p, &decl)) return false;
  if (!parser_assigns(p)) return parser_expected(p, "'=' and the number that the semaphore starts with", "");
  decl.initial = parse_number(p, "that the semaphore starts with", 0, most ? most : PROGRAM_MAX_VALUES - 1);
  decl.n_values = (most ? most : decl.initial ? decl.initial : 1) + 1;
  vec_push(p->ast->heap, &p->ast->globals, decl);
  return true;
}

/* decl ::= 'sem' ('[' M ']')? semaphore (',' semaphore)* ';' */
static void parse_semaphores(Parser *p) {
  uint32_t most = 0;
  bool good = true;
  parser_advance(p);
  if (parser_accept(p, TK_LBRACKET)) {
    most = parse_number(p, "that the semaphore counts to", 1, PROGRAM_MAX_VALUES - 1);
    good = parser_expect(p, TK_RBRACKET, "after the number that the semaphore counts to");
  }
  if (good) {
    do good = parse_semaphore(p, most);
    while (good && parser_accept(p, TK_COMMA));
  }
  if (!good || !parser_expect(p, TK_SEMICOLON, "after the declaration")) skip_declaration(p);
}

/* decl ::= 'rwlock' name (',' name)* ';' */
static void parse_rwlocks(Parser *p) {
  bool good;
  parser_advance(p);
  do {
    Decl decl = {.kind = DECL_RWLOCK, .span = p->token.span, .n_elements = 1, .size_name = NAME_NONE, .n_values = 2};
    decl.is_bool = true;
    good = parser_expect(p, TK_NAME, "for the reader-writer lock");
    if (!good) break;
    decl.name = parser_name(p, decl.span);
    vec_push(p->ast->heap, &p->ast->globals, decl);
  } while (parser_accept(p, TK_COMMA));
  if (good && parser_at(p, TK_LBRACKET))
    good = parser_expected(p, "';' after the declaration", "; there are no arrays of reader-writer locks");
  if (!good || !parser_expect(p, TK_SEMICOLON, "after the declaration")) skip_declaration(p);
}

/* ---- gaps ---- */

static bool at_gap(Parser *p) { return at_word(p, "gap") && parser_peek(p) == TK_NAME; }

/* decl ::= 'gap' name ... ';'      whatever words */
static void parse_gap(Parser *p) {
  parser_advance(p);
  Span span = p->token.span;
  while (!parser_at(p, TK_SEMICOLON) && !parser_at(p, TK_EOF)) parser_advance(p);
  span.length = p->last.at + p->last.length - span.at;
  if (parser_expect(p, TK_SEMICOLON, "after what the program lacks")) vec_push(p->ast->heap, &p->ast->gaps, span);
}

/* declared ::= name size? (':=' literal)?      the paper's '=' stands for ':=' */
static bool parse_declared(Parser *p, Decl decl, bool local) {
  decl.span = p->token.span;
  decl.n_elements = 1;
  decl.size_name = NAME_NONE;
  if (!parser_expect(p, TK_NAME, decl.kind == DECL_LOCK ? "for the lock" : "for the variable")) return false;
  decl.name = parser_name(p, decl.span);
  if (!local && parser_at(p, TK_LBRACKET) && !parse_size(p, &decl)) return false;
  const bool starts = decl.kind != DECL_LOCK && parser_assigns(p);
  const bool good = !starts || parse_initial(p, &decl);
  if (local) vec_push(p->ast->heap, &p->ast->locals, decl);
  else vec_push(p->ast->heap, &p->ast->globals, decl);
  return good;
}

/* decl  ::= type declared (',' declared)* ';'  |  'lock' name size? (',' name size?)* ';'
 * local ::= 'local' type declared (',' declared)* ';' */
static void parse_declaration(Parser *p, bool local) {
  Decl type = {.kind = DECL_LOCK};
  bool good = (!local && parser_accept(p, TK_LOCK)) || parse_type(p, local, &type);
  if (good) {
    do good = parse_declared(p, type, local);
    while (good && parser_accept(p, TK_COMMA));
  }
  if (good && local && parser_at(p, TK_LBRACKET))
    good = parser_expected(p, "';' after the declaration", "; arrays are declared at the top of the program");
  if (!good || !parser_expect(p, TK_SEMICOLON, "after the declaration")) skip_declaration(p);
}

static bool is_type(TokenKind kind) { return kind == TK_INT || kind == TK_BOOL || kind == TK_LOCK; }

/* May the keyword begin a declaration, with `next` after it? */
static bool fits_declaration(TokenKind keyword, TokenKind next) {
  return ((is_type(keyword) || keyword == TK_PROC) && next == TK_NAME) || (keyword == TK_INT && next == TK_LBRACKET);
}

static bool fits_local(TokenKind keyword, TokenKind next) { return keyword == TK_LOCAL && is_type(next); }

/* "volatile int x;" goes on at the type, "var x;" after it. */
static bool skip_foreign(Parser *p) {
  const bool declares = parser_at(p, TK_NAME) && (parser_peek(p) == TK_NAME || is_type(parser_peek(p)));
  if (!declares || !parser_foreign(p, true)) return false;
  parser_advance(p);
  if (!is_type(p->token.kind)) skip_declaration(p);
  return true;
}

void parse_globals(Parser *p) {
  for (;;) {
    if (parser_at(p, TK_INT) || parser_at(p, TK_BOOL) || parser_at(p, TK_LOCK)) parse_declaration(p, false);
    else if (at_sem(p)) parse_semaphores(p);
    else if (at_rwlock(p)) parse_rwlocks(p);
    else if (at_gap(p)) parse_gap(p);
    else if (!parser_respell(p, fits_declaration) && !skip_foreign(p)) return;
    if (parser_at(p, TK_PROC)) return;
  }
}

void parse_locals(Parser *p) {
  while (parser_at(p, TK_LOCAL) || parser_respell(p, fits_local)) {
    parser_advance(p);
    parse_declaration(p, true);
  }
}
