/* statement_rows.h: the statements of SML, one row each. From the rows come the keywords and their tokens
 * (frontend/sml/lex.h), the kinds of the AST (frontend/sml/ast.h), what parses and what translates a statement
 * (frontend/sml/statement.h).
 *
 *   AST_     the kind of the statement
 *   TK_      the kind of its first word, and
 *   word     the word itself
 *   function statement_parse_x() and statement_translate_x(), in frontend/sml/statement.c
 *   names    what the names in it are, besides those in its expression (StatementNames)
 *   atomic   may it stand in an `atomic { }`, or in a proc that is called there?
 *   follows  what stands after the word (StatementFollows): tells a misspelt keyword from a name */
#ifndef FRONTEND_SML_STATEMENT_ROWS_H
#define FRONTEND_SML_STATEMENT_ROWS_H

#define STATEMENT_ROWS(ROW)                                                      \
  /*   AST_     TK_      word       function  names           atomic  follows */ \
  ROW(SKIP, SKIP, "skip", skip, NAMES_NONE, true, FOLLOWS_NOTHING)               \
  ROW(WHILE, WHILE, "while", while, NAMES_NONE, false, FOLLOWS_OPERAND)          \
  ROW(IF, IF, "if", if, NAMES_NONE, true, FOLLOWS_OPERAND)                       \
  ROW(BLOCK, BEGIN, "begin", block, NAMES_LABEL, false, FOLLOWS_LABEL)           \
  ROW(ACQUIRE, ACQUIRE, "acquire", acquire, NAMES_LOCK, false, FOLLOWS_OPERAND)  \
  ROW(RELEASE, RELEASE, "release", release, NAMES_LOCK, false, FOLLOWS_OPERAND)  \
  ROW(P, P, "p", p, NAMES_SEM, false, FOLLOWS_OPERAND)                           \
  ROW(V, V, "v", v, NAMES_SEM, false, FOLLOWS_OPERAND)                           \
  ROW(RDLOCK, RDLOCK, "rdlock", rdlock, NAMES_RWLOCK, false, FOLLOWS_OPERAND)    \
  ROW(WRLOCK, WRLOCK, "wrlock", wrlock, NAMES_RWLOCK, false, FOLLOWS_OPERAND)    \
  ROW(UNLOCK, UNLOCK, "unlock", unlock, NAMES_RWLOCK, false, FOLLOWS_OPERAND)    \
  ROW(FORK, FORK, "fork", fork, NAMES_THREAD, false, FOLLOWS_NAME)               \
  ROW(JOIN, JOIN, "join", join, NAMES_THREAD, false, FOLLOWS_NAME)               \
  ROW(ATOMIC, ATOMIC, "atomic", atomic, NAMES_NONE, true, FOLLOWS_BODY)          \
  ROW(AWAIT, AWAIT, "await", await, NAMES_NONE, true, FOLLOWS_OPERAND)           \
  ROW(ASSERT, ASSERT, "assert", assert, NAMES_NONE, false, FOLLOWS_OPERAND)      \
  ROW(CALL, CALL, "call", call, NAMES_PROC, true, FOLLOWS_NAME)

#endif
