/* follow.c: a run that follows a plan (docs/confirming.md): a thread that has passed its leg, and whose next one is not
 * yet due, is held at the first gate after that; all other threads run as they like. So a predicted violation happens,
 * if it can.
 *
 * Why so: to hold all threads to a schedule ends in deadlock at the first barrier of the program, and to hold a thread
 * at the closing event of its leg keeps the lock that others need. A partner that comes too early is held before its
 * transaction, but not for long: perhaps the other one waits for it.
 *
 * A thread is held for the time-out at most, and only while others can go on; then all threads are let go, for good.
 * There is no lock here: the legs are passed one by one by a compare-exchange of their number, and who waits sleeps on
 * that number (futex). */
#include "record/stripe.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>

enum { LET_GO = 1 << 30, EARLY_PART = 2 /* of the time-out */ };

static _Atomic uint32_t cursor;               /* legs that were passed; or LET_GO */
static _Atomic uint32_t owners[PLAN_ROLES];   /* 1 + the number of the thread; 0: none yet */
static _Atomic uint64_t passed_at;            /* when the last leg was, in milliseconds */
static _Atomic uintptr_t bases[PLAN_MODULES]; /* where they are loaded; 0: not yet; a base of 0 is NO_BASE */
#define NO_BASE UINTPTR_MAX
static struct {
  _Atomic uintptr_t at, end; /* 0: not yet passed */
} objects[PLAN_LEGS];        /* of the legs that were passed, where others are on the same */

/* --- modules --- */

static const uint8_t *build_id_in(const uint8_t *at, size_t size, uint32_t *n) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)at;
    const size_t name = (note->n_namesz + 3u) & ~(size_t)3,
                 all = sizeof *note + name + ((note->n_descsz + 3u) & ~(size_t)3);
    if (all > size) return NULL;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(at + sizeof *note, "GNU", 4) == 0) {
      *n = note->n_descsz;
      return at + sizeof *note + name;
    }
    at += all;
    size -= all;
  }
  return NULL;
}

static const uint8_t *build_id(const struct dl_phdr_info *info, uint32_t *n) {
  for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_NOTE) continue;
    const uint8_t *found = build_id_in((const void *)(uintptr_t)(info->dlpi_addr + part->p_vaddr), part->p_filesz, n);
    if (found) return found;
  }
  return NULL;
}

static int find_module(struct dl_phdr_info *info, size_t size, void *unused) {
  uint32_t n = 0;
  const uint8_t *id = build_id(info, &n);
  (void)size, (void)unused;
  for (uint32_t i = 0; id && i < header->plan.n_modules; i++) {
    const PlanModule *module = &header->plan.modules[i];
    if (module->n != n || memcmp(module->id, id, n)) continue;
    bases[i] = info->dlpi_addr ? info->dlpi_addr : NO_BASE;
    atomic_fetch_or(&header->plan.found, 1u << i);
  }
  return 0;
}

void follow_modules(void) {
  if (header->plan.n_modules) dl_iterate_phdr(find_module, NULL);
}

void follow_thread(Thread *t) {
  t->followed = header->stress.how || (header->plan.n_legs && !(cursor & LET_GO));
  if (header->stress.how == STRESS_PRIORITIES) priorities_done(t);
}

/* --- events --- */

static bool is_class(uint32_t class, RawKind kind) {
  const bool atomic = kind >= RAW_ATOMIC_READ && kind <= RAW_ATOMIC_UPDATE;
  switch ((PlanClass) class) {
  case PLAN_READ:
    return kind == RAW_ATOMIC_READ || kind == RAW_ATOMIC_UPDATE || (kind >= RAW_READ && kind < RAW_WRITE) ||
           (kind >= RAW_UPDATE && kind <= RAW_READ_RANGE);
  case PLAN_WRITE:
    return kind == RAW_ATOMIC_WRITE || kind == RAW_ATOMIC_UPDATE || (kind >= RAW_WRITE && kind < RAW_READ_RANGE) ||
           kind == RAW_WRITE_RANGE || kind == RAW_FREE;
  case PLAN_ACQUIRE:
    return atomic || kind == RAW_ACQUIRE || kind == RAW_TRY || kind == RAW_SHARED_ACQUIRE || kind == RAW_SHARED_TRY ||
           kind == RAW_SYNC;
  case PLAN_RELEASE: return atomic || kind == RAW_RELEASE || kind == RAW_SHARED_RELEASE || kind == RAW_SYNC;
  case PLAN_BEGIN: return kind == RAW_BEGIN || kind == RAW_ENTRY;
  case PLAN_END: return kind == RAW_END || kind == RAW_RETURN;
  case PLAN_FORK: return kind == RAW_FORK;
  case PLAN_JOIN: return kind == RAW_JOIN;
  case PLAN_CLASSES: break;
  }
  return false;
}

