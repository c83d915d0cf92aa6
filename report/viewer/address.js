// address.js: the position as the part of the URL behind its #, so that a link leads back to it.

const PLACES = {finding: "f", at: "s", folded: "fold", fitted: "fit", causes: "causes", query: "q", filter: "v", theme: "t"};

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1)), number = (name, least) => {
    const value = given.has(name) && /^\d{1,9}$/.test(given.get(name)) ? Number(given.get(name)) : NaN;
    return value >= least ? value : null;
  };
  const finding = number(PLACES.finding, 1), at = number(PLACES.at, 0), causes = number(PLACES.causes, 1);
  const theme = given.get(PLACES.theme);
  return {finding: finding && finding - 1, at: at === null ? null : at - 1, causes: causes === null ? -1 : causes - 1,
          folded: given.get(PLACES.folded) !== "0", fitted: given.get(PLACES.fitted) !== "0",
          query: given.get(PLACES.query) || "", filter: given.get(PLACES.filter) || "",
          theme: theme === "dark" || theme === "light" ? theme : "auto"};
}

// A page in a page has no URL of its own.
function writeAddress(state) {
  if (location.protocol === "about:") return;
  const parts = new URLSearchParams();
  if (state.finding !== null) parts.set(PLACES.finding, state.finding + 1);
  parts.set(PLACES.at, state.at + 1);
  if (!state.folded) parts.set(PLACES.folded, 0);
  if (!state.fitted) parts.set(PLACES.fitted, 0);
  if (state.causes >= 0) parts.set(PLACES.causes, state.causes + 1);
  for (const name of ["query", "filter"]) if (state[name]) parts.set(PLACES[name], state[name]);
  if (state.theme !== "auto") parts.set(PLACES.theme, state.theme);
  if ("#" + parts !== location.hash) history.replaceState(null, "", "#" + parts);
}
