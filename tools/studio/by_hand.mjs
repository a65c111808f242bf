// node by_hand.mjs ENGINE [--positions N] [GAME…]: can every legal move be made by clicks alone? For each game of the
// library, in positions of random games, each legal move is clicked together as the page does it: cell by cell, then
// by the buttons that are offered. Tells the number of clicks in the middle, and the largest number of buttons that
// aren't cells. Status 1 where a move can't be made so, or a step offers too many.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { choicesOf, click, mostChoices, withoutCells } from "./page/moves.js";

const [engine, ...rest] = process.argv.slice(2);
const option = rest.indexOf("--positions");
const most = option >= 0 ? Number(rest.splice(option, 2)[1]) : 20;
const wanted = rest;
const makeEngine = createRequire(import.meta.url)(resolve(engine, "engine.js"));
const started = await makeEngine({ wasmBinary: readFileSync(join(engine, "engine.wasm")) });
const ask = (request) => JSON.parse(started.ccall("boardwright_ask", "string", ["string"], [JSON.stringify(request)]));

let state = 1;
const below = (n) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};

// Positions of random games: from each some, spread over its length.
function positions(text, name) {
  const found = [];
  for (let game = 0; game < most && found.length < most; ++game) {
    let { ok, view } = ask({ do: "load", name: `${name}.yaml`, text });
    if (!ok) throw new Error(`${name} does not load`);
    const skip = game === 0 ? 0 : below(12);
    for (let ply = 0; ply < 400 && !view.outcome && view.moves.length > 0 && found.length < most; ++ply) {
      if (ply >= skip && (ply - skip) % 3 === 0) found.push(view);
      const move = view.chance ? { do: "roll", seed: below(1e9) } : { do: "play", move: view.moves[below(view.moves.length)].text };
      const next = ask(move);
      if (next.error) break; // a limit: nobody plays on from there
      view = next;
    }
  }
  return found;
}

class Page {
  constructor(view) {
    this.moves = view.moves;
    this.names = new Map(view.cells.map((cell) => [cell.cell, cell.name]));
    this.known = new Map();
    this.beginning = new Map(); // moves, by the cells that they begin with
    this.largest = 0;
    this.sets = this.moves.some((move) => move.text.includes(","));
    const open = (key, move) => this.beginning.get(key)?.push(move) ?? this.beginning.set(key, [move]);
    for (const move of this.moves) move.path.forEach((_, i) => open(move.path.slice(0, i + 1).join(","), move));
  }

  click(chosen, cell) {
    const key = `${chosen.join(",")}>${cell}`;
    // Those that begin so go before all others: where there are any, the others needn't be looked at.
    const moves = (!this.sets && this.beginning.get([...chosen, cell].join(","))) || this.moves;
    if (!this.known.has(key)) this.known.set(key, click(moves, chosen, cell, (number) => this.names.get(number) ?? "?"));
    return this.known.get(key);
  }

  // Clicks on buttons until the move is chosen; null where it isn't among them.
  buttons(texts, text) {
    let clicks = 0;
    for (let left = texts; left.includes(text); ++clicks) {
      const choices = choicesOf(left);
      this.largest = Math.max(this.largest, choices.length);
      const choice = choices.find((one) => one.texts.includes(text));
      if (choice.texts.length === 1) return clicks + 1;
      if (choice.texts.length === left.length) return null;
      left = choice.texts;
    }
    return null;
  }

  // The fewest clicks of those that are tried for it: its cells one by one, or its first and its last.
  clicksFor({ path, text }) {
    if (path.length === 0) return this.buttons(withoutCells(this.moves).map((move) => move.text), text);
    const ways = [path, ...(path.length > 2 ? [[path[0], path[path.length - 1]]] : [])];
    const counts = ways.map((cells) => this.along(cells, text)).filter((count) => count !== null);
    return counts.length > 0 ? Math.min(...counts) : null;
  }

  along(cells, text) {
    let chosen = [];
    let fewest = null;
    for (let i = 0; i < cells.length; ++i) {
      if (!this.names.has(cells[i])) return fewest; // it isn't drawn
      const meant = this.click(chosen, cells[i]);
      if (meant.play !== undefined) return meant.play === text ? Math.min(fewest ?? Infinity, i + 1) : fewest;
      if (meant.preview === text) fewest = Math.min(fewest ?? Infinity, i + 2);
      chosen = meant.chosen;
      if (meant.choices.length > 0) {
        const more = this.buttons(meant.choices, text);
        if (more !== null) fewest = Math.min(fewest ?? Infinity, i + 1 + more);
      }
    }
    return fewest;
  }
}

const middle = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const names = wanted.length > 0 ? wanted : ask({ do: "library" }).games.map((game) => game.name);
let failed = 0;
let all = [];
let largest = 0;
for (const name of names) {
  const clicks = [];
  const missed = [];
  let most = 0;
  let cut = 0;
  let seen = 0;
  for (const view of positions(ask({ do: "source", name }).text, name)) {
    ++seen;
    if (!view.complete) ++cut;
    const page = new Page(view);
    for (const move of view.moves) {
      const count = page.clicksFor(move);
      if (count === null) missed.push(`${move.text} [${move.path.map((cell) => page.names.get(cell))}]`);
      else clicks.push(count);
    }
    most = Math.max(most, page.largest);
  }
  const bad = missed.length > 0 || most > mostChoices || cut > 0;
  if (bad) ++failed;
  all = all.concat(clicks);
  largest = Math.max(largest, most);
  console.log(`${bad ? "FAILED" : "ok    "} ${name}: ${clicks.length} moves in ${seen} positions, ${middle([...clicks])} clicks in the middle, ${Math.max(...clicks)} at most; ${most} buttons at most${cut ? `; ${cut} positions with more moves than are listed` : ""}${missed.length ? `; ${missed.length} can't be made, such as ${missed.slice(0, 3).join(" and ")}` : ""}`);
}
console.log(`${names.length - failed} of ${names.length} games; ${all.length} moves, ${middle(all)} clicks in the middle, ${largest} buttons at most`);
process.exitCode = failed > 0 ? 1 : 0;
