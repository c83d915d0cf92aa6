#include "frontend/sml/lex.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

/* ORDER TK */
#define WORD_OF(ast, token, word, ...) word,
static const char *const KEYWORDS[] = {
    "int",  "bool",  "lock", "proc", "local", STATEMENT_ROWS(WORD_OF) "else", "end", "nondet", "self",
    "true", "false", "or",   "and",  "not",
};
enum { N_KEYWORDS = sizeof KEYWORDS / sizeof *KEYWORDS };
_Static_assert(N_KEYWORDS == TK_NOT - TK_INT + 1, "ORDER TK");

/* ORDER TK */
#define QUOTED_WORD(ast, token, word, ...) "'" word "'",
static const char *const NAMES[] = {
    "the end of the program",
    "a name",
    "a number",
    "'int'",
    "'bool'",
    "'lock'",
    "'proc'",
    "'local'",
    STATEMENT_ROWS(QUOTED_WORD) "'else'",
    "'end'",
    "'nondet'",
    "'self'",
    "'true'",
    "'false'",
    "'or'",
    "'and'",
    "'not'",
    "':='",
    "'||'",
    "';'",
    "','",
    "':'",
    "'('",
    "')'",
    "'{'",
    "'}'",
    "'['",
    "']'",
    "'+'",
    "'-'",
    "'*'",
    "'/'",
    "'%'",
    "'<'",
    "'<='",
    "'>'",
    "'>='",
    "'='",
    "'!='",
};
_Static_assert(sizeof NAMES / sizeof *NAMES == TK_COUNT, "ORDER TK");

const char *lex_keyword(TokenKind keyword) {
  assert(keyword >= TK_INT && keyword <= TK_NOT);
  return KEYWORDS[keyword - TK_INT];
}

const char *lex_token_name(TokenKind kind) { return NAMES[kind]; }

/* Operators and marks; of two that fit, the longer stands first. */
static const struct {
  const char *text;
  TokenKind kind;
} MARKS[] = {
    {":=", TK_ASSIGN},  {"||", TK_PARALLEL}, {"&&", TK_AND},      {"<=", TK_LE},    {">=", TK_GE},
    {"==", TK_EQ},      {"!=", TK_NE},       {";", TK_SEMICOLON}, {",", TK_COMMA},  {":", TK_COLON},
    {"(", TK_LPAREN},   {")", TK_RPAREN},    {"{", TK_LBRACE},    {"}", TK_RBRACE}, {"[", TK_LBRACKET},
    {"]", TK_RBRACKET}, {"+", TK_PLUS},      {"-", TK_MINUS},     {"*", TK_STAR},   {"/", TK_SLASH},
    {"%", TK_PERCENT},  {"<", TK_LT},        {">", TK_GT},        {"=", TK_EQ},     {"!", TK_NOT},
    {"≤", TK_LE},       {"≥", TK_GE},        {"≠", TK_NE},        {"∨", TK_OR},     {"∧", TK_AND},
    {"¬", TK_NOT},      {"∗", TK_STAR},      {"×", TK_STAR},      {"÷", TK_SLASH},  {"−", TK_MINUS},
    {"∥", TK_PARALLEL},
};
enum { N_MARKS = sizeof MARKS / sizeof *MARKS };

/* Unicode blocks and characters beyond ASCII that are no part of a name: Latin-1 controls and signs, punctuation,
 * arrows, mathematical and other symbols, ideographic space and punctuation, private use, byte order mark, specials,
 * tags. */
static const struct {
  uint32_t from, to;
} NO_LETTERS[] = {
    {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},       {0xd7, 0xd7},
    {0xf7, 0xf7},     {0x1680, 0x1680}, {0x180e, 0x180e}, {0x2000, 0x206f},   {0x20a0, 0x20cf},
    {0x2190, 0x2bff}, {0x2e00, 0x2e7f}, {0x3000, 0x3004}, {0x3008, 0x3020},   {0xe000, 0xf8ff},
    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0x1f000, 0x1faff}, {0xe0000, 0x10ffff},
};

