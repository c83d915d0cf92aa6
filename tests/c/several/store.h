int get(void);
void put(int);
