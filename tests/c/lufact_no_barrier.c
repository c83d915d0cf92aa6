// No barrier behind the first thread's phase.
#define SECOND_BARRIER()
#include "lufact.h"
