void put(int x);
__attribute__((constructor)) static void set(void) { put(1); }
