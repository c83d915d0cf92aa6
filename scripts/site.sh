#!/bin/sh
# site.sh FOLDER: the README, docs/ and the samples' pages as static HTML in FOLDER, which is made anew. Needs cmark-gfm.
# A page needs no network and no script. Links between pages lead to their HTML, others to copies of the files.
set -eu
site=$1
cd "$(dirname "$0")/.."
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
Around the tools: docs/library.md python/README.md editors/README.md editors/vscode/README.md contrib/README.md
Formats: docs/formats.md docs/json.md docs/sarif.md docs/suppressions.md docs/traces.md docs/annotations.md docs/certificates.md
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
  cmark-gfm -e table "$1" | relink
  printf '</main>\n</body>\n</html>\n'
}

rm -rf "$site"
mkdir -p "$site"
list_pages >"$site/pages"
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
echo "site: $(wc -l <"$site/pages") pages: open $site/index.html"
rm "$site/pages"
