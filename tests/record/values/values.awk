# values.awk PRINTED LOG: the order of the log explains the values: each read reads what was written last. LOG is in the STD format.
FNR == NR { split($0, word, " "); n[word[1]]++; op[word[1], n[word[1]]] = word[2]; variable[word[1], n[word[1]]] = word[3]; value[word[1], n[word[1]]] = word[4]; next }
/\|[rw]\(shared/ {
  split($0, part, "|")
  thread = part[1]
  i = ++at[thread]
  name = part[2]; sub(/^..shared\[/, "", name); sub(/\].*/, "", name)
  if (substr(part[2], 1, 1) != op[thread, i] || name != variable[thread, i]) { print "line " FNR ": not what " thread " did: " $0; bad = 1; exit }
  if (op[thread, i] == "w") last[name] = value[thread, i]
  else if (last[name] + 0 != value[thread, i]) { wrong++; if (wrong == 1) print "line " FNR ": " $0 ": read " value[thread, i] ", not " last[name] + 0 }
  seen++
}
END { if (wrong) print wrong " of " seen " accesses are out of order"; exit bad || wrong || seen != length(value) }
