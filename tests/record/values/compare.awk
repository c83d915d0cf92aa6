# compare.awk PRINTED LOG: the order of the log explains what the comparisons of compare.c found. LOG is in the STD format.
FNR == NR { same[FNR] = $1; next }
/\|w\(left(\.[a-z]+|\[0\])*\)/ { left = n_left++ % 4 }
/\|w\(right(\.[a-z]+|\[0\])*\)/ { right = n_right++ % 4 }
/\|r\(left(\.[a-z]+|\[0\])*\)/ { seen = left }
/\|r\(right(\.[a-z]+|\[0\])*\)/ { if ((seen + 0 == right + 0) != same[++n]) wrong++ }
END { if (wrong) print wrong " of " n " comparisons are out of order"; exit wrong || n != 200000 }
