// From clicks to moves. A move has a path: the cells that it goes through. `chosen` are the cells that were clicked so
// far; what they leave open is chosen among at most `mostChoices` buttons at a time. All is derived from the moves
// themselves, so that it holds for any rules. Nothing here knows of pages.

export const mostChoices = 12;

const beginsWith = (path, chosen) => chosen.length <= path.length && chosen.every((cell, i) => path[i] === cell);

// Cells may be left out.
function inOrder(path, chosen) {
  let at = 0;
  for (const cell of chosen) {
    at = path.indexOf(cell, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function inAnyOrder(path, chosen) {
  const rest = [...path];
  return chosen.every((cell) => {
    const at = rest.indexOf(cell);
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}

// Cells that are taken all at once, such as those of a tile: their order means nothing.
const isSet = (move) => move.path.length > 1 && /^\w+(,\w+)+$/.test(move.text);

// The moves that the cells may mean: those that begin so, or have them in a set; else those with the cells in this
// order; else in any. `exact` are the first, which go on cell by cell.
export function candidates(moves, chosen) {
  const exact = moves.filter((move) => move.path.length > 0 && (isSet(move) ? inAnyOrder : beginsWith)(move.path, chosen));
  if (exact.length > 0 || chosen.length < 2) return { found: exact, exact: true };
  for (const fits of [inOrder, inAnyOrder]) {
    const found = moves.filter((move) => fits(move.path, chosen));
    if (found.length > 0) return { found, exact: false };
  }
  return { found: [], exact: false };
}

// Cells on which a move can go on, and those that can be its last.
export function nextCells(moves, chosen) {
  const next = new Set();
  const last = new Set();
  const { found, exact } = candidates(moves, chosen);
  for (const move of found) {
    const { path } = move;
    if (path.length === chosen.length) continue;
    if (exact && !isSet(move)) next.add(path[chosen.length]);
    else for (const cell of path) if (!chosen.includes(cell)) next.add(cell);
    if (chosen.length > 0) last.add(path[path.length - 1]);
  }
  return { next, last };
}

// Moves that no cell can be clicked for: `pass`.
export function withoutCells(moves) {
  return moves.filter((move) => move.path.length === 0);
}

// --- what buttons choose

const parts = (text) => text.match(/[\p{L}_]+\d+|[\p{L}_]+|\d+|\s+|[^\p{L}\d\s]/gu) ?? [];

function commonParts(lists) {
  let same = 0;
  while (lists.every((list) => same < list.length && list[same] === lists[0][same])) ++same;
  return same;
}

// At most `mostChoices` groups of texts, by what they say next: `{ label, texts }`, one text in a group that is clear.
// `given` is what has been chosen of them by other groups.
export function choicesOf(texts, given = 0) {
  if (texts.length === 1) return [{ label: texts[0] || "go on", texts }];
  if (texts.length <= mostChoices) return texts.map((text) => ({ label: labelOf(text, texts), texts: [text] }));
  const lists = texts.map(parts);
  const same = Math.max(commonParts(lists), given);
  const groups = new Map();
  lists.forEach((list, i) => {
    const key = list[same] ?? "";
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(texts[i]);
  });
  if (groups.size > 1 && groups.size <= mostChoices)
    return [...groups].map(([key, members]) => ({ label: members.length === 1 ? labelOf(members[0], texts) : `${key}…`, texts: members }));
  // Too many: neighbours together.
  const sorted = groups.size > 1 ? [...groups.values()].flat() : texts;
  const size = Math.ceil(sorted.length / mostChoices);
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, i) => {
    const members = sorted.slice(i * size, (i + 1) * size);
    return { label: members.length === 1 ? labelOf(members[0], texts) : `${labelOf(members[0], texts)} to ${labelOf(members[members.length - 1], texts)}`, texts: members };
  });
}

// What tells a text from the others: short enough for a button.
function labelOf(text, texts) {
  if (text.length <= 12) return text || "go on";
  const lists = texts.map(parts);
  const same = commonParts(lists);
  const rest = parts(text).slice(same).join("");
  return rest.length > 0 && rest.length < text.length ? `…${rest}` : text || "go on";
}

// --- what a click means

// `play` a move; `preview` the one that is meant, though not all of its cells were clicked; go on with `chosen`, and
// perhaps one of `choices` (texts of moves) is meant; or `refused`, the text of a move that isn't legal.
export function click(moves, chosen, cell, nameOf) {
  const again = chosen.length > 0 && chosen[chosen.length - 1] === cell && candidates(moves, [...chosen, cell]).found.length === 0;
  if (again) return clickedAgain(moves, chosen);
  const further = [...chosen, cell];
  const { found, exact } = candidates(moves, further);
  if (found.length > 0) return decided(found, further, exact);
  const anew = candidates(moves, [cell]);
  if (anew.found.length > 0) return decided(anew.found, [cell], true);
  return { chosen: [], choices: [], refused: further.map(nameOf).join("-") };
}

// The last cell once more: the move ends here, or nothing is chosen any more.
function clickedAgain(moves, chosen) {
  const complete = candidates(moves, chosen).found.filter((move) => move.path.length === chosen.length);
  if (complete.length === 1) return { play: complete[0].text };
  return complete.length > 1 ? { chosen, choices: texts(complete) } : { chosen: [], choices: [] };
}

const texts = (moves) => moves.map((move) => move.text);

function decided(found, chosen, exact) {
  const last = chosen[chosen.length - 1];
  const complete = found.filter((move) => move.path.length === chosen.length);
  const sets = found.some(isSet);
  if (found.length === 1) {
    const [{ path, text }] = found;
    const reached = chosen.length > 1 && exact && !sets && path[path.length - 1] === last && !path.slice(0, -1).includes(last);
    if (complete.length === 1 || reached) return { play: text };
    return chosen.length > 1 || sets ? { chosen, choices: [], preview: text } : { chosen, choices: [] };
  }
  // Where cells were left out, or have no order, the moves are offered as soon as they are few.
  const meant = exact && !sets ? complete : found.length <= mostChoices ? found : complete;
  return { chosen, choices: texts(meant) };
}