void lex_init(Lexer *lexer, Diag *diag) {
  *lexer = (Lexer){.text = diag->text, .length = (uint32_t)diag->length, .diag = diag};
  if (lexer->length >= 3 && !memcmp(lexer->text, "\xef\xbb\xbf", 3)) lexer->at = 3;
}

static void report(Lexer *lexer, Span span, const char *message) {
  if (lexer->diag) diag_add(lexer->diag, LEVEL_ERROR, NULL, span.at, span.length, "%s", message);
}

static char peek(const Lexer *lexer, uint32_t ahead) {
  return lexer->length - lexer->at > ahead ? lexer->text[lexer->at + ahead] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The bytes of the letter (or digit, if `inside`) of a name at this point of the text; 0 if there is none. */
static uint32_t name_char(const Lexer *lexer, bool inside) {
  if (lexer->at == lexer->length) return 0;
  const char c = lexer->text[lexer->at];
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return 1;
  if (is_digit(c) || c == '\'') return inside;
  uint32_t point;
  const uint32_t bytes = utf8_decode(lexer->text + lexer->at, lexer->length - lexer->at, &point);
  if (bytes < 2) return 0;
  for (size_t i = 0; i < sizeof NO_LETTERS / sizeof *NO_LETTERS; i++)
    if (point >= NO_LETTERS[i].from && point <= NO_LETTERS[i].to) return 0;
  return bytes;
}

static void skip_block_comment(Lexer *lexer) {
  const uint32_t start = lexer->at;
  for (lexer->at += 2; lexer->at < lexer->length; lexer->at++)
    if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
      lexer->at += 2;
      return;
    }
  report(lexer, (Span){start, 2}, "unterminated comment; expected '*/'");
}

static void skip_line(Lexer *lexer) {
  const char *newline = memchr(lexer->text + lexer->at, '\n', lexer->length - lexer->at);
  lexer->at = newline ? (uint32_t)(newline - lexer->text) : lexer->length;
}

static void skip_space(Lexer *lexer) {
  for (;;) {
    const char c = peek(lexer, 0);
    if (c == ' ' || (c >= '\t' && c <= '\r')) lexer->at++;
    else if (c == '\xc2' && peek(lexer, 1) == '\xa0') /* no-break space */ lexer->at += 2;
    else if (c == '/' && peek(lexer, 1) == '/') skip_line(lexer);
    else if (c == '/' && peek(lexer, 1) == '*') skip_block_comment(lexer);
    else return;
  }
}

static TokenKind name_kind(const char *text, uint32_t length) {
  for (int i = 0; i < N_KEYWORDS; i++)
    if (KEYWORDS[i][0] == text[0] && strlen(KEYWORDS[i]) == length && !memcmp(KEYWORDS[i], text, length))
      return (TokenKind)(TK_INT + i);
  return TK_NAME;
}

/* Words that the lexer takes for names. */
static bool is_soft(TokenKind kind) {
  return kind == TK_P || kind == TK_V || kind == TK_RDLOCK || kind == TK_WRLOCK || kind == TK_UNLOCK ||
         kind == TK_FORK || kind == TK_JOIN || kind == TK_ASSERT;
}

TokenKind lex_soft_keyword(const char *text, uint32_t length) {
  const TokenKind kind = name_kind(text, length);
  return is_soft(kind) ? kind : TK_NAME;
}

static Token lex_name(Lexer *lexer) {
  const uint32_t start = lexer->at;
  for (uint32_t bytes; (bytes = name_char(lexer, true)) != 0;) lexer->at += bytes;
  const Span span = {start, lexer->at - start};
  const TokenKind kind = name_kind(lexer->text + start, span.length);
  return (Token){.kind = is_soft(kind) ? TK_NAME : kind, .span = span};
}

static Token lex_integer(Lexer *lexer) {
  const uint32_t start = lexer->at;
  int64_t value = 0;
  bool fits = true;
  for (; is_digit(peek(lexer, 0)); lexer->at++)
    fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
           !__builtin_add_overflow(value, peek(lexer, 0) - '0', &value);
  const Span span = {start, lexer->at - start};
  if (!fits) report(lexer, span, "this number does not fit into 64 bits; the largest is 9223372036854775807");
  return (Token){.kind = TK_INTEGER, .span = span, .value = fits ? value : 0};
}

