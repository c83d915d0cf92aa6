/* finish.h: from a branching process that grew to the arrays of a Prefix. */
#ifndef UNFOLD_FINISH_H
#define UNFOLD_FINISH_H

#include "unfold/branch.h"
#include "unfold/unfold.h"

/* Fills the prefix's events, conditions and targets. Uses up the branching process: Ext.next becomes the number of the
 * event. The prefix has its heap and its net, and is otherwise empty. */
void finish_prefix(Branch *branch, const UnfoldOptions *options, Prefix *prefix);

#endif
