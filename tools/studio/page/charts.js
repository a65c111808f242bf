// Random games as charts, each with its numbers in words.
import { make } from "./dom.js";

const share = (part, all) => `${((100 * part) / Math.max(all, 1)).toFixed(1)} %`;
const whole = (number) => Math.round(number).toLocaleString("en");

function bar(label, part, all, index) {
  const fill = make("span", { class: `fill fill${index}` });
  fill.style.width = `${(100 * part) / Math.max(all, 1)}%`;
  return make("li", {}, make("span", { class: "label" }, label), make("span", { class: "track", "aria-hidden": "true" }, fill), make("span", { class: "number" }, share(part, all)));
}

function results(sum, players) {
  const list = make("ul", { class: "bars" });
  players.forEach((player, i) => list.append(bar(`${player} wins`, sum.wins[i], sum.games, i)));
  for (const one of sum.shared ?? []) list.append(bar(one.text, one.games, sum.games, 8));
  if (sum.draws > 0) list.append(bar("draws", sum.draws, sum.games, 8));
  if (sum.unfinished > 0) list.append(bar("unfinished", sum.unfinished, sum.games, 9));
  return list;
}

// Lengths in some twenty columns.
export function columns(lengths, most = 24) {
  if (lengths.length === 0) return { width: 1, from: 0, counts: [] };
  const from = lengths[0][0];
  const width = Math.max(1, Math.ceil((lengths[lengths.length - 1][0] - from + 1) / most));
  const counts = [];
  for (const [plies, games] of lengths) {
    const at = Math.floor((plies - from) / width);
    counts[at] = (counts[at] ?? 0) + games;
  }
  return { width, from, counts: Array.from(counts, (count) => count ?? 0) };
}

function histogram(sum) {
  const { width, from, counts } = columns(sum.lengths);
  const highest = Math.max(...counts, 1);
  const wide = 320;
  const high = 90;
  const step = wide / Math.max(counts.length, 1);
  const parts = counts.map((count, i) => {
    const height = (high * count) / highest;
    const plies = width === 1 ? `${from + i}` : `${from + i * width} to ${from + (i + 1) * width - 1}`;
    return `<rect x="${i * step + 1}" y="${high - height}" width="${Math.max(step - 2, 1)}" height="${height}"><title>${plies} moves: ${whole(count)} games</title></rect>`;
  });
  const shown = make("div", { class: "histogram" });
  const end = from + counts.length * width - 1;
  const label = `Lengths of the games: from ${from} to ${end} moves`;
  shown.innerHTML = `<svg viewBox="0 0 ${wide} ${high + 16}" role="img" aria-label="${label}"><g>${parts.join("")}</g>
    <text x="0" y="${high + 13}">${from}</text><text x="${wide}" y="${high + 13}" text-anchor="end">${end} moves</text></svg>`;
  return shown;
}

function endings(sum) {
  const table = make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "ended by"), make("th", { scope: "col" }, "games"))));
  const body = make("tbody");
  for (const ending of sum.endings)
    body.append(make("tr", {}, make("td", {}, make("code", {}, ending.rule || ending.by)), make("td", {}, share(ending.games, sum.games))));
  table.append(body);
  return table;
}

export function charts(sum, players) {
  const finished = Math.max(sum.games - sum.unfinished, 1);
  const mean = sum.lengths.reduce((all, [plies, games]) => all + plies * games, 0) / finished;
  const told = `${whole(sum.games)} games, ${mean.toFixed(1)} moves on average, ${(sum.moves / Math.max(sum.plies, 1)).toFixed(1)} moves to choose from, ${whole(sum.games / Math.max(sum.seconds, 0.001))} games a second.`;
  const parts = [make("p", {}, told), results(sum, players), histogram(sum), endings(sum)];
  if (sum.fault) parts.push(make("p", { class: "wrong" }, `A game met a fault: ${sum.fault}`));
  return parts;
}
