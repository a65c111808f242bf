// The game beside the editor, or alone in an exported page: board, moves, opponents, random games.
import { Board } from "./board.js";
import { charts } from "./charts.js";
import { button, choice, make } from "./dom.js";
import { Engine } from "./engine.js";
import { click, withoutCells } from "./moves.js";
import { sitters, thoughtText } from "./opponents.js";
import { SetUp } from "./setup.js";

export class Game {
  // `front` answers at once; a second engine thinks and plays random games. Where the rules are to be seen, too,
  // `onCover(parts)` answers what is to be shown of the parts that came into play; none: nothing any more.
  constructor(root, front, { onCover = null } = {}) {
    this.front = front;
    this.onCover = onCover;
    this.chosen = [];
    this.seats = [];
    this.settings = {};
    this.flipped = false;
    this.seconds = 1;
    this.turn = 0; // of whatever is awaited: what comes for an older one is dropped
    this.build(root);
  }

  build(root) {
    this.title = make("h2", { class: "game-title" });
    this.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
    this.boardRoot = make("div", { class: "board" });
    this.choices = make("div", { class: "choices", role: "group", "aria-label": "moves to choose from" });
    this.thought = make("p", { class: "thought" });
    this.why = make("pre", { class: "why", tabindex: 0, "aria-label": "why the move is refused", hidden: true });
    this.moveList = make("ol", { class: "moves", "aria-label": "moves played", tabindex: 0 });
    this.seatsRoot = make("div", { class: "seats" });
    this.board = new Board(this.boardRoot, { onCell: (cell) => this.clicked(cell), onEscape: () => this.setUp.active || this.choose([]) });
    this.undoButton = button("Undo", () => this.undo());
    this.stopButton = button("Stop", () => this.stop(), { hidden: true });
    this.setUp = new SetUp(this, { onEnd: (position) => this.arranged(position) });
    const buttons = make("div", { class: "buttons" }, this.undoButton, button("New game", () => this.restart()), button("Flip", () => this.flip()), button("Set up", () => this.arrange()), this.stopButton);
    this.playing = make("div", {}, this.choices, buttons, this.entry(), this.thought, this.seatsRoot, make("h3", {}, "Moves"), this.moveList, this.randomPart());
    root.append(this.title, this.status, this.boardRoot, this.setUp.root, this.why, this.playing);
  }

