// Red and black rows: what is proved of each access is needed, see the programs sor_*.
#include "sor.h"
