#include "report/rules.h"

#include <assert.h>
#include <string.h>

const Rule RULES[] = {
    {"not-causally-atomic", LEVEL_ERROR, "A block is not causally atomic.",
     "In some run another thread comes after one event of the block and before a later one, and no reordering of independent events moves it out of the block. Follow the steps of the example; usually a lock is released "
     "too early, or an access is not protected at all."},
    {"never-entered", LEVEL_WARNING, "A block is never entered.",
     "No run reaches the begin of the block, so its verdict says nothing. Most likely a condition before it can "
     "never hold."},
    {"not-serializable", LEVEL_ERROR, "A transaction is not serializable.",
     "Another transaction has to come both before and after this one, so no order of whole transactions has the "
     "same effect. Follow the cycle; usually two accesses that belong together are not protected by one lock."},
    {"can-be-split", LEVEL_ERROR, "A transaction can be split in another run of the same threads.",
     "The run that was observed may be fine, but the same threads can produce one that is not serializable. The predicted run says how far each thread runs in turn."},
    {"possibly-not-atomic", LEVEL_ERROR, "A transaction is possibly not atomic.",
     "The analysis could not prove that the transaction is atomic in every run that locks, forks and joins allow. "
     "Reduction requires a lock discipline: acquires first, then accesses that are protected, then releases."},
    {"potential-deadlock", LEVEL_WARNING, "Locks are acquired in orders that can deadlock.",
     "Threads acquire the same locks in different orders. Acquire them in one order everywhere."},
    {"marking-reachable", LEVEL_ERROR, "Places can be marked together.",
     "The firing sequence leads from the initial marking to such a marking."},
    {"transition-can-fire", LEVEL_ERROR, "A transition can fire.",
     "The last step of the firing sequence is the transition."},
    {"deadlock", LEVEL_ERROR, "A reachable marking enables nothing.",
     "The firing sequence leads from the initial marking to such a marking."},
    {"assertion-fails", LEVEL_ERROR, "An assertion can fail.",
     "Some run comes to the assertion with values for which it is false. Follow the steps of the example."},
    {"threads-wait", LEVEL_ERROR, "Threads wait for ever.",
     "In some run all threads that have been started have ended or wait, and nothing can happen any more. Usually two "
     "threads take the same locks in different orders, or nobody is left to give what one waits for."},
    {"not-exclusive", LEVEL_ERROR, "Two threads can be in blocks at once that exclude each other.",
     "Follow the steps of the example: both threads begin their blocks, and neither has ended it."},
    {"race", LEVEL_ERROR, "Two threads can access a variable at once, and one of them writes it.",
     "Follow the steps of the example: behind them both threads are before their accesses, and either may come first. "
     "Protect both by one lock, or make them atomic operations."},
    {"never-reached", LEVEL_WARNING, "An assertion or a block is never reached.",
     "No run comes there, so the answer says nothing. Most likely a condition before it can never hold."},
    {"reachable-markings", LEVEL_NOTE, "The reachable markings were counted.",
     "The number shows how large the net's behaviour is; if it is unknown, raise the limit of states."},
    {"property", LEVEL_ERROR, "A property of the net is false.",
     "A formula of a file of properties. The firing sequence leads to a marking that shows it; where there is none, no "
     "marking that the formula asks for can be reached."},
    {"not-1-safe", LEVEL_ERROR, "The net is not 1-safe.",
     "The last step of the firing sequence puts a second token on a place. Such a net is refused: nothing else is "
     "answered about it."},
    {"order-ignored", LEVEL_WARNING, "The order between threads was ignored.",
     "There are too many forks, joins and hand-overs for so many threads. What is reported may be impossible; record a "
     "shorter run, or one with fewer threads."},
};
const uint32_t N_RULES = sizeof RULES / sizeof *RULES;

uint32_t rules_find(const char *id) {
  uint32_t i = 0;
  while (i < N_RULES && strcmp(RULES[i].id, id) != 0) i++;
  assert(i < N_RULES);
  return i;
}
