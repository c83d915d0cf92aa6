# complete.awk: completions from what a tool's --help says: { TOOL --help; TOOL PART --help; ... } | awk -v shell=bash|zsh|fish -f complete.awk
#
# Where a value is one of several, those are offered; where it is a FILE, files are; else nothing is. A tool with parts
# (`tracerec run`) has options of its own in each.
function trim(s) {
  sub(/^ +/, "", s)
  return s
}
/^Usage: / {
  tool = $2
  part = $3 ~ /^[a-z]+$/ && $4 ~ /^\[OPTION\]/ ? $3 : ""
  if (part != "") parts[++n_parts] = part
  open = 0
  next
}
/^  (-.,|   ) --[a-z]/ {
  open = ++n
  part_of[n] = part
  letter[n] = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : ""
  rest = substr($0, 9)
  match(rest, /^[a-z-]+/)
  name[n] = substr(rest, 1, RLENGTH)
  rest = substr(rest, RLENGTH + 1)
  value = rest ~ /^\[?=/ ? rest : ""
  sub(/ .*/, "", value)
  help[n] = trim(substr(rest, length(value) + 1))
  optional[n] = value ~ /^\[/
  gsub(/\[|\]|=/, "", value)
  is_choice = value ~ /^[a-z_A-Z]+([|,][a-z_A-Z]+)+$/ && value !~ /[A-Z][A-Z]/
  takes[n] = value == "" ? "nothing" : is_choice ? "choice" : value == "FILE" ? "file" : "text"
  called[n] = value
  choices[n] = value
  gsub(/[|,]/, " ", choices[n])
  next
}
/^                              / && open {
  help[open] = help[open] (help[open] == "" ? "" : " ") trim($0)
  next
}
{ open = 0 }

# ---- bash ----

function bash_part(p,    i, words, names) {
  print "  case $before in"
  for (i = 1; i <= n; i++) {
    if (part_of[i] != p) continue
    words = words " --" name[i] (takes[i] != "nothing" && !optional[i] ? "=" : "")
    names = (letter[i] == "" ? "" : "-" letter[i] "|") "--" name[i]
    if (takes[i] == "choice") printf "    %s) %s -W '%s'; return ;;\n", names, offer, choices[i]
    else if (takes[i] == "file") printf "    %s) return ;;\n", names
  }
  print "  esac"
  printf "  [[ $word == -* ]] && %s -W '%s' && [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n", offer, trim(words)
  print "  return 0"
}
function bash_file(    p, i, list) {
  offer = "mapfile -t COMPREPLY < <(compgen"
  print "# bash completion for " tool
  print "_" tool "() {"
  print "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"
  print "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]} # '=' is a word of its own"
  print "  [[ $word == = ]] && word="
  offer = "_" tool "_offer \"$word\""
  for (p = 1; p <= n_parts; p++) {
    printf "  if [[ ${COMP_WORDS[1]} == %s ]] && ((COMP_CWORD > 1)); then\n", parts[p]
    bash_part(parts[p])
    print "  fi"
    list = list " " parts[p]
  }
  if (n_parts) printf "  ((COMP_CWORD == 1)) && [[ $word != -* ]] && { %s -W '%s'; return; }\n", offer, "cc c++" list
  bash_part("")
  print "}"
  print "_" tool "_offer() { mapfile -t COMPREPLY < <(compgen \"${@:2}\" -- \"$1\"); }"
  print "complete -o default -F _" tool " " tool
}

# ---- zsh ----

function zsh_text(s) {
  gsub(/\\/, "\\\\", s)
  gsub(/\[|\]|:/, "\\\\&", s)
  gsub(/'/, "'\\''", s)
  return s
}
function zsh_part(p,    i, value, forms) {
  print "  _arguments -s -S \\"
  for (i = 1; i <= n; i++) {
    if (part_of[i] != p) continue
    value = takes[i] == "nothing" ? "" : (optional[i] ? "::" : ":") zsh_text(called[i]) ":"
    if (takes[i] == "choice") value = (optional[i] ? "::" : ":") "value:(" choices[i] ")"
    if (takes[i] == "file") value = value "_files"
    if (takes[i] == "text") value = value " "
    forms = "--" name[i] (takes[i] == "nothing" ? "" : optional[i] ? "=-" : "=")
    if (letter[i] != "") forms = "'{-" letter[i] (takes[i] == "nothing" || optional[i] ? "" : "+") "," forms "}'"
    printf "    '*%s[%s]%s' \\\n", forms, zsh_text(help[i]), value
  }
  print "    '*:file:_files'"
}
function zsh_file(    p) {
  print "#compdef " tool
  for (p = 1; p <= n_parts; p++) {
    print "if [[ $words[2] == " parts[p] " ]] && (( CURRENT > 2 )); then"
    print "  shift words; (( CURRENT-- ))"
    zsh_part(parts[p])
    print "  return"
    print "fi"
  }
  zsh_part("")
}

# ---- fish ----

function fish_text(s) {
  gsub(/\\/, "\\\\", s)
  gsub(/'/, "\\'", s)
  return s
}
function fish_file(    i, p, seen, line) {
  print "# fish completion for " tool
  for (p = 1; p <= n_parts; p++) seen = seen (p > 1 ? " " : "") parts[p]
  if (n_parts) printf "complete -c %s -n 'not __fish_seen_subcommand_from %s' -a '%s'\n", tool, seen, "cc c++ " seen
  for (i = 1; i <= n; i++) {
    line = "complete -c " tool
    if (part_of[i] != "") line = line " -n '__fish_seen_subcommand_from " part_of[i] "'"
    else if (n_parts) line = line " -n 'not __fish_seen_subcommand_from " seen "'"
    if (letter[i] != "") line = line " -s " letter[i]
    line = line " -l " name[i]
    if (takes[i] == "choice") line = line (optional[i] ? "" : " -x") " -a '" choices[i] "'"
    else if (takes[i] == "file") line = line " -r -F"
    else if (takes[i] == "text") line = line " -x"
    print line " -d '" fish_text(help[i]) "'"
  }
}
END {
  if (shell == "bash") bash_file()
  else if (shell == "zsh") zsh_file()
  else fish_file()
}