  entry() {
    this.typed = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "type a move", "aria-label": "a move" });
    const form = make("form", { class: "entry" }, this.typed, make("button", { type: "submit" }, "Play"), button("Why?", () => this.ask(this.typed.value.trim())));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.typed.value.trim()) this.play(this.typed.value.trim());
    });
    return form;
  }

  randomPart() {
    this.chartsRoot = make("div", { class: "charts" });
    this.randomButton = button("Play random games", () => this.toggleRandom());
    this.coverButton = button("What comes into play?", () => this.toggleCover(), { hidden: !this.onCover, "aria-pressed": "false" });
    this.coverRoot = make("div", { class: "covered", role: "status", "aria-live": "polite" });
    return make("section", { "aria-label": "random games" }, make("h3", {}, "Random games"), make("div", { class: "buttons" }, this.randomButton, this.coverButton), this.coverRoot, this.chartsRoot);
  }

  // --- rules

  // The game goes on where it still fits. Answers what is wrong, or nothing.
  async load(name, text, { goOn = false, moves = [], begin = "" } = {}) {
    const past = goOn && this.view ? { moves: this.view.played, begin: this.view.begin } : { moves, begin };
    const answer = await this.front.ask({ do: "load", name, text, settings: this.settings, go_on: goOn, flipped: this.flipped, ...past });
    if (answer.error) return answer.error;
    if (!answer.ok) return answer.errors;
    const same = this.rules && JSON.stringify(this.rules.players) === JSON.stringify(answer.rules.players);
    if (!goOn) this.leaveSetUp();
    this.name = name;
    this.text = text;
    this.rules = answer.rules;
    if (!same) this.seats = answer.rules.players.map(() => "person");
    this.title.textContent = answer.rules.title;
    this.kept = answer.kept;
    this.showSeats();
    this.stopRandom();
    this.chartsRoot.replaceChildren();
    this.uncover();
    this.halt();
    this.show(answer.view);
    return null;
  }

  // The rules with other values of their options; the game goes on where it fits.
  async set(option, value) {
    const before = this.settings;
    this.settings = { ...before, [option]: value };
    const wrong = await this.load(this.name, this.text, { goOn: true });
    if (!wrong) return;
    this.settings = before;
    this.refuse(wrong);
  }

  showSeats() {
    const fields = this.rules.players.map((player, i) =>
      choice(`${player} is`, sitters, this.seats[i], (value) => {
        this.seats[i] = value;
        this.halt();
        this.goOn();
      }),
    );
    fields.push(choice("Thinks for", [["0.3", "0.3 s"], ["1", "1 s"], ["3", "3 s"], ["10", "10 s"]], String(this.seconds), (value) => (this.seconds = Number(value))));
    for (const option of this.rules.options) {
      const values = option.values.length > 0 ? option.values : option.range ? Array.from({ length: Math.min(option.range[1] - option.range[0] + 1, 50) }, (_, i) => String(option.range[0] + i)) : [option.value];
      fields.push(choice(option.name, values.map((value) => [value, value]), option.value, (value) => this.set(option.name, value)));
    }
    this.seatsRoot.replaceChildren(...fields);
  }

  // --- what is shown

  show(view) {
    this.view = view;
    if (this.setUp.active) return this.setUp.again();
    this.board.show(view, this.rules.hexes);
    this.choose([]);
    this.why.hidden = true;
    this.undoButton.disabled = view.played.length === 0;
    this.moveList.replaceChildren(...view.played.map((move) => make("li", {}, move)));
    this.moveList.scrollTop = this.moveList.scrollHeight;
    this.tell();
    this.goOn();
  }

  mover() {
    return this.rules.players[this.view.to_move];
  }

  tell() {
    const { outcome } = this.view;
    const turn = this.rules.players.length === 1 ? "Your move" : `${this.mover()} to move`;
    this.status.textContent = outcome ? outcome.text : this.thinking ? `${this.mover()} is thinking…` : turn;
    this.status.classList.toggle("over", Boolean(outcome));
    this.stopButton.hidden = !this.thinking;
  }

  // `texts` are whole moves, one of which is meant.
  choose(cells, texts = []) {
    this.chosen = cells;
    const moves = this.isMine() ? this.view.moves : [];
    this.board.mark(moves, cells);
    const others = cells.length === 0 ? withoutCells(moves).map((move) => move.text) : [];
    this.choices.replaceChildren(...[...texts, ...others].slice(0, 60).map((text) => button(text, () => this.play(text))));
  }

  isMine() {
    return !this.view.outcome && !this.thinking && this.seats[this.view.to_move] === "person";
  }

  refuse(text) {
    this.why.textContent = text;
    this.why.hidden = false;
    this.why.scrollIntoView({ block: "nearest" });
  }

  // --- moves

  clicked(cell) {
    if (this.setUp.active) return this.setUp.clicked(cell);
    if (!this.isMine()) return;
    const nameOf = (number) => this.view.cells.find((one) => one.cell === number)?.name ?? "?";
    const meant = click(this.view.moves, this.chosen, cell, nameOf);
    if (meant.play) return this.play(meant.play);
    this.choose(meant.chosen, meant.choices);
    this.why.hidden = true;
    if (meant.refused) this.ask(meant.refused);
  }

  async ask(move) {
    if (!move) return;
    const answer = await this.front.ask({ do: "why", move });
    this.refuse(answer.text ?? answer.error);
  }

  async play(move) {
    if (!this.isMine()) return;
    const answer = await this.front.ask({ do: "play", move, flipped: this.flipped });
    if (answer.error) return this.ask(move);
    this.typed.value = "";
    this.thought.textContent = "";
    this.show(answer);
  }

  // Back to where a person was to move.
  async undo() {
    this.halt();
    const players = this.rules.players.length;
    const person = this.seats.includes("person");
    let view = this.view;
    for (let i = 0; i < Math.max(players, 1) * 2; ++i) {
      view = await this.front.ask({ do: "undo", flipped: this.flipped });
      if (view.played.length === 0 || !person || this.seats[view.to_move] === "person") break;
    }
    this.thought.textContent = "";
    this.show(view);
  }

  async restart() {
    this.halt();
    this.thought.textContent = "";
    this.show(await this.front.ask({ do: "restart", flipped: this.flipped }));
  }

  // A position is set up by hand; then the game goes on from it, or as it was.
  async arrange() {
    this.halt();
    this.why.hidden = true;
    await this.setUp.begin();
    this.playing.hidden = this.status.hidden = this.setUp.active;
  }

  leaveSetUp() {
    this.setUp.leave();
    this.playing.hidden = this.status.hidden = false;
  }

  async arranged(position) {
    this.leaveSetUp();
    this.thought.textContent = "";
    const request = position ? { do: "restart", position: JSON.stringify(position) } : { do: "view" };
    this.show(await this.front.ask({ ...request, flipped: this.flipped }));
  }

  async flip() {
    this.flipped = !this.flipped;
    this.show(await this.front.ask({ do: "view", flipped: this.flipped }));
  }

  // --- who thinks

  // The second engine, brought to where the game is.
  async thinker() {
    this.back ??= new Engine();
    const { back } = this;
    const key = JSON.stringify([this.text, this.settings]);
    const past = { begin: this.view.begin, moves: this.view.played };
    if (this.backHas === key) await back.ask({ do: "go_to", ...past });
    else await back.ask({ do: "load", name: this.name, text: this.text, settings: this.settings, ...past });
    this.backHas = key;
    return back;
  }

  async goOn() {
    const seat = this.seats[this.view.to_move];
    if (this.view.outcome || seat === "person" || this.thinking || this.paused) return this.tell();
    this.thinking = true;
    const turn = ++this.turn;
    this.choose([]);
    this.tell();
    const player = this.mover();
    const back = await this.thinker();
    const seed = Math.floor(Math.random() * 1e9);
    const thought = await back.ask({ do: "think", player: seat, seconds: this.seconds, seed });
    if (turn !== this.turn) return;
    this.thinking = false;
    if (thought.error || !thought.move) return this.refuse(thought.error ?? "there was no time to think of a move");
    const view = await this.front.ask({ do: "play", move: thought.move, flipped: this.flipped });
    if (turn !== this.turn || view.error) return;
    if (seat !== "random") this.thought.textContent = thoughtText(thought, player);
    this.show(view);
  }

  // What is being thought is of no use any more.
  halt() {
    if (!this.thinking) return;
    ++this.turn;
    this.thinking = false;
    this.back.restart();
    this.backHas = null;
  }

  // The machine's sides are persons from now on.
  stop() {
    this.halt();
    this.seats = this.seats.map(() => "person");
    this.showSeats();
    this.choose([]);
    this.tell();
  }

  // --- random games

  stopRandom() {
    this.randomRun = null;
    this.randomButton.textContent = "Play random games";
  }

  async toggleRandom() {
    if (this.randomRun) return this.stopRandom();
    const run = {};
    const { text } = this;
    this.randomRun = run;
    this.randomButton.textContent = "Stop";
    const most = 100000;
    for (let first = true; this.randomRun === run; first = false) {
      const back = await this.thinker();
      const sum = await back.ask({ do: "random", from_start: first, seed: 1, milliseconds: 150, most });
      if (sum.error || this.randomRun !== run) break;
      this.chartsRoot.replaceChildren(...charts(sum, this.rules.players));
      if (sum.games >= most || sum.fault) break;
    }
    if (this.randomRun === run) this.stopRandom();
    if (this.onCover && text === this.text && !this.randomRun) this.cover();
  }

  // --- what comes into play

  uncover() {
    this.coverButton.setAttribute("aria-pressed", "false");
    this.coverRoot.replaceChildren();
    this.onCover?.([]);
  }

  toggleCover() {
    if (this.coverButton.getAttribute("aria-pressed") === "true") this.uncover();
    else this.cover();
  }

  async cover() {
    const { text } = this;
    this.coverButton.setAttribute("aria-pressed", "true");
    this.coverRoot.replaceChildren("Working out what tests and random games come to…");
    const back = await this.thinker();
    const found = await back.ask({ do: "cover" });
    if (text !== this.text || this.coverButton.getAttribute("aria-pressed") === "false") return;
    if (found.error) return this.uncover();
    const missing = found.parts.filter((part) => part.missing);
    const games = `${found.tests} tests and ${found.games} random games`;
    const told = missing.length === 0 ? `All ${found.parts.length} parts of the rules came into play in ${games}.` : `${found.parts.length - missing.length} of ${found.parts.length} parts of the rules came into play in ${games}; the others are marked:`;
    this.coverRoot.replaceChildren(make("p", {}, told), ...this.onCover(found.parts));
  }
}
