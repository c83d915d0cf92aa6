# plot.awk: lines "SERIES,N,SECONDS" as an SVG picture, both axes logarithmic: N from 1 to 1000, seconds from .001 to 1000.
BEGIN {
  FS = ","
  WIDTH = 640; HEIGHT = 400; LEFT = 60; TOP = 20; RIGHT = 180; BOTTOM = 45
  split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #8c564b", COLOURS, " ")
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", WIDTH, HEIGHT
  printf "<title>Seconds of causalcheck for N threads</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
  for (i = 0; i <= 3; i++) grid(x(10 ^ i), TOP, x(10 ^ i), HEIGHT - BOTTOM, x(10 ^ i), HEIGHT - BOTTOM + 16, "middle", 10 ^ i)
  for (i = -3; i <= 3; i++) grid(LEFT, y(10 ^ i), WIDTH - RIGHT, y(10 ^ i), LEFT - 6, y(10 ^ i) + 4, "end", 10 ^ i)
  printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">threads</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8
  printf "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\" text-anchor=\"middle\">seconds</text>\n", HEIGHT / 2, HEIGHT / 2
}
function x(n) { return LEFT + log(n) / log(10) / 3 * (WIDTH - LEFT - RIGHT) }
function y(s) { return HEIGHT - BOTTOM - (log(s < .001 ? .001 : s) / log(10) + 3) / 6 * (HEIGHT - TOP - BOTTOM) }
function grid(x1, y1, x2, y2, tx, ty, anchor, label) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", x1, y1, x2, y2
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%g</text>\n", tx, ty, anchor, label
}
NF == 3 {
  if (!($1 in line)) name[++series] = $1
  line[$1] = line[$1] sprintf("%.1f,%.1f ", x($2), y($3))
  dots[$1] = dots[$1] sprintf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"COLOUR\"/>", x($2), y($3))
}
END {
  for (i = 1; i <= series; i++) {
    colour = COLOURS[i]
    gsub("COLOUR", colour, dots[name[i]])
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%s\n", line[name[i]], colour, dots[name[i]]
    printf "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>", WIDTH - RIGHT + 16, TOP + 18 * i, colour
    printf "<text x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - RIGHT + 26, TOP + 18 * i + 4, name[i]
  }
  print "</svg>"
}
