/* clock.h: how much time has passed. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds of the monotonic clock: only differences mean something. May be called by a signal handler. */
double clock_seconds(void);

/* Seconds of processor time that this process has used. */
double clock_cpu_seconds(void);

#endif
