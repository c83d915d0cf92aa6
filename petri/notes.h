/* notes.h: what a net means as a program: which thread a transition belongs to, which source line it came from, what it
 * reads and writes, where marked blocks begin and end, and what part each place plays. docs/annotations.md has the form
 * in which they stand in a PNML file.
 *
 * Threads, objects and blocks are numbered from 0 here; people and JSON see threads from 1 (T1). All strings and arrays
 * belong to the net's arena. A net need not have notes, and notes are claims, not facts: petri/thread_view.h
 * checks what it uses. */
#ifndef PETRI_NOTES_H
#define PETRI_NOTES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NOTE_NONE UINT32_MAX

/* Where something stands in the source. Line and column count from 1, columns in bytes; 0 is unknown. */
typedef struct {
  uint32_t line, column;
  uint32_t file;     /* of Notes.files */
  uint32_t function; /* of Notes.functions; number 0 stands for none */
} SrcPos;

/* What an object is. */
typedef enum { OBJECT_VARIABLE, OBJECT_LOCK } ObjectKind;

/* A global variable or a lock. */
typedef struct {
  const char *name;
  ObjectKind kind;
  uint32_t n_values; /* of a tracked variable, whose values are 0 .. n_values - 1; 0 if its data is abstracted */
  bool is_bool;      /* of the two values 0 is called false, and 1 true */
  uint32_t initial;  /* of a tracked variable: the value that it starts with */
} NoteObject;

/* A tracked local of a thread, or a tracked variable that one thread alone uses: its value is a part of the thread's
 * control. Copies of a thread share the slots. */
typedef struct {
  const char *name;
  uint32_t n_values; /* at least 1 */
  bool is_bool;      /* as in NoteObject */
  uint32_t object;   /* the variable, or NOTE_NONE for a local */
} NoteSlot;

/* The values of some slots, one after another. */
typedef struct {
  uint32_t slot; /* the first one */
  uint32_t n;
  const uint16_t *values;
} NoteState;

/* A thread; copies made by `N * { }` share the number of their group, unless their code differs, and no others do. */
typedef struct {
  const char *name; /* "T1" */
  uint32_t group;
  SrcPos pos;
  uint32_t count; /* a number of Notes.counts: this is one of the two threads of its group, which stand for as many as
                     that count says; or NOTE_NONE */
} NoteThread;

/* A marked block of the source: one, however many threads (or calls of a proc) run it. */
typedef struct {
  const char *name; /* NULL if it has none */
  SrcPos begin, end;
} NoteBlock;

/* What is done to an object: a variable is read or written, a lock acquired or released. */
typedef enum { ACCESS_READ, ACCESS_WRITE, ACCESS_ACQUIRE, ACCESS_RELEASE } AccessMode;

/* One access to an object. */
typedef struct {
  uint32_t object;
  AccessMode mode;
} Access;

/* How a gap begins that is one only for who asks whether threads wait for ever: the net may go on where the program
 * waits. */
#define NOTE_GAP_WAITING "waiting: "

/* Is it one of those, by its text? */
static inline bool note_gap_waits(const char *what) {
  return strncmp(what, NOTE_GAP_WAITING, sizeof NOTE_GAP_WAITING - 1) == 0;
}

/* How a gap begins that is none for what holds for any number of threads of each group that has two or more here: there
 * may be more of them, or fewer, and nothing else. */
#define NOTE_GAP_COPIES "copies: "

static inline bool note_gap_copies(const char *what) {
  return strncmp(what, NOTE_GAP_COPIES, sizeof NOTE_GAP_COPIES - 1) == 0;
}

/* Something that the program may do and the net may not: what holds of all runs of the net is not known of the
 * program (ask/gaps.h). */
typedef struct {
  const char *what; /* "calls 'f', which is unknown" */
  SrcPos pos;
} NoteGap;

/* What part a place plays in the program. */
typedef enum {
  ROLE_NONE,
  ROLE_CONTROL, /* thread `thread` is at a point of its program; exactly one of its control places holds a token */
  ROLE_HELD,    /* thread `thread` holds the lock `object` */
  ROLE_LOCK,    /* the lock `object` is free */
  ROLE_COPY     /* copy number `copy` of the variable `object`, with the value `value` if it is tracked, else 0 */
} PlaceRole;

/* What point of its program a thread is at. */
typedef enum {
  POINT_OTHER,
  POINT_START,     /* it has not been forked yet */
  POINT_END,       /* it has come to its end */
  POINT_ASSERTION, /* its next event is an assertion */
  POINT_FAILED     /* an assertion was wrong, and it stays for ever */
} ControlPoint;

