// `<boardwright-board>`: a game on a board in any page, with machines to play against. README.md tells its attributes.
// The board, its clicks and its engines are those of the studio.
import { assetsLieAt } from "../../studio/page/assets.js";
import { Board } from "../../studio/page/board.js";
import { button, make } from "../../studio/page/dom.js";
import { Engine } from "../../studio/page/engine.js";
import { Hand } from "../../studio/page/hand.js";
import { nobody, readBy, Screen, withoutSigns } from "../../studio/page/screen.js";
import { Thinker } from "../../studio/page/thinker.js";
import boardStyle from "../../studio/page/board.css";
import elementStyle from "./element.css";
import { placesOf } from "./places.js";

// Written out, for bundlers look for these words to know which files to take along.
assetsLieAt({ "engine.wasm": new URL("./engine.wasm", import.meta.url), "worker.js": new URL("./worker.js", import.meta.url) });

const rollShown = 700; // milliseconds that a roll is looked at before the next one

// All boards of a page share an engine that answers, each with a game of its own in it; each has one that thinks.
let shared = null;

const wordsOf = (text) => (text ?? "").split(/\s+/).filter(Boolean);

export class BoardwrightBoard extends HTMLElement {
  static observedAttributes = ["game", "src", "options", "seats", "position", "moves", "flipped"];

  #text = null; // that a script has given
  #turn = 0; // of whatever is awaited: what comes for an older one is dropped
  #thinker = new Thinker();
  #screen = new Screen();
  #number = null; // of its game in the engine
  #life = 0; // of the engine that has it: one that was broken has forgotten all

  constructor() {
    super();
    this.rules = null;
    this.view = null;
    this.seats = [];
    this.seconds = 1;
    this.thinking = false;
    this.#build(this.attachShadow({ mode: "open" }));
  }

  #build(root) {
    this.status = make("p", { class: "status", part: "status", role: "status", "aria-live": "polite" });
    this.boardRoot = make("div", { class: "board", part: "board" });
    this.handOver = make("div", { class: "handover", part: "status", hidden: true });
    this.why = make("pre", { class: "why", part: "why", tabindex: 0, "aria-label": "what is wrong", hidden: true });
    this.board = new Board(this.boardRoot, { onCell: (cell) => this.#mine && this.hand.clicked(cell), onEscape: () => this.hand.choose([]) });
    this.hand = new Hand(this.board, {
      after: async (moves) => (await this.#ask({ do: "after", moves })).views,
      read: (move) => (this.rules.secret ? withoutSigns(move) : move),
      onPlay: (move) => this.play(move),
      onRefused: (move) => this.#tellWhy(move),
      onStep: () => (this.why.hidden = true),
    });
    this.undoButton = button("Undo", () => this.undo());
    this.buttons = make("div", { class: "buttons", part: "buttons" }, this.undoButton, button("New game", () => this.restart()), button("Flip", () => this.toggleAttribute("flipped")));
    root.append(make("style", {}, boardStyle, elementStyle), this.status, this.handOver, this.boardRoot, this.hand.root, this.why, this.buttons);
  }

  connectedCallback() {
    this.#loadSoon();
  }
  disconnectedCallback() {
    ++this.#turn;
    this.#thinker.end();
    if (this.#number !== null && this.#life === shared.lives) shared.ask({ do: "close", in: this.#number });
    this.#number = null;
  }
  attributeChangedCallback(name, before, now) {
    if (!this.isConnected || before === now) return;
    if (name === "flipped") this.rules && this.#again();
    else if (name === "seats") this.view && this.#sit();
    else this.#loadSoon();
  }

  // The rules as text. A page may also name or hold them.
  get text() {
    return this.#text;
  }
  set text(text) {
    this.#text = text;
    if (this.isConnected) this.#loadSoon();
  }

  // --- rules

  // Several attributes that change at once are one change, and a page that is being read has its text behind its tag.
  #loadSoon() {
    const turn = ++this.#turn;
    this.#halt();
    const load = () => queueMicrotask(() => turn === this.#turn && this.#load(turn));
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load, { once: true });
    else load();
  }

  async #rulesText() {
    if (this.#text !== null) return this.#text;
    const source = this.getAttribute("src");
    if (source !== null) {
      const response = await fetch(source);
      if (!response.ok) throw new Error(`${source}: ${response.status}`);
      return response.text();
    }
    const name = this.getAttribute("game");
    if (name === null) return this.textContent;
    const { text, error } = await shared.ask({ do: "source", name });
    if (error) throw new Error(`${name}: ${error}`);
    return text;
  }

  get #named() {
    return this.getAttribute("src") ?? `${this.getAttribute("game") ?? "game"}.yaml`;
  }
  get #settings() {
    return Object.fromEntries(wordsOf(this.getAttribute("options")).map((word) => word.split(/=(.*)/s).slice(0, 2)));
  }