uintptr_t follow_base(uint32_t module) {
  const uintptr_t base = bases[module];
  return base == NO_BASE ? 0 : base;
}

bool follow_is_loaded(uint32_t module) { return bases[module]; }

static bool is_at(const PlanLeg *leg, uintptr_t code) {
  if (!bases[leg->module]) return false;
  const uint64_t place = code - follow_base(leg->module);
  for (uint32_t i = 0; i < leg->n_codes; i++)
    if (leg->codes[i] == place) return true;
  return false;
}

static bool is_on(const PlanLeg *leg, uintptr_t address, size_t size) {
  const uintptr_t end = address + (size ? size : 1);
  if (leg->same) {
    const uintptr_t known = objects[leg->same - 1].end;
    return known ? address < known && end > objects[leg->same - 1].at : leg == &header->plan.legs[leg->same - 1];
  }
  if (!leg->object_end) return true;
  if (!bases[leg->object_module]) return false;
  const uintptr_t base = follow_base(leg->object_module);
  return address < base + leg->object_end && end > base + leg->object;
}

static bool matches(const PlanLeg *leg, RawKind kind, uintptr_t address, size_t size, uintptr_t code) {
  return is_at(leg, code) && is_class(leg->class, kind) && is_on(leg, address, size);
}

/* --- holding --- */

static void give_up(uint32_t at, uint64_t waited, bool stuck) {
  if (!atomic_compare_exchange_strong(&cursor, &at, LET_GO)) return;
  header->plan.waited = (uint32_t)waited;
  header->plan.gave_up = stuck ? 2 : 1;
  waiting_wake(&cursor);
}

/* Is it another role's turn, while this thread stands between two legs of its own? */
static bool is_held(const Thread *t, uint32_t at) {
  return t->follow.holds && at < header->plan.n_legs && header->plan.legs[at].role + 1 != t->follow.role;
}

/* Where a debugger stops (tracerec confirm --gdb): the others have passed their legs, and the thread that was held goes
 * on. */
__attribute__((noinline)) static void tracerec_split(void) { __asm__ volatile(""); }

static void hold(Thread *t) {
  const RawPlan *plan = &header->plan;
  uint32_t at = cursor;
  stripe_release(t);
  t->busy = false;
  for (uint32_t naps = 1, stuck = 0; is_held(t, at); naps++) {
    const uint64_t waited = waiting_now() - passed_at;
    if (waited > plan->timeout) give_up(at, waited, false);
    else if (waiting_in_vain(t, &cursor, naps, &stuck)) give_up(at, waited, true);
    else waiting_nap(&cursor, at);
    at = cursor;
  }
  if (at < plan->n_legs) tracerec_split();
  t->busy = true;
}

/* Does the event begin the role's transaction, as the next one of the thread? */
static bool is_begin_of(const Thread *t, uint32_t role, RawKind kind, uintptr_t code) {
  const PlanLeg *begin = &header->plan.begins[role];
  return matches(begin, kind, 0, 0, code) && (!begin->in_thread || begin->in_thread == t->follow.begun[role] + 1);
}

/* The role whose transaction this event begins, before its time: the next leg is another's, whose transaction this is
 * not; or PLAN_ROLES. */
static uint32_t early_role(const Thread *t, RawKind kind, uintptr_t code, uint32_t at) {
  const RawPlan *plan = &header->plan;
  const uint32_t due = plan->legs[at].role;
  if (is_begin_of(t, due, kind, code) && !owners[due]) return PLAN_ROLES;
  for (uint32_t role = 0; role < plan->n_roles; role++)
    if (role != due && !owners[role] && is_begin_of(t, role, kind, code)) return role;
  return PLAN_ROLES;
}

