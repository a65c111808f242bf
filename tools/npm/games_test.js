// Run by test.mjs in a folder in which the package is installed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { BoardwrightError, Game, Player, Rules, start } from "boardwright";

const boardwright = await start();
assert.equal(await start(), boardwright);
const { rules } = boardwright.loadGame("breakthrough");

// Games of the same rules are apart, and a clone has the past of the other one.
const one = rules.newGame();
const other = rules.newGame();
one.play("a2-a3");
assert.equal(other.history.length, 0);
const copy = one.clone();
copy.undo();
assert.equal(one.history.length, 1);
assert.equal(copy.fen(), other.fen());

// So are rules with other options, and rules live as long as a game of them does.
const small = boardwright.loadGame("breakthrough", { options: { columns: 5, rows: 5 } }).rules;
const game = small.newGame();
small.close();
assert.equal(game.moves().length, 13);
assert.equal(one.moves().length, 22);
assert.throws(() => small.newGame(), /closed/);
small.close(); // twice is once

// An option that isn't there, or can't be so, is told.
for (const options of [{ colums: 5 }, { columns: 99 }]) {
  const wrong = boardwright.loadGame("breakthrough", { options });
  assert.equal(wrong.ok, false);
  assert.ok(wrong.errors.length > 0 && wrong.text.length > 0);
}
assert.throws(() => boardwright.source("no such game"), BoardwrightError);

// What is refused changes nothing.
const before = one.fen();
for (const refused of ["a3-a9", "", "nonsense", "#", "\0", "é".repeat(1000)]) assert.throws(() => one.play(refused), BoardwrightError);
assert.equal(one.fen(), before);
assert.throws(
  () => rules.newGame({ position: { cells: { z9: "w" } } }),
  (problem) => problem instanceof BoardwrightError && problem.diagnostics[0].line === 1,
);
assert.throws(() => rules.newGame({ moves: ["a2-a3", "a2-a3"] }), BoardwrightError);
assert.throws(() => one.moves({ as: "Nobody" }), BoardwrightError);
assert.throws(() => rules.player("level:99").choose(one), BoardwrightError);

// Players don't change the game that they think of; with the same seed they think the same.
const [first, second] = [1, 2].map(() => rules.player("level:5", { seed: 7 }).think(one, { nodes: 500 }));
assert.deepEqual(first, second);
assert.equal(one.fen(), before);
const player = rules.player("random");
while (!other.outcome) other.play(player.choose(other, { nodes: 1 }));
assert.equal(other.toMove, null);
assert.deepEqual(other.moves(), []);
assert.throws(() => player.choose(other), BoardwrightError);

// Nature's moves, by seeds; what is hidden.
const dice = boardwright.loadGame("backgammon").rules;
const rolled = [3, 3].map((seed) => dice.newGame().roll({ seed }).history);
assert.deepEqual(rolled[0], rolled[1]);
assert.equal(rolled[0][0].rolled, true);
const cards = boardwright.loadGame("kuhn").rules.newGame();
assert.equal(cards.isChance, true);
cards.roll({ seed: 1 }).roll({ seed: 2 });
assert.ok(cards.seen("First").text.includes("unknown"));
assert.equal(one.seen("White"), null);
assert.throws(() => one.roll(), BoardwrightError);

// The same random games by the same seed, all that were asked for.
const { seconds: _, ...games } = rules.playouts(300, { seed: 5 });
const { seconds: __, ...again } = rules.playouts(300, { seed: 5 });
assert.deepEqual(games, again);
assert.equal(games.games, 300);
assert.notDeepEqual(rules.playouts(300, { seed: 6 }).lengths, games.lengths);

// All games of the library load.
for (const { name } of boardwright.games()) {
  const loaded = boardwright.loadGame(name);
  assert.ok(loaded.ok, `${name}: ${loaded.text}`);
  loaded.rules.close();
}

// Thousands of games that nobody closes don't fill memory: they go when nothing refers to them.
for (let i = 0; i < 20_000; ++i) {
  rules.newGame().play("a2-a3");
  if (i % 1000 === 0) await new Promise((resolve) => setTimeout(resolve));
}

// The types name each member of the classes, and nothing else.
const types = readFileSync(new URL("./node_modules/boardwright/index.d.ts", import.meta.url), "utf8");
for (const [name, made] of [["Rules", Rules], ["Game", Game], ["Player", Player]]) {
  const body = types.match(new RegExp(`export interface ${name} extends Closable \\{\n(.*?)\n\\}`, "s"))[1];
  for (const member of Object.getOwnPropertyNames(made.prototype)) assert.ok(member === "constructor" || new RegExp(`^  (readonly )?${member}[(:]`, "m").test(body), `${name}.${member}`);
  const object = { Rules: rules, Game: one, Player: player }[name];
  for (const [, member] of body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)) assert.ok(member in object, `${name}.${member}`);
}
for (const [, member] of types.match(/export interface Boardwright \{\n(.*?)\n\}/s)[1].matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)) assert.ok(member in boardwright, member);

// An engine that has stopped says so, and another one begins.
boardwright.stopped = true;
assert.throws(() => one.moves(), /stopped/);
const fresh = await start();
assert.notEqual(fresh, boardwright);
assert.equal(fresh.loadGame("hex").rules.newGame().moves().length, 121);
