#include "frontend/parser.h"

/* Binary operators: the higher the level the tighter they bind. `!` stands between AND and the comparisons, because
 * by the paper's grammar its operand may be a comparison: `! x = y` is `!(x = y)`. */
enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_NONE = 0 };

static int binary_level(const Parser *p, ExprKind *kind) {
  switch (p->token.kind) {
    case TK_PARALLEL: return *kind = EXPR_OR, p->parens ? LEVEL_OR : LEVEL_NONE;
    case TK_OR: return *kind = EXPR_OR, LEVEL_OR;
    case TK_AND: return *kind = EXPR_AND, LEVEL_AND;
    case TK_LT: return *kind = EXPR_LT, LEVEL_COMPARE;
    case TK_LE: return *kind = EXPR_LE, LEVEL_COMPARE;
    case TK_GT: return *kind = EXPR_GT, LEVEL_COMPARE;
    case TK_GE: return *kind = EXPR_GE, LEVEL_COMPARE;
    case TK_EQ: return *kind = EXPR_EQ, LEVEL_COMPARE;
    case TK_NE: return *kind = EXPR_NE, LEVEL_COMPARE;
    case TK_PLUS: return *kind = EXPR_ADD, LEVEL_SUM;
    case TK_MINUS: return *kind = EXPR_SUBTRACT, LEVEL_SUM;
    case TK_STAR: return *kind = EXPR_MULTIPLY, LEVEL_PRODUCT;
    case TK_SLASH: return *kind = EXPR_DIVIDE, LEVEL_PRODUCT;
    case TK_PERCENT: return *kind = EXPR_MODULO, LEVEL_PRODUCT;
    default: return LEVEL_NONE;
  }
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

/* primary ::= integer | name | 'nondet' | 'true' | 'false' | group */
static bool parse_primary(Parser *p) {
  const Token token = p->token;
  ExprItem item = {.span = token.span};
  switch (token.kind) {
    case TK_LPAREN: return parse_group(p);
    case TK_INTEGER: item.value = token.value; break;
    case TK_TRUE: item.value = 1; break;
    case TK_FALSE: item.value = 0; break;
    case TK_NONDET: item.kind = EXPR_NONDET; break;
    case TK_NAME:
      item.kind = EXPR_NAME;
      item.name = parser_name(p, token.span);
      break;
    case TK_NOT: return parser_expected(p, "an operand", "; put '(' and ')' around the negation");
    default: return parser_expected(p, "an expression", "");
  }
  parser_advance(p);
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
