#define NAME "server"
#include "main.h"
