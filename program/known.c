#include "program/known.h"

#include "base/intern.h"

uint32_t *known_note(NotesBuilder *notes, const Automaton *automaton) {
  const uint32_t n = automaton->slots.n;
  uint32_t first_slot = 0, first_state = 0;
  if (!n) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    const Slot *slot = &automaton->slots.at[i];
    const uint32_t object = slot->object == PROGRAM_NONE ? NOTE_NONE : slot->object;
    const uint32_t number = notes_add_slot(notes, (NoteSlot){slot->name, slot->n_values, slot->is_bool, object});
    if (!i) first_slot = number;
  }
  Intern combinations;
  intern_init(&combinations, automaton->heap);
  uint32_t *state = heap_alloc(automaton->heap, heap_product(automaton->heap, automaton->states.n, sizeof *state));
  for (uint32_t i = 0; i < automaton->states.n; i++) {
    const uint16_t *values = automaton_values(automaton, i);
    bool is_new;
    const uint32_t known = intern_add(&combinations, (const char *)values, n * sizeof *values, &is_new);
    if (is_new) {
      const uint32_t number = notes_add_state(notes, (NoteState){first_slot, n, values});
      if (!i) first_state = number;
    }
    state[i] = first_state + known;
  }
  intern_fini(&combinations);
  return state;
}
