/* effects_inside.h: what the files of effects share. */
#ifndef FRONTEND_C_EFFECTS_INSIDE_H
#define FRONTEND_C_EFFECTS_INSIDE_H

#include "frontend/c/effects.h"

/* The tables of those that only read, write and give, of C, of the system, of zlib and of GLib; the last one has no name. */
extern const Effect EFFECTS_LIBRARY[], EFFECTS_SYSTEM[], EFFECTS_ZLIB[], EFFECTS_GLIB[];

#endif