  async #load(turn) {
    shared ??= new Engine();
    try {
      if (this.#life !== shared.lives) this.#number = null;
      this.#life = shared.lives;
      this.#number ??= (await shared.ask({ do: "fork" })).number;
      const text = await this.#rulesText();
      if (turn !== this.#turn) return;
      const past = { begin: this.getAttribute("position") ?? "", moves: wordsOf(this.getAttribute("moves")) };
      const answer = await shared.ask({ do: "load", in: this.#number, name: this.#named, text, settings: this.#settings, flipped: this.hasAttribute("flipped"), as: nobody, ...past });
      if (turn !== this.#turn) return;
      if (answer.error || !answer.ok) return this.#fail(answer.errors ?? answer.error, answer.diagnostics);
      this.loaded = { name: this.#named, text, settings: this.#settings };
      this.rules = answer.rules;
      this.#screen = new Screen();
      this.#screen.hides = answer.rules.hides;
      this.#sitDown(answer.view.to_move);
      this.#show(answer.rules.hides ? await this.#ask({ do: "view" }) : answer.view);
      if (answer.kept !== "moves") this.#refuse("The position or the moves that the page gives don't fit the rules; this is the set-up.");
      this.#tellPage("ready", { title: answer.rules.title, players: answer.rules.players });
    } catch (problem) {
      if (turn === this.#turn) this.#fail(problem.message);
    }
  }

  // Whoever begins is a person, the others are beginners, where the page says nothing else.
  #sitDown(first) {
    const given = wordsOf(this.getAttribute("seats"));
    this.seats = this.rules.players.map((_, i) => given[i] ?? (given.length > 0 || i !== first ? "level:1" : "person"));
    this.seconds = Number(this.getAttribute("seconds") ?? 1) || 1;
  }
  #sit() {
    this.#halt();
    this.#sitDown(this.view.to_move);
    this.#again();
  }

  #fail(text, diagnostics = []) {
    Object.assign(this, { rules: null, view: null });
    this.hand.leave();
    this.board.clear();
    this.handOver.hidden = true;
    this.status.textContent = "These rules can't be played.";
    this.buttons.hidden = true;
    this.#refuse(text);
    this.#tellPage("error", { text, errors: placesOf(diagnostics) });
  }

  #tellPage(what, detail) {
    this.dispatchEvent(new CustomEvent(`boardwright-${what}`, { detail, bubbles: true, composed: true }));
  }

  // --- what is shown

  // Asks for what is to be shown to whoever is before the screen.
  #ask(request) {
    const as = this.#screen.viewer(this.seats);
    return shared.ask({ in: this.#number, flipped: this.hasAttribute("flipped"), ...request, ...(as === null ? {} : { as }) });
  }

  async #again() {
    const turn = ++this.#turn;
    this.#halt();
    const view = await this.#ask({ do: "view" });
    if (turn === this.#turn) this.#show(view);
  }

  #show(view) {
    if (view.error) return this.#refuse(view.error);
    this.view = view;
    if (view.outcome) this.#screen.open = true;
    const waits = this.#screen.waitsFor(view, this.seats);
    if (waits) this.#screen.before = null;
    this.#screen.shown(this.seats, view.played.length > 0);
    const covered = this.#screen.viewer(this.seats) === nobody || !view.svg;
    if (covered) this.board.clear();
    else this.board.show(view, this.rules.hexes);
    this.boardRoot.hidden = covered;
    this.handOver.hidden = !waits;
    this.why.hidden = true;
    this.buttons.hidden = this.getAttribute("controls") === "none";
    if (waits) this.handOver.replaceChildren(button(`Press when ${this.mover} is looking, and nobody else`, () => (this.#screen.take(view.to_move), this.#again())));
    if (covered) this.hand.leave();
    else this.hand.begin(this.#mine ? view.moves : []);
    this.#tell();
    if (!waits) this.#goOn();
  }

  get mover() {
    return this.rules.players[this.view.to_move];
  }

  // A person is to move, and may see the board.
  get #mine() {
    const { view } = this;
    if (!view || view.outcome || view.chance || this.thinking) return false;
    if (view.closed && view.to_move !== this.#screen.viewer(this.seats)) return false;
    return this.seats[view.to_move] === "person";
  }

  #tell() {
    const { outcome, chance, played, made_by: madeBy } = this.view;
    const alone = this.rules.players.length === 1;
    const turn = alone ? "Your move" : `${this.mover} to ${chance ? "roll" : "move"}`;
    const told = outcome ? outcome.text : this.thinking ? `${this.mover} is thinking…` : turn;
    const by = madeBy.at(-1);
    const roll = by < 0 && played.at(-1) ? `${this.rules.players[-1 - by]} rolled ${this.#read(played.at(-1), -1 - by)}. ` : "";
    this.status.textContent = roll + told;
    this.status.classList.toggle("over", Boolean(outcome));
    this.undoButton.disabled = played.length === 0;
  }

  // A move, as whoever is before the screen reads it.
  #read(move, by) {
    const viewer = this.#screen.viewer(this.seats);
    return !this.rules.secret || viewer === null ? move : readBy(move, by, viewer);
  }

  #refuse(text) {
    this.why.textContent = text;
    this.why.hidden = false;
  }

  async #tellWhy(move) {
    if (this.view.closed) return this.#refuse(`${move} is none of your moves.`);
    const answer = await this.#ask({ do: "why", move });
    this.#refuse(answer.text ?? answer.error);
  }

  // --- moves

  // A person's move, as the game writes it. Answers whether it was played.
  async play(move) {
    if (!this.#mine) return false;
    const turn = ++this.#turn;
    const view = await this.#ask({ do: "play", move });
    if (turn !== this.#turn) return false;
    if (view.error) return this.#refuse(view.error), false;
    this.#moved(view);
    return true;
  }

  #moved(view) {
    this.thinking = false;
    const by = view.made_by.at(-1);
    const player = by < 0 ? -1 - by : by;
    this.#show(view);
    this.#tellPage("move", { move: this.#read(view.played.at(-1), player), player: this.rules.players[player], rolled: by < 0, position: view.position ?? null });
    if (view.outcome) this.#tellPage("end", view.outcome);
  }

  // Back to where a person had to choose; to the move before where nobody is a person.
  async undo() {
    if (!this.view || this.view.played.length === 0) return;
    const madeBy = this.view.made_by;
    const chosen = madeBy.findLastIndex((by) => by >= 0 && this.seats[by] === "person");
    const turn = ++this.#turn;
    this.#halt();
    const view = await this.#ask({ do: "undo", count: chosen < 0 ? (this.seats.includes("person") ? 0 : 1) : madeBy.length - chosen });
    if (turn === this.#turn) this.#show(view);
  }

  // From the beginning that the page gives.
  async restart() {
    if (!this.rules) return;
    const turn = ++this.#turn;
    this.#halt();
    this.#screen.begin();
    const view = await this.#ask({ do: "restart", position: this.view.begin });
    if (turn === this.#turn) this.#show(view);
  }

  // --- who moves by itself

  #goOn() {
    const { view } = this;
    if (view.outcome || this.thinking) return;
    if (view.chance) return this.#later(view.played.length > 0 ? rollShown : 0, { do: "roll", seed: crypto.getRandomValues(new Uint32Array(1))[0] });
    // Of what is moved by rule alone nothing is written, and nothing is to choose.
    if (view.moves.length === 1 && view.moves[0].text === "") return this.#later(0, { do: "play", move: "" });
    if (this.seats[view.to_move] !== "person") this.#think();
  }

  #later(wait, request) {
    const turn = ++this.#turn;
    setTimeout(async () => {
      if (turn !== this.#turn) return;
      const view = await this.#ask(request);
      if (turn === this.#turn && !view.error) this.#moved(view);
    }, wait);
  }

  async #think() {
    const turn = ++this.#turn;
    this.thinking = true;
    this.hand.begin([]);
    this.#tell();
    const { begin, played, to_move: toMove } = this.view;
    const engine = await this.#thinker.at({ ...this.loaded, begin, moves: played });
    if (turn !== this.#turn) return;
    const thought = await engine.ask({ do: "think", player: this.seats[toMove], seconds: this.seconds, seed: Math.floor(Math.random() * 1e9) });
    if (turn !== this.#turn) return;
    this.thinking = false;
    if (thought.error || !thought.move) return this.#tell(), this.#refuse(thought.error ?? "There was no time to think of a move.");
    const view = await this.#ask({ do: "play", move: thought.move });
    if (turn === this.#turn && !view.error) this.#moved(view);
  }

  #halt() {
    if (!this.thinking) return;
    this.thinking = false;
    this.#thinker.stop();
  }
}

customElements.define("boardwright-board", BoardwrightBoard);
