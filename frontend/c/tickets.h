/* tickets.h: ticket locks: `mine = next++; while (serving != mine) {}`, and `serving++` to give the lock back.
 *
 * Two cells are one if all that is done to them has one of these forms (docs/c.md has the theorem). The numbers are not
 * followed: what is known is that at most one thread has seen its own number served, and has not gone on from it. */
#ifndef FRONTEND_C_TICKETS_H
#define FRONTEND_C_TICKETS_H

#include "frontend/c/cells.h"

/* What an instruction does to the cells of a ticket lock. */
typedef enum {
  TICKET_NOTHING,
  TICKET_READ,
  TICKET_TAKE,  /* takes the next number */
  TICKET_SERVE, /* goes on to the one after that which is served */
  TICKET_MAKE   /* gives a cell the value that it begins with, before there are other threads, and before all numbers */
} CTicketDeed;

/* Where a number is taken. */
typedef struct {
  uint32_t context, instruction;
  uint32_t number; /* of those of its thread, from 1 on */
} CTicketSite;

typedef struct {
  uint32_t next, serving; /* cells */
  VEC(CTicketSite) sites;
  bool is_quiet;           /* who takes a number does nothing before it is served, and nobody looks at the next one */
  bool is_broken, is_slow; /* the caller's: it is no lock; it is not quiet */
} CTicket;

typedef VEC(CTicket) CTicketVec;

/* Finds them. The cells that they are of are not followed otherwise. */
void tickets_find(CTicketVec *tickets, Cells *cells);
void tickets_fini(CTicketVec *tickets, Heap *heap);

/* Takes out those that are broken; those that are slow are not quiet. Was there one? */
bool tickets_correct(CTicketVec *tickets, Heap *heap);

/* The ticket lock that a cell is of, or C_NONE. */
uint32_t tickets_of(const CTicketVec *tickets, uint32_t cell);

/* What an instruction, which may do something to the cell of a lock, does there. */
CTicketDeed tickets_deed(Cells *cells, const CTicket *ticket, uint32_t context, uint32_t instruction);

/* CTicketSite.number of an instruction in a context. */
uint32_t tickets_site(const CTicket *ticket, uint32_t context, uint32_t instruction);

/* The load of CTicket.serving that a branch compares with a number of the lock, in its own block; else C_NONE. *ticket
 * is the lock, and *site where the number was taken: it is the last one that was taken there. */
uint32_t tickets_wait(const CTicketVec *tickets, Cells *cells, uint32_t context, uint32_t branch, uint32_t *ticket,
                      uint32_t *site);

#endif
