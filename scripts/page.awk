# page.awk: makes report/viewer/page.html into C, for report/viewer_text.h.
#
#     LC_ALL=C awk -v style=viewer.css -v script=viewer.js -f scripts/page.awk report/viewer/page.html >viewer_text.c
#
# A line "@style" or "@script" of the page stands for a file; of the style's blanks only those remain that mean something,
# and no line that is a comment. A line "@result" is where the result will stand.

function quoted(line) {
  gsub(/\\/, "&&", line)
  gsub(/"/, "\\\"", line)
  gsub(/\?/, "\\?", line)
  return "  \"" line "\","
}

function squeeze(line) {
  if (line ~ /^\/\*/) return ""
  sub(/^ +/, "", line)
  gsub(/ *[{};] */, " & ", line)
  gsub(/ /, "  ", line)
  while (match(line, /  *[{};,]  *|  *[{};,]$|^[{};,]  *|[:,]  /)) {
    c = substr(line, RSTART, RLENGTH)
    gsub(/ /, "", c)
    line = substr(line, 1, RSTART - 1) c substr(line, RSTART + RLENGTH)
  }
  gsub(/  +/, " ", line)
  gsub(/;}/, "}", line)
  return line
}

function include(file, is_style,   line, status) {
  while ((status = (getline line <file)) > 0) {
    if (is_style) line = squeeze(line)
    if (line != "") print quoted(line)
  }
  if (status < 0) {
    print "page.awk: " file ": cannot be read" | "cat >&2"
    failed = 1
    exit 1
  }
}

NR == 1 { print "#include \"report/viewer_text.h\"\n\n#include <stddef.h>\n\nconst char *const VIEWER_HEAD[] = {" }
$1 == "@style" { include(style, 1); next }
$1 == "@script" { include(script, 0); next }
$1 == "@result" { print "  NULL};\nconst char *const VIEWER_TAIL[] = {"; next }
{ print quoted($0) }
END { if (!failed) print "  NULL};" }
