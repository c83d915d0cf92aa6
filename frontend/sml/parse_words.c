/* A word that SML does not have: a misspelt keyword, a word of other languages, or a proc without its 'call'. */
#include "frontend/sml/parser.h"

#include "base/suggest.h"

#include <string.h>

/* What to write in its place, where somebody thinks of another language. */
static const struct {
  const char *word, *advice;
  bool declares; /* stands before a declaration, or in one */
} FOREIGN[] = {
    {"for", "a loop is 'while (b) { }'", false},
    {"do", "a loop is 'while (b) { }'", false},
    {"repeat", "a loop is 'while (b) { }'", false},
    {"then", "an 'if' is 'if (b) { } else { }'", false},
    {"elif", "write 'else if (b) { }'", false},
    {"elsif", "write 'else if (b) { }'", false},
    {"elseif", "write 'else if (b) { }'", false},
    {"endif", "an 'if' ends at its '}'", false},
    {"switch", "write 'if (b) { } else { }'", false},
    {"return", "put the rest into an 'if'", false},
    {"break", "a loop ends when its condition is false", false},
    {"continue", "put the rest into an 'if'", false},
    {"goto", "use 'if' and 'while'", false},
    {"unlock", "to release a lock, write 'release(l)'; a reader-writer lock, 'unlock(l)'", false},
    {"thread", "threads are separated by '||'; one to be forked is 'thread name { }'", false},
    {"spawn", "a thread is started by 'fork name', or runs from the start", false},
    {"void", "a proc is 'proc name { }'", false},
    {"function", "a proc is 'proc name { }'", false},
    {"def", "a proc is 'proc name { }'", false},
    {"fn", "a proc is 'proc name { }'", false},
    {"print", "a program has no output", false},
    {"printf", "a program has no output", false},
    {"semaphore", "a semaphore is declared with 'sem s = 1;'", true},
    {"mutex", "a lock is declared with 'lock l;'", true},
    {"volatile", "an 'int' at the top of the program is shared by all threads", true},
    {"const", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"static", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"var", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"shared", "what is declared at the top of the program is shared by all threads", true},
    {"global", "what is declared at the top of the program is shared by all threads", true},
    {"unsigned", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"long", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"char", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"float", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"double", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
    {"string", "a variable is declared with 'int', 'bool' or 'int[K]'", true},
};
enum { N_FOREIGN = sizeof FOREIGN / sizeof *FOREIGN };

/* The text of the next token. */
static const char *word_of(Parser *p) {
  const Span span = p->token.span;
  if (span.length > SUGGEST_MOST) return "";
  return arena_format(&p->diag->arena, "%.*s", (int)span.length, p->diag->text + span.at);
}

static const char *shown(Parser *p) { return lex_squeeze(&p->diag->arena, p->diag->text, p->token.span, 60); }

TokenKind parser_meant(Parser *p, ParserFits *fits) {
  if (!parser_at(p, TK_NAME)) return TK_NAME;
  const TokenKind next = parser_peek(p);
  Suggestion meant = suggest_for(word_of(p));
  for (TokenKind kind = TK_INT; kind <= TK_NOT; kind++)
    if (fits(kind, next)) suggest_offer(&meant, lex_keyword(kind));
  for (TokenKind kind = TK_INT; meant.best[0] && kind <= TK_NOT; kind++)
    if (!strcmp(meant.best, lex_keyword(kind))) return kind;
  return TK_NAME;
}

bool parser_respell(Parser *p, ParserFits *fits) {
  const TokenKind kind = parser_meant(p, fits);
  if (kind == TK_NAME) return false;
  parser_complain(p,
                  arena_format(&p->diag->arena, "unknown word '%s'; did you mean %s?", shown(p), lex_token_name(kind)));
  p->token.kind = kind;
  return true;
}

bool parser_foreign(Parser *p, bool declares) {
  if (!parser_at(p, TK_NAME)) return false;
  const char *word = word_of(p);
  for (size_t i = 0; i < N_FOREIGN; i++) {
    if (strcmp(word, FOREIGN[i].word) != 0 || (declares && !FOREIGN[i].declares)) continue;
    parser_complain(p, arena_format(&p->diag->arena, "SML has no '%s'; %s", word, FOREIGN[i].advice));
    return true;
  }
  return false;
}

bool parser_at_proc(Parser *p) {
  if (!parser_at(p, TK_NAME)) return false;
  const uint32_t name = intern_find(&p->ast->names, p->diag->text + p->token.span.at, p->token.span.length);
  for (uint32_t i = 0; i < p->ast->procs.n && name != INTERN_NONE; i++)
    if (p->ast->procs.at[i].name.v == name) return true;
  return false;
}

bool parser_not_called(Parser *p) {
  Arena *arena = &p->diag->arena;
  Suggestion meant = suggest_for(word_of(p));
  for (uint32_t i = 0; i < p->ast->procs.n; i++)
    suggest_offer(&meant, p->ast->names.strings.at[p->ast->procs.at[i].name.v]);
  const char *name = shown(p);
  if (!parser_at_proc(p) && meant.best[0])
    return parser_complain(p,
                           arena_format(arena, "'%s' is not a statement; did you mean 'call %s'?", name, meant.best));
  return parser_complain(p,
                         arena_format(arena, "'%s' is not a statement; to call a proc, write 'call %s'", name, name));
}
