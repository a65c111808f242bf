// From clicks on cells to moves. A move has a path: the cells that it goes through. `chosen` are the cells that
// were clicked so far. Nothing here knows of pages.

function beginsWith(path, chosen) {
  return chosen.length <= path.length && chosen.every((cell, i) => path[i] === cell);
}

export function candidates(moves, chosen) {
  return moves.filter((move) => move.path.length > 0 && beginsWith(move.path, chosen));
}

// Cells on which a move can go on, and those of them that can be its last.
export function nextCells(moves, chosen) {
  const next = new Set();
  const last = new Set();
  for (const move of candidates(moves, chosen)) {
    if (move.path.length === chosen.length) continue;
    next.add(move.path[chosen.length]);
    if (chosen.length > 0) last.add(move.path[move.path.length - 1]);
  }
  return { next, last };
}

// Moves that no cell can be clicked for: `pass`.
export function withoutCells(moves) {
  return moves.filter((move) => move.path.length === 0);
}

function decided(found, chosen) {
  const complete = found.filter((move) => move.path.length === chosen.length);
  if (found.length === 1 && (complete.length === 1 || chosen.length > 1)) return { play: found[0].text };
  return { chosen, choices: complete.map((move) => move.text) };
}

// What a click means: `play` a move; or go on with `chosen`, and perhaps one of `choices` is meant; or `refused`,
// the text of a move that isn't legal.
export function click(moves, chosen, cell, nameOf) {
  if (chosen.length === 1 && chosen[0] === cell && candidates(moves, [cell, cell]).length === 0) {
    const complete = candidates(moves, chosen).filter((move) => move.path.length === 1);
    return complete.length === 1 ? { play: complete[0].text } : { chosen: [], choices: [] };
  }
  const further = [...chosen, cell];
  const found = candidates(moves, further);
  if (found.length > 0) return decided(found, further);
  const ending = candidates(moves, chosen).filter((move) => chosen.length > 0 && move.path[move.path.length - 1] === cell);
  if (ending.length === 1) return { play: ending[0].text };
  if (ending.length > 1) return { chosen, choices: ending.map((move) => move.text) };
  const anew = candidates(moves, [cell]);
  if (anew.length > 0) return decided(anew, [cell]);
  return { chosen: [], choices: [], refused: further.map(nameOf).join("-") };
}
