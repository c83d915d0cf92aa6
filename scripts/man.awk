# man.awk: from a page of docs/tools to its manual page (roff, man macros): awk -v version=1.0 -v date=2026-11-22 -f man.awk docs/tools/TOOL.md
#
# Of Markdown it knows what those pages use: '# ' the name of the tool, '## ' and '### ' headings, paragraphs, blocks of code
# (four blanks), lists ('* ', continued with two blanks) whose items begin with a term and a colon, `code`, *emphasis*, **strong**,
# [text](link). A link to another tool's page becomes a reference to its manual, tool(1); of another link the text stays.
function escape(s) {
  gsub(/\\/, "\\e", s)
  gsub(/-/, "\\-", s)
  return s
}
# what stands between a mark and the next one, in that font
function font(s, mark, name,    parts, n, i, out) {
  n = split(s, parts, mark)
  for (i = 1; i <= n; i++) out = out (i % 2 ? parts[i] : "\\f" name parts[i] "\\fR")
  return out
}
function links(s,    at, text, target) {
  while (match(s, /\[[^]]*\]\([^)]*\)/)) {
    at = substr(s, RSTART, RLENGTH)
    text = target = at
    sub(/^\[/, "", text); sub(/\]\(.*/, "", text)
    sub(/.*\(/, "", target); sub(/\)$/, "", target)
    if (target ~ /^[a-z0-9]+\.md$/) text = "**" text "**(1)"
    s = substr(s, 1, RSTART - 1) text substr(s, RSTART + RLENGTH)
  }
  return s
}
# code first: an asterisk in it is no emphasis
function inline(s,    parts, n, i, out, piece) {
  n = split(s, parts, "`")
  for (i = 1; i <= n; i++) {
    if (i % 2) piece = font(font(escape(links(parts[i])), "[*][*]", "B"), "[*]", "I")
    else piece = "\\fB" escape(parts[i]) "\\fR"
    out = out piece
  }
  return out
}
# a line that begins with a dot or an apostrophe would be a request
function put(s) { if (s ~ /^[.']/) s = "\\&" s; print s }
# text: a sentence begins a line, and no line is long
function fold(s,    words, n, i, line) {
  n = split(s, words, " ")
  for (i = 1; i <= n; i++) {
    if (line != "" && length(line) + length(words[i]) > 76) { put(line); line = "" }
    line = line (line == "" ? "" : " ") words[i]
    if (words[i] ~ /[.?!][)"]*(\\fR)?$/ && i < n) { put(line); line = "" }
  }
  if (line != "") put(line)
}
function paragraph() { if (!fresh) print ".PP"; fresh = 0 }
# the term of an item ends with the first colon that a blank follows
function item(s,    at) {
  at = index(s, ": ")
  fresh = 0
  print ".TP"
  put(inline(substr(s, 1, at - 1)))
  fold(inline(substr(s, at + 2)))
}
function flush() {
  if (text == "") return
  if (listed) item(text)
  else { paragraph(); fold(inline(text)) }
  text = ""
}
function close_code() { if (code) print ".EE\n.RE"; code = blank = 0 }

/^    / && !listed {
  flush()
  if (!code) { paragraph(); print ".RS 4\n.EX" }
  if (blank) print ""
  code = 1
  blank = 0
  put(escape(substr($0, 5)))
  next
}
{ if (code && $0 != "") close_code() }
/^# / { name = substr($0, 3); printf ".TH %s 1 \"%s\" \"causal %s\" \"causal\"\n.nh\n", toupper(name), date, version; next }
/^## / { flush(); listed = 0; print ".SH \"" substr($0, 4) "\""; fresh = 1; next }
/^### / { flush(); listed = 0; print ".SS \"" substr($0, 5) "\""; fresh = 1; next }
/^[*] / { flush(); listed = 1; text = substr($0, 3); next }
/^$/ { flush(); listed = 0; blank = code; next }
{ sub(/^ +/, ""); text = text == "" ? $0 : text " " $0 }
END { flush(); close_code() }
