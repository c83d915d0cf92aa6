// The bytes are those of a number that the address is made.
// expect: twice violated
// expect: other atomic
// race: 20 32
// race: 21 32
#define BYTE(i) (unsigned char)((uintptr_t)at >> 8 * (i))
#define BACK(byte) byte
#include "pointer_bytes.c"