/* What is noted of a place. */
typedef struct {
  PlaceRole role;
  uint32_t thread; /* NOTE_NONE where the role has none */
  uint32_t object; /* likewise */
  uint32_t copy, value;
  uint32_t state; /* ROLE_CONTROL: of Notes.states, what the thread's slots are there; NOTE_NONE: it has none, or that
                     is not noted */
  ControlPoint point; /* ROLE_CONTROL; else POINT_OTHER */
} PlaceNote;

#define NO_PLACE_NOTE ((PlaceNote){ROLE_NONE, NOTE_NONE, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER})

/* What is noted of a transition. */
typedef struct {
  uint32_t thread; /* NOTE_NONE: of no thread */
  SrcPos pos;
  const char *text;    /* the source of the event, "Y := Y + 1", "[f = true]"; "" if unknown */
  uint32_t begin, end; /* the block that this event begins, or ends; or NOTE_NONE */
  bool sync;           /* it is indivisible, as an atomic operation is: two such accesses do not race */
} TransNote;

/* The notes of a net, which owns them. */
typedef struct Notes {
  const char *file;                            /* name of the source file, "" if unknown; of several the first one */
  uint32_t n_files, n_functions;               /* at least one of each */
  const char *const *files, *const *functions; /* names; files[0] is `file`, functions[0] is "" */
  uint32_t n_counts;
  const char *const *counts; /* names of numbers of threads that were left open (petri/instance.h) */
  uint32_t n_threads, n_objects, n_blocks;
  const NoteThread *threads;
  const NoteObject *objects;
  const NoteBlock *blocks;
  uint32_t n_slots, n_states;
  const NoteSlot *slots;
  const NoteState *states;
  uint32_t n_gaps;
  const NoteGap *gaps;
  const PlaceNote *places;      /* one per place of the net */
  const TransNote *transitions; /* one per transition */
  const uint32_t
      *access_start;      /* transitions + 1: the accesses of t are accesses[access_start[t] ..], in source order, */
  const Access *accesses; /* also those of objects that have no places */
} Notes;

/* ---- building: through net_builder_notes(); all strings are copied ---- */

/* Notes while they are built. They belong to a NetBuilder. */
typedef struct NotesBuilder NotesBuilder;

void notes_set_file(NotesBuilder *notes, const char *file);             /* file number 0 */
uint32_t notes_add_file(NotesBuilder *notes, const char *file);         /* a further one: its number, from 1 */
uint32_t notes_add_function(NotesBuilder *notes, const char *function); /* its number, from 1 */
uint32_t notes_add_count(NotesBuilder *notes, const char *name);        /* its number, from 0 */
/* The number of the thread, object or block, from 0; its name as in NoteThread, NoteObject and NoteBlock. */
uint32_t notes_add_thread(NotesBuilder *notes, const char *name, uint32_t group, SrcPos pos);
void notes_set_count(NotesBuilder *notes, uint32_t thread, uint32_t count);
uint32_t notes_add_object(NotesBuilder *notes, const char *name, ObjectKind kind, uint32_t n_values);
void notes_set_bool(NotesBuilder *notes, uint32_t object); /* it is a variable with two values */
void notes_set_initial(NotesBuilder *notes, uint32_t object, uint32_t value);
uint32_t notes_add_slot(NotesBuilder *notes, NoteSlot slot);
uint32_t notes_add_state(NotesBuilder *notes, NoteState state); /* the values are copied */
uint32_t notes_add_block(NotesBuilder *notes, const char *name, SrcPos begin, SrcPos end);
void notes_add_gap(NotesBuilder *notes, const char *what, SrcPos pos);

/* Of the place or transition with that number, which must have been added to the net. */
void notes_set_place(NotesBuilder *notes, uint32_t place, PlaceNote note);
void notes_set_trans(NotesBuilder *notes, uint32_t transition, TransNote note);
void notes_add_access(NotesBuilder *notes, uint32_t transition, Access access);

/* Declares, in empty notes, what others declare: files, functions, objects, blocks and gaps; then also slots and
 * states. */
void notes_declare_as(NotesBuilder *notes, const Notes *others);
void notes_add_states_of(NotesBuilder *notes, const Notes *others);

/* ---- reading ---- */

/* The name of the file that the place is in; "" if unknown. */
static inline const char *notes_file_of(const Notes *notes, SrcPos pos) { return notes->files[pos.file]; }

/* The accesses of one transition: a piece of Notes.accesses. */
typedef struct {
  const Access *at;
  uint32_t n;
} AccessList;

/* All accesses of a transition, in source order. */
static inline AccessList notes_accesses(const Notes *notes, uint32_t transition) {
  const uint32_t from = notes->access_start[transition];
  return (AccessList){notes->accesses + from, notes->access_start[transition + 1] - from};
}

/* Do two accesses of one object conflict: does one of them change it? Lock operations do. */
static inline bool access_changes(AccessMode mode) { return mode != ACCESS_READ; }

#endif
