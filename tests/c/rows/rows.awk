# rows.awk EXCEPTIONS DUMP SOURCE...: what the rows in frontend/c/effects*.c say of arguments that their prototypes, as
# clang's -ast-dump has them, say otherwise; and to the file `sizes` it writes a program that compiles if they have no more
# bytes than the rows say. An exception is a line "NAME WHAT". Of a row it says:
#   undeclared, length    it has no prototype; it has more letters than that has parameters
#   result                it returns an address, or not, and the row says the other
#   number:I, forgotten:I argument I is a number that is followed, or an address that is not
#   constant:I            what it leads to is const, and the row says that it is written
#   variable:I            it is not const, and is read alone
#   function:I            what is called back is no function, or the other way round
BEGIN {
  OPAQUE = " FILE __FILE DIR iconv_t wctrans_t gzFile voidp voidpc pthread_mutex_t pthread_mutexattr_t pthread_cond_t pthread_condattr_t " \
           "pthread_rwlock_t pthread_rwlockattr_t pthread_barrier_t pthread_barrierattr_t pthread_spinlock_t " \
           "pthread_attr_t pthread_once_t pthread_t sem_t struct __va_list_tag "
}

# the C types of the parameters, to p[1], ..., and of the result
function take_apart(type,   i, depth, c, text, n) {
  variadic = 0
  sub(/ __attribute__.*/, "", type)
  for (i = length(type); i > 0; i--) {
    c = substr(type, i, 1)
    if (c == ")") depth++
    if (c == "(" && --depth == 0) break
  }
  result = substr(type, 1, i - 1)
  sub(/ $/, "", result)
  text = substr(type, i + 1, length(type) - i - 1)
  n = depth = 0
  p[1] = ""
  if (text != "" && text != "void") n = 1
  for (i = 1; i <= length(text) && n; i++) {
    c = substr(text, i, 1)
    if (c == "(") depth++
    if (c == ")") depth--
    if (c == "," && !depth) { p[++n] = ""; i++ }
    else p[n] = p[n] c
  }
  if (n && p[n] == "...") { variadic = 1; n-- }
  return n
}

function is_function(t) { return t ~ /\(\*/ || t ~ /_fn_t|_func_t|sighandler_t/ }
function is_pointer(t) { return t ~ /\*/ || is_function(t) || t ~ /SOCKADDR_ARG/ || t ~ /^(iconv_t|wctrans_t|gzFile|z_streamp|voidpc?|gpointer|gconstpointer)$/ }
function is_const(t) { return t ~ /^const [^*]*\*[^*]*$/ || t ~ /\*const \*/ || t ~ /__CONST_SOCKADDR_ARG/ }
function is_opaque(t,   base) {
  base = t
  sub(/^const /, "", base)
  sub(/ *\*[^*]*$/, "", base)
  return index(OPAQUE, " " base " ") != 0
}

# the letters of a row, to letter[1], ..., and the numbers behind them, to bytes[1], ...; how many there are
function take_letters(letters,   n) {
  for (n = 0; letters != ""; letters = substr(letters, RLENGTH + 1)) {
    match(letters, /^.[0-9]*/)
    letter[++n] = substr(letters, 1, 1)
    bytes[n] = substr(letters, 2, RLENGTH - 1)
  }
  return n
}

function complain(name, what) { if (!((name " " what) in excused)) print name " " what; else used[name " " what] = 1 }

FILENAME == ARGV[1] {
  if ($0 !~ /^#/ && NF) excused[$1 " " $2] = 1
  next
}
FILENAME == ARGV[2] && /FunctionDecl/ {
  if (match($0, / [A-Za-z_0-9]+ '/)) {
    name = substr($0, RSTART + 1, RLENGTH - 3)
    type = substr($0, RSTART + RLENGTH)
    sub(/'.*/, "", type)
    types[name] = type
  }
  next
}
/^ *\{"[^"]*", CALL_/ {
  split($0, q, "\"")
  name = q[2]; letters = q[4]
  match($0, /RESULT_[A-Z]*/)
  gives = substr($0, RSTART + 7, RLENGTH - 7)
  match($0, /CALL_[A-Z_]*/)
  kind = substr($0, RSTART + 5, RLENGTH - 5)
  if (!(name in types)) { complain(name, "undeclared"); next }
  n = take_apart(types[name])
  n_letters = take_letters(letters)
  if (n_letters > n + variadic && letters != "-") complain(name, "length")
  if (is_pointer(result) != (gives !~ /^(NUMBER|BUSY|LATE|FAILED|ZERO)$/)) complain(name, "result")
  for (i = 1; i <= n; i++) {
    l = letter[i > n_letters ? n_letters : i]
    size = bytes[i > n_letters ? n_letters : i]
    t = p[i]
    if (size != "" && sizes != "" && l != "S") printf "_Static_assert(sizeof *(%s)0 <= %d, \"%s: %d\");\n", t, size, name, i >sizes
    if (l != "-" && !is_pointer(t)) { if (i <= n_letters) complain(name, "number:" i) }
    else if (l == "-" && is_pointer(t) && !is_opaque(t) && !is_function(t)) complain(name, "forgotten:" i)
    else if (index("wbWBeEMnlumKiIsT", l) && is_const(t)) complain(name, "constant:" i)
    else if (index("roRO", l) && is_pointer(t) && !is_const(t) && !is_opaque(t)) complain(name, "variable:" i)
    else if ((l == "c") != (is_function(t) != 0) && kind == "BACK") complain(name, "function:" i)
  }
}
END { for (e in excused) if (!(e in used) && e !~ / undeclared$/) print e ": there is no such exception" }
