// The bytes are changed, and changed back.
// expect: twice violated
// expect: other atomic
// race: 20 32
// race: 21 32
#define BYTE(i) (unsigned char)(((const unsigned char *)&at)[i] ^ 0x5a)
#define BACK(byte) (unsigned char)((byte) ^ 0x5a)
#include "pointer_bytes.c"
