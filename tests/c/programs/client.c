#define NAME "client"
#include "main.h"
