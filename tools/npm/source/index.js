// What programs import: rules, games and players, answered by the engine in the same thread. README.md tells it all, and
// index.d.ts the types. Every object is a number in the engine (tools/studio/studios.hpp), which goes with it.
import { startEngine } from "../../studio/page/start.js";
import { placesOf } from "./places.js";

// Something was asked that can't be answered: a move that isn't legal, a position that is none. Where it is a text that
// is wrong, `diagnostics` tells the places.
export class BoardwrightError extends Error {
  constructor(message, diagnostics = []) {
    super(message);
    this.name = "BoardwrightError";
    this.diagnostics = diagnostics;
  }
}

// --- the engine

async function bytesOf(source) {
  const url = new URL(source);
  if (url.protocol === "file:") {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new BoardwrightError(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

async function compiled(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  return WebAssembly.compile(await bytesOf(wasm ?? new URL("./engine.wasm", import.meta.url)));
}

let running = null; // the one that everybody shares

// The engine, once it is ready. It is compiled at the first call; later ones get the same, unless it has stopped.
export async function start({ wasm } = {}) {
  if (!running || (await running).stopped) {
    running = compiled(wasm)
      .then(startEngine)
      .then((ask) => new Boardwright(ask));
    running.catch(() => (running = null));
  }
  return running;
}

const textsOf = (options) => Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));

class Boardwright {
  #ask;
  #left = new FinalizationRegistry((number) => this.#close(number));

  constructor(ask) {
    this.#ask = ask;
    this.version = BOARDWRIGHT_VERSION;
    this.stopped = false;
  }

  // The answer to one request; what is wrong with it is thrown.
  ask(request) {
    if (this.stopped) throw new BoardwrightError("the engine has stopped: `start` begins another one");
    let answer;
    try {
      answer = this.#ask(request);
    } catch (problem) {
      this.stopped = true;
      throw new BoardwrightError(`the engine has stopped: ${problem}`);
    }
    if (answer.error) throw new BoardwrightError(answer.errors ?? answer.error, placesOf(answer.diagnostics));
    return answer;
  }

  // A number of its own for an object, where another one is; without that, one that has no rules yet.
  fork(from = 0) {
    return this.ask({ do: "fork", in: from }).number;
  }
  keep(object, number) {
    this.#left.register(object, number, object);
    return number;
  }
  close(object, number) {
    if (this.#left.unregister(object)) this.#close(number);
  }
  #close(number) {
    if (!this.stopped) this.ask({ do: "close", in: number });
  }

  games() {
    return this.ask({ do: "library" }).games;
  }

  source(name) {
    return this.ask({ do: "source", name }).text;
  }

  load(text, { name = "game.yaml", options = {} } = {}) {
    const number = this.fork();
    const answer = this.ask({ do: "load", in: number, name, text: String(text), settings: textsOf(options), brief: true });
    const found = placesOf(answer.diagnostics);
    if (answer.ok) return { ok: true, rules: new Rules(this, number, answer.rules), warnings: found };
    this.#close(number);
    return { ok: false, rules: null, errors: found, text: answer.errors };
  }

  loadGame(name, { options = {} } = {}) {
    return this.load(this.source(name), { name: `${name}.yaml`, options });
  }
}

// --- what has a number in the engine

class Numbered {
  #engine;
  #number;
  #closed = false;

  constructor(engine, number) {
    this.#engine = engine;
    this.#number = engine.keep(this, number);
  }

  ask(request) {
    return this.#engine.ask({ in: this.place, ...request });
  }
  fork() {
    return [this.#engine, this.#engine.fork(this.place)];
  }
  // Where it is, for another one that is to come there.
  get place() {
    if (this.#closed) throw new BoardwrightError("this has been closed");
    return this.#number;
  }

  // Gives its memory back at once; else that is done when nothing refers to it any more.
  close() {
    this.#closed = true;
    this.#engine.close(this, this.#number);
  }
}
if (Symbol.dispose) Numbered.prototype[Symbol.dispose] = Numbered.prototype.close;

const random = () => Math.floor(Math.random() * 2 ** 32);

export class Rules extends Numbered {
  constructor(engine, number, view) {
    super(engine, number);
    Object.assign(this, view);
  }

  newGame({ position = null, moves = [] } = {}) {
    const game = new Game(...this.fork(), this);
    try {
      if (position !== null) game.ask({ do: "restart", brief: true, position: typeof position === "string" ? position : JSON.stringify(position) });
      for (const move of moves) game.play(move);
    } catch (problem) {
      game.close();
      throw problem;
    }
    return game;
  }

  // A game from a record, PGN, or moves with blanks between them.
  readGame(text) {
    const { begin, moves, stopped = null } = this.ask({ do: "read", text: String(text) });
    return { game: this.newGame({ position: begin || null, moves }), stopped };
  }

  player(description = "auto", { seed = 1 } = {}) {
    return new Player(...this.fork(), description, seed);
  }

  // Random games from the set-up: the same ones by the same seed.
  playouts(count = 1000, { seed = 1 } = {}) {
    const request = { do: "random", seed, most: count, milliseconds: 1000 };
    let sum = this.ask({ ...request, from_start: true });
    while (sum.games < count && !sum.fault) sum = this.ask(request);
    if (sum.fault) throw new BoardwrightError(sum.fault);
    const { wins, fault, ...rest } = sum;
    return { ...rest, wins: Object.fromEntries(this.players.map((player, i) => [player, wins[i]])) };
  }

  inWords() {
    return this.ask({ do: "rules" });
  }

  // What cells are called, by their numbers.
  get cellNames() {
    return namesOfCells(this, this);
  }
}

// Of rules, asked by them or by a game of them: the rules may have been closed.
const knownNames = new WeakMap();
function namesOfCells(rules, asked) {
  if (!knownNames.has(rules)) {
    const names = [];
    for (const { cell, name } of asked.ask({ do: "picture" }).cells) names[cell] = name;
    knownNames.set(rules, names);
  }
  return knownNames.get(rules);
}

export class Game extends Numbered {
  #standing = null; // until something changes

  constructor(engine, number, rules) {
    super(engine, number);
    this.rules = rules;
  }

  get #stands() {
    return (this.#standing ??= this.ask({ do: "view", brief: true }));
  }
  #change(request) {
    this.#standing = this.ask({ ...request, brief: true });
    return this;
  }
  // For whose eyes something is asked.
  #for(as) {
    if (as === undefined) return {};
    const player = this.rules.players.indexOf(as);
    if (player < 0) throw new BoardwrightError(`no player is called ${as}`);
    return { as: player };
  }

  get toMove() {
    return this.outcome ? null : this.rules.players[this.#stands.to_move];
  }
  get isChance() {
    return !this.outcome && this.#stands.chance;
  }
  get outcome() {
    return this.#stands.outcome;
  }
  get history() {
    const { played, made_by } = this.ask({ do: "history" });
    return played.map((move, i) => ({ move, player: this.rules.players[made_by[i] < 0 ? -1 - made_by[i] : made_by[i]], rolled: made_by[i] < 0 }));
  }

  moves(limits = {}) {
    return this.#list(limits).map((move) => move.text);
  }
  movesWithCells(limits = {}) {
    const names = namesOfCells(this.rules, this);
    return this.#list(limits).map(({ text, path }) => ({ move: text, cells: path.map((cell) => names[cell]) }));
  }
  #list({ most, seconds, as } = {}) {
    return this.ask({ do: "moves", ...(most === undefined ? {} : { most }), ...(seconds === undefined ? {} : { seconds }), ...this.#for(as) }).moves;
  }

  play(move) {
    return this.#change({ do: "play", move: String(move) });
  }
  undo(count = 1) {
    return this.#change({ do: "undo", count });
  }
  // Nature's move, by its weights; the same one by the same seed.
  roll({ seed = random() } = {}) {
    return this.#change({ do: "roll", seed });
  }

  clone() {
    return new Game(...this.fork(), this.rules);
  }

  position() {
    return JSON.parse(this.ask({ do: "position" }).position);
  }
  fen() {
    return this.ask({ do: "position" }).fen;
  }
  board({ as } = {}) {
    return this.ask({ do: "position", ...this.#for(as) }).board;
  }
  // What a player sees, of a game that hides something and isn't over; else null.
  seen(as) {
    return this.ask({ do: "position", ...this.#for(as) }).seen ?? null;
  }
  svg({ flipped = false, as } = {}) {
    return this.ask({ do: "picture", flipped, ...this.#for(as) }).svg;
  }
  // Where each cell is in that picture, and what it holds.
  cells({ flipped = false, as } = {}) {
    return this.ask({ do: "picture", flipped, ...this.#for(as) }).cells.map(({ cell, ...rest }) => rest);
  }

  why(move) {
    return this.ask({ do: "why", move: String(move) }).text;
  }
  record({ rules = "game.yaml" } = {}) {
    return this.ask({ do: "write", rules }).record;
  }
  pgn() {
    return this.ask({ do: "write", rules: "game.yaml" }).pgn ?? null;
  }
}

export class Player extends Numbered {
  constructor(engine, number, description, seed) {
    super(engine, number);
    Object.assign(this, { description, seed });
  }

  // Thinks for one second where nothing else is said; with `nodes` alone, however long these take.
  think(game, { seconds, nodes } = {}) {
    const limits = nodes === undefined ? { seconds: seconds ?? 1 } : { seconds: seconds ?? longest, nodes };
    return this.ask({ do: "think", at: game.place, player: this.description, seed: this.seed, ...limits });
  }
  choose(game, limits = {}) {
    const { move } = this.think(game, limits);
    if (move === null) throw new BoardwrightError("there was no time to think of a move, or there is none");
    return move;
  }
}

const longest = 600; // seconds that the engine thinks at the most
