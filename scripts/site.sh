#!/bin/sh
# site.sh FOLDER: the README, docs/ and the samples' pages as static HTML in FOLDER, which is made anew. Needs cmark-gfm.
# A page needs no network, and no script but that of the viewer: after an example of causalcheck that ends in a
# violation there is the run to step through. Links between pages lead to their HTML, others to copies of the files.
set -eu
site=$1
case $site in /*) ;; *) site=$PWD/$site ;; esac
cd "$(dirname "$0")/.."
PATH=${BIN:-$PWD/bin}:$PATH
export PATH
command -v cmark-gfm >/dev/null || {
  echo 'site: SKIP: cmark-gfm is not installed (apt-get install cmark-gfm)'
  exit 0
}

# the groups of pages: a heading, then files; a page of docs/ that no line names is in the last group
groups() {
  cat <<END
causal: README.md NEWS.md CONTRIBUTING.md
Learn: docs/tutorial.md docs/theory.md docs/cookbook.md docs/trust.md docs/language.md
Tools: $(echo docs/tools/*.md)
Samples: $(echo samples/*/README.md)
Around the tools: docs/viewer.md docs/library.md python/README.md editors/README.md editors/vscode/README.md contrib/README.md
Formats: docs/formats.md docs/net_formats.md docs/json.md docs/many.md docs/sarif.md docs/suppressions.md docs/traces.md docs/annotations.md docs/certificates.md
How it works: $(echo docs/*.md)
END
}

# "GROUP<tab>PAGE<tab>HTML<tab>TITLE" for each page
list_pages() {
  groups | awk '
    function html(page) { return page ~ /README[.]md$/ ? substr(page, 1, length(page) - 9) "index.html" : substr(page, 1, length(page) - 2) "html" }
    {
      group = $0
      sub(/:.*/, "", group)
      n = split(substr($0, length(group) + 2), pages, " ")
      for (i = 1; i <= n; i++) {
        page = pages[i]
        if (seen[page]++) continue
        title = page
        while ((getline line <page) > 0) if (line ~ /^# /) { title = substr(line, 3); break }
        close(page)
        gsub(/`/, "", title); gsub(/&/, "\\&amp;", title); gsub(/</, "\\&lt;", title)
        printf "%s\t%s\t%s\t%s\n", group, page, html(page), title
      }
    }'
}

# PAGE UP: UP is "../" for each folder that the page is in
navigation() {
  awk -F '\t' -v page="$1" -v up="$2" '
    BEGIN { print "<nav aria-label=\"Pages\">" }
    $1 != group { print (group ? "</ul>\n" : "") "<h2>" $1 "</h2>\n<ul>"; group = $1 }
    { printf "<li><a href=\"%s%s\"%s>%s</a></li>\n", up, $3, $2 == page ? " aria-current=\"page\"" : "", $4 }
    END { print "</ul>\n</nav>" }' "$site/pages"
}

# UP: the HTML on stdin, with a viewer after each example that ends in a violation; "NAME<tab>COMMAND" of its run goes to
# $site/runs. A run has the name of its model, and a number if there are several.
embed() {
  awk -v up="$1" -v runs="$site/runs" '
    BEGIN { while ((getline line <runs) > 0) { split(line, run, "\t"); seen[run[1]]++ } }
    function name_of(command,   name) {
      match(command, /samples\/[^ ]*[.]sml/)
      name = substr(command, RSTART + 8, RLENGTH - 12)
      while (seen[name]++) name = name "-"
      return name
    }
    /^(<pre><code>)?[$] / {
      command = $0
      sub(/^.*[$] /, "", command)
      if (command !~ /^causalcheck [^|&<>]*samples\/[^ |&<>]*[.]sml$/ || command ~ /[.]sml .*[.]sml/) command = ""
    }
    /^verdict: violated/ && command {
      name = name_of(command)
      printf "%s\t%s\n", name, command >>runs
      frames = frames sprintf("<iframe src=\"%sruns/%s.html\" title=\"The run of %s, to step through\" loading=\"lazy\"></iframe>\n", up, name, command)
      command = ""
    }
    { print }
    /<\/pre>/ { printf "%s", frames; frames = command = "" }'
}

# the HTML on stdin, with links to pages instead of their Markdown, and a name for each heading
relink() {
  sed 's,\(href="[^":]*\)README\.md",\1index.html",g; s,\(href="[^":]*\)\.md\(["#]\),\1.html\2,g' | awk '
    /^<h[23]>/ {
      name = tolower($0)
      gsub(/<[^>]*>|&[a-z]*;/, "", name)
      gsub(/[^a-z0-9 -]/, "", name)
      gsub(/ /, "-", name)
      $0 = substr($0, 1, 3) " id=\"" name "\"" substr($0, 4)
    }
    { print }'
}

# PAGE TITLE
write_page() {
  up=$(dirname "$1" | sed 's,^\.$,,; s,[^/][^/]*,..,g; s,..*,&/,')
  cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'">
<title>$2</title>
<link rel="stylesheet" href="${up}site.css">
</head>
<body>
END
  navigation "$1" "$up"
  echo '<main>'
  cmark-gfm -e table "$1" | relink | embed "$up"
  printf '</main>\n</body>\n</html>\n'
}

rm -rf "$site"
mkdir -p "$site"
list_pages >"$site/pages"
: >"$site/runs"
for file in $(find docs samples libcausal python LICENSE -type f ! -name '*.md'); do
  mkdir -p "$site/$(dirname "$file")"
  cp "$file" "$site/$file"
done
cp scripts/site.css "$site"
tab=$(printf '\t')
while IFS=$tab read -r group page html title; do
  : "$group"
  mkdir -p "$site/$(dirname "$html")"
  write_page "$page" "$title" >"$site/$html"
done <"$site/pages"
n=$(wc -l <"$site/pages")
rm "$site/pages"

# the pages of the runs; sh reads the commands as the reader does
mv "$site/runs" "$site/commands"
mkdir "$site/runs" "$site/in"
ln -s "$PWD/samples" "$site/in/samples"
while IFS=$tab read -r name command; do
  (cd "$site/in" && sh -c "$command --html='$site/runs/$name.html'" >/dev/null 2>&1 </dev/null) || [ $? = 1 ]
done <"$site/commands"
rm -r "$site/commands" "$site/in"
echo "site: $n pages: open $site/index.html"
