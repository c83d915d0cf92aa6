// environment: the environment: no chain through other threads comes back, for any number of copies
int X, Y;
2 * { t := X } || begin X := 1; Y := 1 end || 2 * { while (true) { r := Y } }