/* Reports what is no token, and moves past it. A run of bytes that are no UTF-8 is one error. */
static void skip_stray(Lexer *lexer) {
  uint32_t point;
  Span span = {lexer->at, 0};
  span.length = utf8_decode(lexer->text + lexer->at, lexer->length - lexer->at, &point);
  const char *message = "unexpected character";
  if (!span.length) {
    message = "invalid UTF-8; programs are UTF-8 text";
    do span.length++;
    while (span.length < lexer->length - lexer->at &&
           !utf8_decode(lexer->text + lexer->at + span.length, lexer->length - lexer->at - span.length, &point));
  } else if (point == 0) {
    message = "a NUL byte; programs are UTF-8 text";
    while (span.length < lexer->length - lexer->at && !lexer->text[lexer->at + span.length]) span.length++;
  } else if (point == '|' || point == '&') {
    message = point == '|' ? "a single '|'; write '||' for parallel threads, 'or' or '||' for \"or\""
                           : "a single '&'; write '&&' or 'and' for \"and\"";
  }
  report(lexer, span, message);
  lexer->at += span.length;
}

/* A string, up to its end or that of the line, and what starts with a '#'. */
static bool skip_foreign(Lexer *lexer) {
  const char first = peek(lexer, 0);
  const uint32_t start = lexer->at;
  if (first == '#') {
    report(lexer, (Span){start, 1}, "unexpected '#'; write a comment as '// to the end of the line'");
    skip_line(lexer);
  } else if (first == '"') {
    do lexer->at++;
    while (lexer->at < lexer->length && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n');
    lexer->at += peek(lexer, 0) == '"';
    report(lexer, (Span){start, lexer->at - start}, "SML has no strings; values are numbers, 'true' and 'false'");
  }
  return first == '#' || first == '"';
}

static bool lex_mark(Lexer *lexer, Token *token) {
  for (int i = 0; i < N_MARKS; i++) {
    const uint32_t length = (uint32_t)strlen(MARKS[i].text);
    if (length > lexer->length - lexer->at || memcmp(MARKS[i].text, lexer->text + lexer->at, length) != 0) continue;
    *token = (Token){.kind = MARKS[i].kind, .span = {lexer->at, length}};
    lexer->at += length;
    return true;
  }
  return false;
}

/* False if what comes next is no token. */
static bool lex_token(Lexer *lexer, Token *token) {
  if (lexer->at == lexer->length) *token = (Token){.kind = TK_EOF, .span = {lexer->at, 0}};
  else if (is_digit(peek(lexer, 0))) *token = lex_integer(lexer);
  else if (name_char(lexer, false)) *token = lex_name(lexer);
  else return lex_mark(lexer, token);
  return true;
}

Token lex_next(Lexer *lexer) {
  Token token;
  bool after_stray = false;
  for (skip_space(lexer); !lex_token(lexer, &token); skip_space(lexer)) {
    if (!skip_foreign(lexer)) skip_stray(lexer);
    after_stray = true;
  }
  token.after_stray = after_stray;
  return token;
}

const char *lex_squeeze(Arena *arena, const char *text, Span span, uint32_t limit) {
  Lexer lexer = {.text = text, .length = span.at + span.length, .at = span.at};
  char *result = arena_alloc(arena, (size_t)(span.length < limit ? span.length : limit) + sizeof "...");
  uint32_t n = 0, end = span.at;
  for (Token token; (token = lex_next(&lexer)).kind != TK_EOF; end = token.span.at + token.span.length) {
    const bool gap = token.span.at > end;
    if (token.span.length + gap > limit - n) {
      strcpy(result + n, "...");
      return result;
    }
    if (gap) result[n++] = ' ';
    memcpy(result + n, text + token.span.at, token.span.length);
    n += token.span.length;
  }
  result[n] = '\0';
  return result;
}
