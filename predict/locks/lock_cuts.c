#include "predict/locks/lock_cuts.h"

#include <assert.h>

#define NONE UINT32_MAX

void lock_cuts_fini(LockCuts *cuts) {
  for (uint32_t i = 0; i < cuts->lives.n; i++) vec_fini(cuts->heap, &cuts->lives.at[i].past.row);
  for (uint32_t i = 0; i < cuts->groups.n; i++) vec_fini(cuts->heap, &cuts->groups.at[i].past.row);
  vec_fini(cuts->heap, &cuts->places);
  vec_fini(cuts->heap, &cuts->lives);
  vec_fini(cuts->heap, &cuts->unused);
  vec_fini(cuts->heap, &cuts->groups);
  vec_fini(cuts->heap, &cuts->cuts);
}

/* ---- places ---- */

static uint32_t take_place(LockCuts *cuts) {
  if (cuts->unused.n) return cuts->unused.at[--cuts->unused.n];
  if (cuts->lives.n == LOCK_CUTS_MOST) return NONE;
  vec_push(cuts->heap, &cuts->lives, (CutLife){0});
  return cuts->lives.n - 1;
}

/* The place of a life; NONE if there is none left. */
static uint32_t place_of(LockCuts *cuts, uint32_t life) {
  if (cuts->off) return NONE;
  if (life >= cuts->places.n) vec_resize_zeroed(cuts->heap, &cuts->places, life + 1);
  if (cuts->places.at[life]) return cuts->places.at[life] - 1;
  const uint32_t place = take_place(cuts);
  if (place != NONE) return cuts->places.at[life] = place + 1, place;
  cuts->off = true;
  vec_clear(&cuts->cuts);
  return NONE;
}

/* The next life at the place begins with nothing before it. What others know of the place is of earlier events. */
static void leave_place(LockCuts *cuts, uint32_t life) {
  const uint32_t place = cuts->places.at[life] - 1;
  CutLife *it = &cuts->lives.at[place];
  vec_clear(&it->past.row);
  it->past.sure = it->busy = 0;
  cuts->places.at[life] = 0;
  vec_push(cuts->heap, &cuts->unused, place);
}

/* ---- what comes before ---- */

static void add_place(LockCuts *cuts, CutPast *past, uint32_t place, uint64_t busy) {
  if (past->row.n <= place) vec_resize_zeroed(cuts->heap, &past->row, place + 1);
  if (past->row.at[place] < busy) past->row.at[place] = busy;
}

static void add_past(LockCuts *cuts, CutPast *past, const CutPast *other) {
  if (past->row.n < other->row.n) vec_resize_zeroed(cuts->heap, &past->row, other->row.n);
  for (uint32_t i = 0; i < other->row.n; i++)
    if (past->row.at[i] < other->row.at[i]) past->row.at[i] = other->row.at[i];
  if (past->sure < other->sure) past->sure = other->sure;
}

/* All that the life has done. */
static void add_life(LockCuts *cuts, CutPast *past, uint32_t place) {
  add_past(cuts, past, &cuts->lives.at[place].past);
  add_place(cuts, past, place, cuts->lives.at[place].busy);
}

/* Is that all that was done, but for what was done at a place? */
static bool is_all(const LockCuts *cuts, const CutPast *past, uint32_t except) {
  for (uint32_t i = 0; i < cuts->lives.n; i++)
    if (i != except && cuts->lives.at[i].busy > (i < past->row.n ? past->row.at[i] : 0)) return false;
  return true;
}

/* ---- events ---- */

static void work(LockCuts *cuts, uint32_t place, uint64_t event) {
  CutLife *it = &cuts->lives.at[place];
  while (cuts->cuts.n && vec_last(&cuts->cuts).event > it->past.sure) cuts->cuts.n--;
  it->busy = cuts->busy = event + 1;
}

void lock_cuts_touch(LockCuts *cuts, uint32_t life, uint64_t event) {
  const uint32_t place = place_of(cuts, life);
  if (place != NONE) work(cuts, place, event);
}

void lock_cuts_fork(LockCuts *cuts, uint32_t life, uint32_t other, uint64_t event) {
  const uint32_t place = place_of(cuts, life), child = place_of(cuts, other);
  if (cuts->off) return;
  assert(place != child);
  work(cuts, place, event);
  add_life(cuts, &cuts->lives.at[child].past, place);
}

void lock_cuts_join(LockCuts *cuts, uint32_t life, uint32_t other, uint64_t event, bool ends) {
  const uint32_t place = place_of(cuts, life), child = place_of(cuts, other);
  if (cuts->off) return;
  assert(place != child);
  add_life(cuts, &cuts->lives.at[place].past, child);
  work(cuts, place, event);
  if (ends) leave_place(cuts, other);
}

static CutGroup *group_of(LockCuts *cuts, uint32_t handover) {
  if (handover >= cuts->groups.n) vec_resize_zeroed(cuts->heap, &cuts->groups, handover + 1);
  return &cuts->groups.at[handover];
}

void lock_cuts_signal(LockCuts *cuts, uint32_t life, uint32_t handover) {
  const uint32_t place = place_of(cuts, life);
  if (place == NONE) return;
  CutGroup *group = group_of(cuts, handover);
  if (group->waited) vec_clear(&group->past.row), group->past.sure = 0;
  group->waited = false;
  add_life(cuts, &group->past, place);
}

/* Where nothing was done since the last cut, this is the same one. */
void lock_cuts_wait(LockCuts *cuts, uint32_t life, uint32_t handover, LockCut here, bool open) {
  const uint32_t place = place_of(cuts, life);
  if (place == NONE) return;
  CutGroup *group = group_of(cuts, handover);
  CutPast *past = &cuts->lives.at[place].past;
  group->waited = true;
  add_past(cuts, past, &group->past);
  if (open || !cuts->busy || !is_all(cuts, past, place)) return;
  if (!cuts->cuts.n || vec_last(&cuts->cuts).event < cuts->busy) vec_push(cuts->heap, &cuts->cuts, here);
  past->sure = vec_last(&cuts->cuts).event;
  if (is_all(cuts, &group->past, NONE)) group->past.sure = past->sure;
}

uint32_t lock_cuts_first(const LockCuts *cuts) { return cuts->cuts.n ? vec_last(&cuts->cuts).object : 0; }
