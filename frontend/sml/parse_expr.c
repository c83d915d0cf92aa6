#include "frontend/sml/parser.h"

/* Binary operators: the higher the level the tighter they bind. `!` stands between AND and the comparisons, because
 * by the paper's grammar its operand may be a comparison: `! x = y` is `!(x = y)`. */
enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_NONE = 0 };

static const struct {
  int level;
  ExprKind kind;
} OPERATORS[TK_COUNT] = {
    [TK_PARALLEL] = {LEVEL_OR, EXPR_OR},       [TK_OR] = {LEVEL_OR, EXPR_OR},
    [TK_AND] = {LEVEL_AND, EXPR_AND},          [TK_LT] = {LEVEL_COMPARE, EXPR_LT},
    [TK_LE] = {LEVEL_COMPARE, EXPR_LE},        [TK_GT] = {LEVEL_COMPARE, EXPR_GT},
    [TK_GE] = {LEVEL_COMPARE, EXPR_GE},        [TK_EQ] = {LEVEL_COMPARE, EXPR_EQ},
    [TK_NE] = {LEVEL_COMPARE, EXPR_NE},        [TK_PLUS] = {LEVEL_SUM, EXPR_ADD},
    [TK_MINUS] = {LEVEL_SUM, EXPR_SUBTRACT},   [TK_STAR] = {LEVEL_PRODUCT, EXPR_MULTIPLY},
    [TK_SLASH] = {LEVEL_PRODUCT, EXPR_DIVIDE}, [TK_PERCENT] = {LEVEL_PRODUCT, EXPR_MODULO},
};

static int binary_level(const Parser *p, ExprKind *kind) {
  *kind = OPERATORS[p->token.kind].kind;
  return p->token.kind == TK_PARALLEL && !p->parens ? LEVEL_NONE : OPERATORS[p->token.kind].level;
}

static void push(Parser *p, ExprItem item) { vec_push(p->ast->heap, &p->ast->items, item); }

static bool parse_binary(Parser *p, int level);

/* group ::= '(' or ')' */
static bool parse_group(Parser *p) {
  parser_advance(p);
  p->parens++;
  const bool good =
      parser_enter(p) && parse_binary(p, LEVEL_OR) && parser_expect(p, TK_RPAREN, "to close the parenthesis");
  parser_leave(p);
  p->parens--;
  return good;
}

bool parser_index(Parser *p, Expr *index) {
  const uint32_t start = p->ast->items.n;
  parser_advance(p);
  const uint32_t at = p->token.span.at;
  p->parens++;
  bool good = parser_enter(p) && parse_binary(p, LEVEL_OR);
  parser_leave(p);
  p->parens--;
  if (!good) p->ast->items.n = start;
  *index = (Expr){start, p->ast->items.n - start, {at, good ? p->last.at + p->last.length - at : 1}};
  return good && parser_expect(p, TK_RBRACKET, "after the index");
}

/* name '[' or ']'      the name has been taken */
static bool parse_element(Parser *p, Span name) {
  const uint32_t at = p->ast->items.n;
  Expr index;
  push(p, (ExprItem){.kind = EXPR_ELEMENT, .name = parser_name(p, name)});
  if (!parser_index(p, &index)) return false;
  ExprItem *item = &p->ast->items.at[at];
  item->n_index = index.n;
  item->span = (Span){name.at, p->last.at + p->last.length - name.at};
  return true;
}

/* primary ::= integer | name | element | 'self' | 'nondet' | 'true' | 'false' | group */
static bool parse_primary(Parser *p) {
  const Token token = p->token;
  ExprItem item = {.span = token.span};
  if (token.kind == TK_LPAREN) return parse_group(p);
  if (token.kind == TK_NOT) return parser_expected(p, "an operand", "; put '(' and ')' around the negation");
  if (token.kind == TK_INTEGER) item.value = token.value;
  else if (token.kind == TK_TRUE) item.value = 1;
  else if (token.kind == TK_NONDET) item.kind = EXPR_NONDET;
  else if (token.kind == TK_SELF) item.kind = EXPR_SELF;
  else if (token.kind == TK_NAME) item.kind = EXPR_NAME, item.name = parser_name(p, token.span);
  else if (token.kind != TK_FALSE) return parser_expected(p, "an expression", "");
  parser_advance(p);
  if (token.kind == TK_NAME && parser_at(p, TK_LBRACKET)) return parse_element(p, token.span);
  push(p, item);
  return true;
}

/* unary ::= '-' unary | primary */
static bool parse_unary(Parser *p) {
  if (!parser_at(p, TK_MINUS)) return parse_primary(p);
  const Span span = p->token.span;
  parser_advance(p);
  const bool good = parser_enter(p) && parse_unary(p);
  parser_leave(p);
  if (good) push(p, (ExprItem){.kind = EXPR_NEGATE, .span = span});
  return good;
}

/* not ::= ('!' | 'not') not | compare */
static bool parse_not(Parser *p) {
  const Span span = p->token.span;
  parser_advance(p);
  const bool good = parser_enter(p) && parse_binary(p, LEVEL_NOT);
  parser_leave(p);
  if (good) push(p, (ExprItem){.kind = EXPR_NOT, .span = span});
  return good;
}

/* or      ::= and (('||' | 'or') and)*           '||' inside parentheses only
 * and     ::= not (('&&' | 'and') not)*
 * compare ::= sum (('<' | '<=' | '>' | '>=' | '=' | '!=') sum)?
 * sum     ::= product (('+' | '-') product)*
 * product ::= unary (('*' | '/' | '%') unary)*   all of them: `level` is the loosest operator that is taken */
static bool parse_binary(Parser *p, int level) {
  ExprKind kind;
  if (level <= LEVEL_NOT && parser_at(p, TK_NOT)) {
    if (!parse_not(p)) return false;
  } else if (!parse_unary(p)) {
    return false;
  }
  for (int found, below = LEVEL_PRODUCT; (found = binary_level(p, &kind)) >= level && found; below = found) {
    const Span span = p->token.span;
    if (found == LEVEL_COMPARE && below == LEVEL_COMPARE)
      return parser_expected(p, "no second comparison", "; write '(a < b) && (b < c)' for 'a < b < c'");
    parser_advance(p);
    if (!parse_binary(p, found + 1)) return false;
    push(p, (ExprItem){.kind = kind, .span = span});
  }
  return true;
}

bool parse_expr(Parser *p, Expr *expr) {
  const uint32_t start = p->ast->items.n, at = p->token.span.at;
  const bool good = parse_binary(p, LEVEL_OR);
  if (!good) p->ast->items.n = start;
  *expr = (Expr){start, p->ast->items.n - start, {at, good ? p->last.at + p->last.length - at : 1}};
  return good;
}