/* The partner: it waits until it is its turn, for part of the time-out. */
static void hold_early(Thread *t, uint32_t role) {
  const RawPlan *plan = &header->plan;
  const uint64_t since = waiting_now();
  uint32_t at = cursor;
  stripe_release(t);
  t->busy = false;
  for (uint32_t naps = 1, stuck = 0; at < plan->n_legs && plan->legs[at].role != role; naps++) {
    if (waiting_now() - since > plan->timeout / EARLY_PART || waiting_in_vain(t, &cursor, naps, &stuck)) break;
    waiting_nap(&cursor, at);
    at = cursor;
  }
  t->follow.let_be = true;
  t->busy = true;
}

void follow_gate(Thread *t) {
  const int error = errno;
  const uint32_t at = cursor;
  if (header->stress.how) stress_gate(t);
  else if (at >= header->plan.n_legs) thread_unfollow(t);
  else if (is_held(t, at)) hold(t);
  errno = error;
}

void follow_gate_begin(Thread *t, RawKind kind, uintptr_t code) {
  const int error = errno;
  follow_gate(t);
  const uint32_t at = cursor;
  if (header->stress.how) stress_gate_begin(t, kind, code);
  else if (at < header->plan.n_legs && !t->follow.role && !t->follow.let_be) {
    const uint32_t role = early_role(t, kind, code, at);
    if (role < PLAN_ROLES) hold_early(t, role);
  }
  errno = error;
}

/* --- passing --- */

static bool counts_are_right(const Thread *t, const PlanLeg *leg, uint32_t i) {
  return (!leg->in_thread || leg->in_thread == t->follow.in_thread[i]) &&
         (!leg->in_transaction || leg->in_transaction == t->follow.inside[i]);
}

/* Is the role this thread's, or may it be from now on? */
static bool take_role(Thread *t, uint32_t role) {
  uint32_t nobody = 0;
  if (t->follow.role) return t->follow.role == role + 1;
  if (!atomic_compare_exchange_strong(&owners[role], &nobody, t->number + 1)) return false;
  t->follow.role = role + 1;
  return true;
}

static bool has_more(uint32_t role, uint32_t from) {
  for (uint32_t i = from; i < header->plan.n_legs; i++)
    if (header->plan.legs[i].role == role) return true;
  return false;
}

static void pass(Thread *t, uint32_t i, uintptr_t address, size_t size) {
  uint32_t at = i;
  if (header->plan.legs[i].same == i + 1) {
    objects[i].at = address;
    objects[i].end = address + (size ? size : 1);
  }
  t->follow.holds = has_more(t->follow.role - 1, i + 1);
  passed_at = waiting_now();
  if (!atomic_compare_exchange_strong(&cursor, &at, i + 1)) return;
  header->plan.passed = i + 1;
  waiting_wake(&cursor);
}

static void count_begins(Thread *t, RawKind kind, uintptr_t code) {
  const RawPlan *plan = &header->plan;
  for (uint32_t role = 0; role < plan->n_roles; role++) {
    if (!matches(&plan->begins[role], kind, 0, 0, code)) continue;
    t->follow.begun[role]++;
    for (uint32_t i = 0; i < plan->n_legs; i++)
      if (plan->legs[i].role == role) t->follow.inside[i] = 0;
  }
}

static void pass_legs(Thread *t, RawKind kind, uintptr_t address, size_t size, uintptr_t code) {
  const RawPlan *plan = &header->plan;
  uint32_t at = cursor, passed = PLAN_CLASSES; /* the class by which it has passed a leg */
  if (is_class(PLAN_BEGIN, kind)) count_begins(t, kind, code);
  for (uint32_t i = 0; i < plan->n_legs; i++) {
    const PlanLeg *leg = &plan->legs[i];
    if (!matches(leg, kind, address, size, code)) continue;
    t->follow.in_thread[i]++;
    t->follow.inside[i]++;
    if (i != at || leg->class == passed || !counts_are_right(t, leg, i) || !take_role(t, leg->role)) continue;
    pass(t, i, address, size);
    passed = leg->class;
    at = cursor;
  }
}

void follow_done(Thread *t, RawKind kind, uintptr_t address, size_t size, uintptr_t code) {
  const int error = errno;
  if (header->stress.how) stress_done(t, kind, address, size, code);
  else pass_legs(t, kind, address, size, code);
  errno = error;
}
