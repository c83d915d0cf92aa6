/* covered.h: tests that are passed whatever the value. */
#ifndef COLOUR_COVERED_H
#define COLOUR_COVERED_H

#include "colour/model.h"

/* Of steps from one state to one other whose effects differ in nothing but the value that one test asks for, and which
 * have all values that can occur, that test is dropped; again and again. `steps` are of states of any model, with
 * labels of this one; they end up sorted, by state, label and target, each once, with its least origin. Every value
 * that a test asks for must be one that can occur (ModelObject.reached). Tests of tokens stay. */
void covered_drop(Model *model, StepVec *steps);

#endif
