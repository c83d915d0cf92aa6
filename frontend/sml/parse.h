/* parse.h: from the text of an SML program to its AST, by recursive descent. */
#ifndef FRONTEND_SML_PARSE_H
#define FRONTEND_SML_PARSE_H

#include "frontend/sml/ast.h"

/* The deepest nesting of statements, and of parentheses and signs in an expression. */
#define PARSE_MAX_DEPTH 1000

/* Parses the text of `diag` into *ast, which has been initialised. Errors are collected in `diag`, as far as they
 * can be told apart; after any the AST is not for use. Texts of LEX_MAX_LENGTH bytes and more are an error. What
 * names mean is not looked at here. */
void parse_program(Ast *ast, Diag *diag);

#endif
