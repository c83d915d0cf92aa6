/* locals.h: undeclared names that look like slips of the pen. Each is a local of its thread, so a program is legal with
 * them, and easily atomic.
 *
 * "unassigned": a thread reads an undeclared local that nothing in it, and in the procs that it calls, assigns. An
 * arbitrary value on purpose is `nondet`; a constant is declared. "unread": a thread only assigns one whose name is
 * like that of a shared variable, in more than capitals, which none of these assignments reads: `shared1 := shared` is
 * no slip. Only the first LOCALS_MOST names are compared with others. "untracked-assert": an assertion reads an
 * undeclared local, or an `int`. */
#ifndef FRONTEND_SML_LOCALS_H
#define FRONTEND_SML_LOCALS_H

#include "frontend/sml/check.h"

enum { LOCALS_MOST = 300 };

/* Gives the warnings. `told`: per name, whether it was reported as undeclared already, which is enough. The symbols are
 * filled. */
void locals_check(const Ast *ast, const Symbols *symbols, const bool *told, Diag *diag);

#endif
