// run: --any-number
gap calls f, which is not known;
int gap; gap that is not closed
