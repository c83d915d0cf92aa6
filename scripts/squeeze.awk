# squeeze.awk: makes JavaScript shorter, and leaves its meaning: comments and blanks go, and variables get short names.
#
#     LC_ALL=C awk -f scripts/squeeze.awk FILE.js...
#
# It knows no more of the language than report/viewer/ uses: statements end with ; or }, a regular expression stands
# after one of ( , = : [ ! & | ? { } ; and has no bare / in it, there are no templates, no - stands before another, and a
# variable that is declared after a comma has a value. { name } is { name: name }: what is a property's keeps its name,
# and so does what is not ours, but the browser's.

BEGIN {
  split("Array Infinity Int32Array JSON Map Math NaN Node Number Object Set String URLSearchParams Uint8Array document " \
        "history location requestAnimationFrame setTimeout undefined window " \
        "async await break case catch class const continue delete else false finally for function if in instanceof let " \
        "new null of return super switch this throw true try typeof var void while", word)
  for (i in word) foreign[word[i]] = 1
  n = 0
}

function add(text, kind) {
  token[++n] = text
  is[n] = kind
}

# ---- tokens: "name", "text" (strings, regular expressions), "mark" (one character), "number" ----

# How many bytes the string or regular expression has that begins the line.
function quoted_length(line,   i, end) {
  end = substr(line, 1, 1)
  for (i = 2; i <= length(line) && substr(line, i, 1) != end; i++)
    if (substr(line, i, 1) == "\\") i++
  return i
}

function begins_expression() {
  return n == 0 || (is[n] == "mark" && index("(,=:[!&|?{};", token[n])) || token[n] == "return"
}

function read(line,   c, long) {
  while (line != "") {
    c = substr(line, 1, 1)
    long = 1
    if (c == " " || c == "\t") {
      line = substr(line, 2)
      continue
    }
    if (substr(line, 1, 2) == "//") return
    if (match(line, /^[A-Za-z_$][A-Za-z_$0-9]*/)) add(substr(line, 1, long = RLENGTH), "name")
    else if (match(line, /^[0-9][0-9.]*/)) add(substr(line, 1, long = RLENGTH), "number")
    else if (c == "\"" || (c == "/" && begins_expression())) {
      long = quoted_length(line)
      if (c == "/") while (substr(line, long + 1, 1) ~ /[a-z]/) long++
      add(substr(line, 1, long), "text")
    } else add(c, "mark")
    line = substr(line, long + 1)
  }
}

{ read($0) }

# ---- names ----

# A name behind a point, or before a colon among braces, is a property's; one alone among braces is both.
function find_variables(   i, depth, bracket, before, after) {
  depth = 0
  for (i = 1; i <= n; i++) {
    if (is[i] == "mark" && index("([{", token[i])) bracket[++depth] = token[i]
    if (is[i] == "mark" && index(")]}", token[i])) depth--
    if (is[i] != "name") continue
    before = token[i - 1]
    after = token[i + 1]
    if (before == "." && token[i - 2] != ".") continue
    if (bracket[depth] == "{" && (before == "{" || before == ",") && after == ":") continue
    if (bracket[depth] == "{" && (before == "{" || before == ",") && (after == "," || after == "}")) both[i] = 1
    uses[token[i]]++
    variable[i] = 1
  }
}

function short_name(k,   letters) {
  letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
  if (k < 52) return substr(letters, k + 1, 1)
  return substr(letters, k % 52 + 1, 1) (int(k / 52) - 1)
}

# The most used names get the shortest ones.
function choose_names(   name, best, k, short) {
  k = 0
  for (;;) {
    best = ""
    for (name in uses)
      if (!(name in foreign) && !(name in renamed))
        if (best == "" || uses[name] > uses[best] || (uses[name] == uses[best] && name < best)) best = name
    if (best == "") return
    do short = short_name(k++)
    while (short in foreign)
    renamed[best] = short
  }
}

END {
  find_variables()
  choose_names()
  line = ""
  for (i = 1; i <= n; i++) {
    text = variable[i] && token[i] in renamed ? renamed[token[i]] : token[i]
    if (both[i]) text = token[i] ":" text
    if (line != "" && substr(line, length(line)) ~ /[A-Za-z0-9_$]/ && text ~ /^[A-Za-z0-9_$]/) line = line " "
    line = line text
    if (length(line) > 100 && text ~ /^[;{},]$/) {
      print line
      line = ""
    }
  }
  if (line != "") print line
}
