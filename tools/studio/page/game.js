// The game beside the editor, or alone in an exported page: board, moves, opponents, random games.
import { Board } from "./board.js";
import { charts } from "./charts.js";
import { Clock, times, timeText } from "./clock.js";
import { button, choice, make } from "./dom.js";
import { Hand } from "./hand.js";
import { MoveList } from "./movelist.js";
import { Notice } from "./notice.js";
import { Records } from "./records.js";
import { gradeOf } from "./review.js";
import { Reviewer } from "./reviewer.js";
import { rememberSeats, seatsAtFirst, sitters, thoughtText } from "./opponents.js";
import { SetUp } from "./setup.js";
import { soundOf, Sounds } from "./sounds.js";
import { Teacher } from "./teacher.js";
import { Thinker } from "./thinker.js";
import { MoveTree } from "./tree.js";
import { nobody, readBy, Screen, withoutSigns } from "./screen.js";

const rollShown = 700; // milliseconds that a roll is looked at before the next one

export class Game {
  // `front` answers at once; a second engine thinks and plays random games. Where the rules are to be seen, too,
  // `onCover(parts)` answers what is to be shown of the parts that came into play; none: nothing any more.
  // `onChange()` is told whenever what `kept()` answers may differ.
  constructor(root, front, { onCover = null, onChange = () => {} } = {}) {
    this.front = front;
    this.back = new Thinker();
    this.onCover = onCover;
    this.onChange = onChange;
    this.seats = [];
    this.settings = {};
    this.flipped = false;
    this.byHand = false; // dice
    this.seconds = 1;
    this.tree = new MoveTree();
    this.screen = new Screen(); // who is before it
    this.clock = new Clock();
    this.ticking = false; // only once somebody has moved: who opens a page has time to look
    this.sounds = new Sounds();
    this.reference = "game.yaml"; // what records call the rules
    this.turn = 0; // of whatever is awaited: what comes for an older one is dropped
    this.build(root);
  }

  build(root) {
    this.title = make("h2", { class: "game-title" });
    this.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
    this.boardRoot = make("div", { class: "board" });
    this.thought = make("p", { class: "thought" });
    this.why = make("pre", { class: "why", tabindex: 0, "aria-label": "why the move is refused", hidden: true });
    this.seatsRoot = make("div", { class: "seats" });
    this.optionsRoot = make("div", { class: "seats options" });
    this.asks = new Notice(make("div", { class: "asks", role: "status", "aria-live": "polite", hidden: true }));
    this.board = new Board(this.boardRoot, { onCell: (cell) => this.clicked(cell), onEscape: () => this.setUp.active || this.hand.choose([]), onZoom: (zoomed) => this.wholeButton && (this.wholeButton.hidden = !zoomed) });
    this.hand = new Hand(this.board, {
      after: async (moves) => (await this.ask({ do: "after", moves })).views,
      read: (move) => (this.rules.secret ? withoutSigns(move) : move),
      onPlay: (move) => this.play(move),
      onRefused: (move) => this.refused(move),
      onStep: () => (this.why.hidden = true),
    });
    this.list = new MoveList({ onGo: (node) => this.goTo(node) });
    this.reviewer = new Reviewer(this, { onGo: (node) => this.goTo(node), onValues: () => (this.showValues(), this.onChange()) });
    this.records = new Records(this);
    this.teacher = new Teacher();
    this.setUp = new SetUp(this, { onEnd: (position) => this.arranged(position) });
    this.stopButton = button("Stop", () => this.stop(), { hidden: true });
    this.playing = make("div", {}, this.entry(), this.optionsRoot, this.asks.root, this.randomPart());
    const side = make("div", { class: "side" }, this.teacher.root, make("section", { class: "played", "aria-label": "moves" }, make("div", { class: "heading" }, make("h3", {}, "Moves"), this.steps()), this.list.root, this.reviewer.root, make("div", { class: "buttons" }, this.reviewer.start, button("As text", () => this.records.show(), { title: "records and PGN, out of the page and into it" }))));
    this.handOver = make("div", { class: "handover", hidden: true });
    this.clocks = make("div", { class: "clocks", hidden: true });
    const board = make("div", { class: "boardside" }, this.status, this.clocks, this.handOver, this.boardRoot, this.hand.root, this.setUp.root, this.why, this.thought, this.buttons());
    root.append(make("div", { class: "top" }, this.title, this.seatsRoot), make("div", { class: "table" }, board, side), this.playing);
    root.addEventListener("keydown", (event) => this.key(event));
  }

  buttons() {
    this.undoButton = button("Undo", () => this.undo());
    this.redoButton = button("Redo", () => this.redo());
    this.hintButton = button("Hint", () => this.hint());
    this.goOnButton = button("Play on from here", () => this.playOn(), { hidden: true });
    this.handButton = button("", () => this.handTo(), { hidden: true });
    this.wholeButton = button("Whole board", () => this.board.zoom.reset(), { hidden: true });
    this.timelessButton = button("Play on without clocks", () => this.setClock(""), { hidden: true });
    this.rollButton = button("Roll", () => this.roll(), { hidden: true, class: "roll" });
    this.buttonsRoot = make("div", { class: "buttons" }, this.wholeButton, this.timelessButton, this.rollButton, this.handButton, this.goOnButton, this.undoButton, this.redoButton, this.hintButton, button("New game", () => this.restart()), button("Flip", () => this.flip()), button("Set up", () => this.arrange()), this.stopButton);
    return this.buttonsRoot;
  }

  // Through the game, as on any board.
  steps() {
    const step = (sign, label, to) => button(sign, () => this.goTo(to()), { class: "step", "aria-label": label, title: label });
    return make("span", { class: "steps", role: "group", "aria-label": "through the game" }, step("«", "to the beginning", () => this.tree.root), step("‹", "a move back", () => this.tree.here.parent), step("›", "a move on", () => this.tree.here.children[0]), step("»", "to the last move", () => this.tree.tip()));
  }

  // Arrows go through the game wherever they mean nothing else.
  key(event) {
    if (event.target.closest("input, select, textarea, .overlay") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: this.tree.here.parent, ArrowRight: this.tree.here.children[0], Home: this.tree.root, End: this.tree.tip() };
    if (!(event.key in to) || this.setUp.active) return;
    event.preventDefault();
    this.goTo(to[event.key]);
  }

  entry() {
    this.typed = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "type a move", "aria-label": "a move" });
    const form = make("form", { class: "entry" }, this.typed, make("button", { type: "submit" }, "Play"), button("Why?", () => this.tellWhy(this.typed.value.trim())));
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

  // --- who sees what

  // Asks for what is to be shown to whoever is before the screen.
  ask(request) {
    const as = this.screen.viewer(this.seats);
    return this.front.ask({ flipped: this.flipped, ...request, ...(as === null ? {} : { as }) });
  }

  // A move, as whoever is before the screen reads it.
  read(move, by) {
    const viewer = this.screen.viewer(this.seats);
    return !this.rules.secret || viewer === null ? move : readBy(move, by, viewer);
  }

  // Is something kept from whoever is to look? Not any more when the game has been to its end.
  get closed() {
    return this.screen.closed;
  }

  // The game as it is, for who is before the screen now.
  async again(changes = { moved: !this.resting }) {
    const turn = ++this.turn;
    const view = await this.ask({ do: "view" });
    if (turn !== this.turn) return;
    this.tree.follow(view.played, view.made_by); // a move of before may have come in between
    this.show(view, changes);
  }

  // Other people sit here: where something is hidden they see something else.
  showAnew() {
    if (this.rules.hides) return this.again({ moved: true });
    return this.show(this.view, { moved: true });
  }

  // The person whose turn it is has taken the screen.
  handTo() {
    this.screen.take(this.view.to_move);
    this.again({ moved: true });
  }

  // Nobody who played here does any more, and somebody wants to see all of it.
  openAll() {
    this.screen.open = true;
    this.again({ moved: true });
  }

  tellThatAllLeft() {
    this.handOver.hidden = false;
    if (this.handOver.querySelector(".open-all")) return; // machines move on beneath it
    this.handOver.replaceChildren(make("p", {}, "No person plays any more."), button("Show all that is hidden, for the rest of the game", () => this.openAll(), { class: "taken open-all" }));
  }

  // Between two people nothing is shown but whose turn it is.
  tellWhoseTurn() {
    this.handOver.hidden = false;
    this.handOver.replaceChildren(make("p", {}, `${this.mover()}'s turn.`), button(`Press when ${this.mover()} is looking, and nobody else`, () => this.handTo(), { class: "taken" }));
  }

  // A picture that others may see, too; none where it would tell them something.
  get picture() {
    return this.closed ? "" : (this.view?.svg ?? "");
  }

  // --- rules

  // What is to be kept of how it is played.
  kept() {
    const { settings, seats, seconds, flipped, byHand, view, tree, screen } = this;
    return { settings, seats, seconds, flipped, byHand, screen: screen.kept(seats), clock: this.clock.kept(), begin: view?.begin ?? "", position: view?.position ?? "", tree: tree.written() };
  }

  // Takes what was kept, before the rules are loaded.
  takeKept({ settings = {}, seats = [], seconds = 1, flipped = false, byHand = false, screen = {}, clock = null } = {}) {
    Object.assign(this, { settings, seats, seconds, flipped, byHand, rules: null, origin: null });
    this.screen = new Screen(screen);
    this.clock = new Clock(clock);
    clearInterval(this.ticker);
    this.reviewer.leave();
    this.ticking = false;
  }

  // The game goes on where it still fits. Answers what is wrong, or nothing. `play` is what `kept()` told of it.
  async load(name, text, { goOn = false, moves = [], begin = "", play = null } = {}) {
    const going = goOn && this.view;
    // Moves that other rules in between didn't allow come back where nothing was played since.
    const origin = going && this.origin?.length === this.tree.path().length ? this.origin : null;
    const before = going ? (origin ?? { tree: this.tree, begin: this.view.begin }) : null;
    const tree = before?.tree ?? (play ? MoveTree.read(play.tree) : new MoveTree());
    const past = before || play ? { moves: tree.moves(), begin: before?.begin ?? play.begin ?? "", position: play?.position ?? "" } : { moves, begin };
    const answer = await this.front.ask({ do: "load", name, text, settings: this.settings, go_on: goOn, flipped: this.flipped, as: nobody, ...past });
    if (answer.error) return answer.error;
    if (!answer.ok) return answer.errors;
    const same = this.rules && JSON.stringify(this.rules.players) === JSON.stringify(answer.rules.players);
    if (!goOn) this.leaveSetUp();
    if (!goOn && !play) this.screen = new Screen();
    if (goOn && (text !== this.text || answer.rules.title !== this.rules?.title)) tree.forgetValues();
    if (!play && !goOn) this.reviewer.leave();
    this.halt();
    this.name = name;
    this.text = text;
    this.rules = answer.rules;
    this.screen.hides = answer.rules.hides;
    this.tree = answer.kept === "moves" ? tree : new MoveTree();
    this.tree.follow(answer.view.played, answer.view.made_by);
    this.origin = answer.kept === "moves" || !before ? null : { ...before, length: 0 };
    // Who sends a game that has begun plays it with somebody.
    if (!same && this.seats.length !== answer.rules.players.length) this.seats = moves.length > 0 ? answer.rules.players.map(() => "person") : seatsAtFirst(answer.rules.players, answer.view.to_move);
    if (this.clock.left.length !== answer.rules.players.length) this.clock.begin(answer.rules.players.length);
    this.title.textContent = answer.rules.title;
    this.wasKept = answer.kept;
    this.showSeats();
    this.stopRandom();
    this.chartsRoot.replaceChildren();
    this.uncover();
    // Who is a person is known now, and so who looks.
    this.show(answer.rules.hides ? await this.ask({ do: "view" }) : answer.view, { moved: this.tree.atTip });
    this.teacher.show(name, text, this.settings);
    return null;
  }

  // Has something happened in the game?
  get begun() {
    return Boolean(this.view?.begin) || this.tree.root.children.length > 0;
  }

  // The rules with other values of their options; the game goes on where it fits, but where something is hidden: by
  // other rules more of it might be seen.
  async set(option, value) {
    if (!this.closed || !this.begun) return this.setNow(option, value, { goOn: true });
    this.showSeats();
    this.asks.show(`With another ${option} more might be seen of what is hidden in this game.`, [["Begin a new game with it", () => this.setNow(option, value, { goOn: false })]]);
  }

  async setNow(option, value, how) {
    const before = this.settings;
    this.settings = { ...before, [option]: value };
    this.tree.forgetValues();
    this.onChange(); // a page that goes away before the rules are loaded comes back with it
    const wrong = await this.load(this.name, this.text, how);
    if (!wrong) return;
    this.settings = before;
    this.onChange();
    this.showSeats();
    this.refuse(wrong);
  }

  showSeats() {
    const fields = this.rules.players.map((player, i) =>
      choice(`${player} is`, sitters, this.seats[i], (value) => {
        this.seats[i] = value;
        rememberSeats(this.seats);
        thinks.hidden = !this.hasMachine();
        this.halt();
        this.showAnew();
      }),
    );
    const thinks = choice("Thinks for", [["0.3", "0.3 s"], ["1", "1 s"], ["3", "3 s"], ["10", "10 s"]], String(this.seconds), (value) => this.keep({ seconds: Number(value) }));
    thinks.hidden = !this.hasMachine();
    const clock = choice("Clock", times, this.clock.time, (time) => this.setClock(time));
    const sound = choice("Sound", [["off", "off"], ["on", "on"]], this.sounds.on ? "on" : "off", (value) => this.sounds.set(value === "on"));
    this.seatsRoot.replaceChildren(...fields, thinks);
    const options = this.rules.options.map((option) => this.optionField(option));
    // What may be rolled tells what is left, and who rolls for another one sees what he draws.
    if (!this.rules.hides && (this.view?.chance || this.tree.path().some((node) => node.rolled) || this.rolls)) options.push(choice("Dice", [["no", "rolled by the program"], ["yes", "rolled by hand"]], this.byHand ? "yes" : "no", (value) => this.setByHand(value === "yes")));
    this.optionsRoot.replaceChildren(...options, clock, sound);
  }

  hasMachine() {
    return this.seats.some((seat) => seat !== "person");
  }

  optionField(option) {
    const { name, value, values, range, help } = option;
    const truth = ["true", "false"].includes(value) ? ["true", "false"] : null;
    const all = values.length > 0 ? values : truth ?? (range && range[1] - range[0] < 50 ? Array.from({ length: range[1] - range[0] + 1 }, (_, i) => String(range[0] + i)) : null);
    const field = all ? choice(name, all.map((one) => [one, truth ? (one === "true" ? "yes" : "no") : one]), value, (chosen) => this.set(name, chosen)) : this.typedOption(option);
    if (!help) return field;
    return make("div", { class: "option" }, field, make("small", {}, help));
  }

  typedOption({ name, value, range }) {
    const field = make("input", { type: range ? "number" : "text", value, min: range?.[0], max: range?.[1], onchange: () => this.set(name, field.value) });
    return make("label", { class: "field" }, make("span", {}, name), field);
  }

  keep(changes) {
    Object.assign(this, changes);
    this.onChange();
  }

  setByHand(byHand) {
    this.keep({ byHand });
    this.show(this.view, { moved: true });
  }

  // --- what is shown

  // `moved`: this is where the game goes on by itself, when it is the machine's turn or dice are to be rolled.
  show(view, { moved = true } = {}) {
    this.view = view;
    if (this.rules.hides) this.byHand = false;
    if (view.outcome) this.screen.open = true;
    const waits = this.screen.waitsFor(view, this.seats);
    if (waits && moved) this.screen.before = null;
    this.screen.shown(this.seats, this.begun);
    this.onChange();
    if (this.setUp.active) return this.setUp.again();
    this.handOver.hidden = true;
    this.why.hidden = true;
    this.resting = !moved;
    const covered = this.screen.viewer(this.seats) === nobody || !view.svg;
    if (covered) this.board.clear();
    else this.board.show(view, this.rules.hexes);
    this.boardRoot.hidden = covered;
    this.showValues();
    this.runClock(waits);
    if (covered) {
      this.hand.leave();
      if (waits) this.tellWhoseTurn();
      else if (this.screen.isLeft(this.seats)) this.tellThatAllLeft();
      this.tell();
      return waits ? undefined : this.goOn();
    }
    if (view.chance && !this.rolls) this.rolls = true, this.showSeats();
    this.hand.begin(this.isMine() ? view.moves : []);
    this.tell();
    this.goOn();
  }

  // The list of moves, with what is known of them.
  showValues() {
    this.list.show(this.tree, this.rules.players, (node) => this.read(node.move, node.by), gradeOf);
    this.reviewer.show();
  }

  // --- clocks

  setClock(time) {
    this.clock.begin(this.rules.players.length, time);
    this.showSeats();
    this.show(this.view, { moved: !this.resting });
  }

  // Time runs for whoever is to move, where the game goes on; not while the screen is handed over.
  runClock(waits) {
    const { clock, view } = this;
    const idle = !this.ticking || waits || view.outcome || view.chance || this.resting || this.setUp.active;
    clock.run(idle ? null : view.to_move);
    this.clocks.hidden = !clock.on;
    clearInterval(this.ticker);
    if (!clock.out) this.late = "";
    else if (!this.late && view.to_move === clock.outOf) this.tellLate();
    if (!clock.on) return;
    this.tick();
    if (clock.running) this.ticker = setInterval(() => this.tick(), 100);
  }

  tick() {
    const { clock, rules } = this;
    const faces = rules.players.map((player, i) => make("span", { class: `clock${clock.running?.player === i ? " runs" : ""}${clock.leftOf(i) < 20000 ? " short" : ""}`, role: "timer", "aria-label": `${player}: time left` }, `${rules.players.length > 1 ? `${player} ` : ""}${timeText(clock.leftOf(i))}`));
    this.clocks.replaceChildren(...faces);
    if (!clock.running || !clock.out) return;
    clearInterval(this.ticker);
    clock.stop();
    this.halt();
    this.sounds.play("end");
    this.hand.leave();
    this.tell();
    this.onChange();
    this.tellLate();
  }

  // What the rules say of who has no time left.
  async tellLate() {
    const { turn } = this;
    const { text } = await this.ask({ do: "late" });
    if (turn !== this.turn || !this.clock.out) return;
    this.late = text;
    this.tell();
  }

  mover() {
    return this.rules.players[this.view.to_move];
  }

  // What the dice showed last, where nobody has moved since.
  lastRoll() {
    const rolls = [];
    for (let node = this.tree.here; node.rolled; node = node.parent) if (node.move) rolls.unshift(this.read(node.move, node.by));
    return rolls.join(" ");
  }

  tell() {
    const { outcome, chance } = this.view;
    const mover = this.rules.players.length === 1 ? "You" : this.mover();
    const roll = this.lastRoll();
    const turn = chance ? (this.byHand ? `${mover} rolled: what do the dice show?` : `${mover} to roll`) : this.rules.players.length === 1 ? "Your move" : `${mover} to move`;
    const late = !outcome && this.clock.out;
    this.timelessButton.hidden = !late;
    const told = outcome ? outcome.text : late ? `${this.rules.players[this.clock.outOf]} has no time left${this.late ? `: ${this.late}` : ""}.` : this.thinking ? `${mover} is thinking…` : turn;
    const open = this.rules.hides && this.screen.open && !outcome ? " All that was hidden is shown." : "";
    const before = roll && !chance ? `${this.rules.players[this.tree.here.by] ?? "You"} rolled ${roll}. ` : "";
    this.status.textContent = before + told + open;
    this.status.classList.toggle("over", Boolean(outcome));
    this.stopButton.hidden = !this.thinking;
    this.undoButton.disabled = !this.tree.here.parent;
    this.redoButton.disabled = this.tree.atTip;
    this.hintButton.disabled = !this.isMine() || chance;
    const waits = this.screen.waitsFor(this.view, this.seats);
    this.handButton.hidden = !waits || !this.handOver.hidden;
    this.handButton.textContent = `${mover} moves here: press when ${mover} is looking`;
    this.rollButton.hidden = !chance || Boolean(outcome) || this.byHand;
    this.goOnButton.hidden = !this.resting || Boolean(outcome) || chance || this.seats[this.view.to_move] === "person";
  }

  isMine() {
    if (this.view.outcome || this.thinking || this.hinting || this.clock.out) return false;
    if (this.view.closed && this.view.to_move !== this.screen.viewer(this.seats)) return false;
    return this.view.chance ? this.byHand : this.seats[this.view.to_move] === "person";
  }

  refuse(text) {
    this.why.textContent = text;
    this.why.hidden = false;
    this.why.scrollIntoView({ block: "nearest" });
  }

  // A piece that can't be moved now is asked about: how its kind moves. Else why the move is none.
  refused(move) {
    const cell = this.view.cells.find((one) => one.name === move);
    if (cell?.kind && this.teacher.reveal(cell.kind)) return;
    if (this.view.closed) return this.refuse(`${move} is none of your moves.`);
    this.tellWhy(move);
  }

  // --- moves

  clicked(cell) {
    if (this.setUp.active) return this.setUp.clicked(cell);
    if (this.isMine()) return this.hand.clicked(cell);
    const kind = this.view.cells.find((one) => one.cell === cell)?.kind;
    if (kind) this.teacher.reveal(kind);
  }

  async tellWhy(move) {
    if (!move) return;
    const answer = await this.ask({ do: "why", move });
    this.refuse(answer.text ?? answer.error);
  }

  async play(move) {
    if (!this.isMine()) return;
    const turn = ++this.turn;
    const answer = await this.ask({ do: "play", move });
    if (turn !== this.turn) return;
    if (answer.error) return this.view.closed ? this.refuse(answer.error) : this.tellWhy(move);
    this.typed.value = "";
    this.thought.textContent = "";
    this.moved(answer);
  }

  // The engine has made a move.
  moved(view) {
    const by = view.made_by.at(-1);
    const rolled = by < 0;
    if (!rolled) this.clock.moved(by);
    this.ticking = true;
    this.sounds.play(soundOf(this.view, view, rolled));
    this.tree.follow(view.played, view.made_by);
    this.show(view);
  }

  // To another place of the game. Where its moves can't be played any more they are forgotten.
  async goTo(node) {
    if (!node || node === this.tree.here || this.setUp.active) return;
    this.halt();
    const turn = ++this.turn;
    this.thought.textContent = "";
    const { begin } = this.view;
    const answer = await this.front.ask({ do: "go_to", begin, moves: this.tree.moves(node) });
    const view = await this.ask({ do: "view" });
    if (turn !== this.turn) return;
    if (answer.error) this.tree.cut(node, view.played.length);
    if (answer.error) this.tree.follow(view.played, view.made_by);
    else this.tree.here = node;
    this.show(view, { moved: this.tree.atTip });
  }

  // A game that was written elsewhere: beside what is here where it begins alike, else in its place.
  async takeMoves({ begin, moves }) {
    this.halt();
    const turn = ++this.turn;
    const same = begin === this.view.begin;
    await this.front.ask({ do: "go_to", begin, moves });
    if (!same) this.screen.begin();
    const view = await this.ask({ do: "view" });
    if (turn !== this.turn) return;
    if (!same) this.tree = new MoveTree();
    this.tree.follow(view.played, view.made_by);
    this.tree.promote();
    this.show(view, { moved: false });
  }

  // The machine plays, or dice are rolled, from an earlier place of the game.
  playOn() {
    this.show(this.view, { moved: true });
  }

  isChoice(node) {
    // Who moved on from here tells who was to move.
    const next = node.children[0];
    return !next || (!next.rolled && this.seats[next.by] === "person");
  }

  // Back to where a person had to choose, or to the move before where nobody is a person.
  undo() {
    const person = this.seats.includes("person");
    let node = this.tree.here.parent;
    while (node?.parent && person && !this.isChoice(node)) node = node.parent;
    return this.goTo(node);
  }

  redo() {
    const person = this.seats.includes("person");
    let node = this.tree.here.children[0];
    while (node?.children.length > 0 && person && !this.isChoice(node)) node = node.children[0];
    return this.goTo(node);
  }

  async restart() {
    this.halt();
    ++this.turn;
    this.origin = null;
    this.thought.textContent = "";
    this.screen.begin();
    this.clock.begin(this.rules.players.length);
    this.ticking = false;
    this.reviewer.leave();
    const view = await this.ask({ do: "restart" });
    this.tree = new MoveTree();
    this.show(view);
  }

  // A position is set up by hand; then the game goes on from it, or as it was.
  async arrange() {
    this.halt();
    this.why.hidden = true;
    await this.setUp.begin();
    if (this.setUp.active) this.handOver.hidden = true, (this.boardRoot.hidden = false);
    for (const part of [this.playing, this.status, this.buttonsRoot, this.hand.root]) part.hidden = this.setUp.active;
  }

  leaveSetUp() {
    this.setUp.leave();
    for (const part of [this.playing, this.status, this.buttonsRoot, this.hand.root]) part.hidden = false;
  }

  async arranged(position) {
    this.leaveSetUp();
    this.thought.textContent = "";
    const request = position ? { do: "restart", position: JSON.stringify(position) } : { do: "view" };
    if (position) this.tree = new MoveTree();
    if (position) this.screen.begin();
    if (position) this.clock.begin(this.rules.players.length);
    if (position) this.reviewer.leave();
    this.show(await this.ask(request), { moved: Boolean(position) });
  }

  async flip() {
    this.flipped = !this.flipped;
    this.show(await this.ask({ do: "view" }), { moved: !this.resting });
  }

  // --- dice

  async roll() {
    const turn = ++this.turn;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const view = await this.ask({ do: "roll", seed });
    if (turn === this.turn && !view.error) this.moved(view);
  }

  // --- who thinks

  // The second engine, brought to where the game is.
  thinker() {
    const { name, text, settings, view } = this;
    return this.back.at({ name, text, settings, begin: view.begin, moves: view.played });
  }

  async goOn() {
    const { view } = this;
    if (view.outcome || this.thinking || this.hinting || this.resting || this.clock.out) return this.tell();
    if (view.chance) return this.byHand ? this.tell() : this.rollSoon();
    // Of what is moved by rule alone nothing is written, and nothing is to choose.
    if (this.rolls && view.moves.length === 1 && view.moves[0].text === "") return this.makeOnly();
    if (this.seats[view.to_move] === "person") return this.tell();
    return this.think();
  }

  async makeOnly() {
    const turn = ++this.turn;
    const view = await this.ask({ do: "play", move: "" });
    if (turn === this.turn && !view.error) this.moved(view);
  }

  rollSoon() {
    this.tell();
    const { turn } = this;
    const wait = this.tree.here.rolled || this.tree.here.parent ? rollShown : 0;
    setTimeout(() => turn === this.turn && this.view.chance && !this.setUp.active && this.roll(), wait);
  }

  async think() {
    const seat = this.seats[this.view.to_move];
    this.thinking = true;
    const turn = ++this.turn;
    this.hand.begin([]);
    this.tell();
    const player = this.mover();
    const back = await this.thinker();
    const seed = Math.floor(Math.random() * 1e9);
    const seconds = this.clock.on ? Math.min(this.seconds, this.clock.leftOf(this.view.to_move) / 30000) : this.seconds;
    const thought = await back.ask({ do: "think", player: seat, seconds, seed });
    const told = seat !== "random" && !this.closed; // of what another one thinks much could be learnt
    if (turn !== this.turn) return;
    this.thinking = false;
    if (thought.error || !thought.move) return this.refuse(thought.error ?? "there was no time to think of a move");
    const view = await this.ask({ do: "play", move: thought.move });
    if (turn !== this.turn || view.error) return;
    if (told) this.thought.textContent = `${player} thought: ${thoughtText(thought, player)}`;
    this.moved(view);
  }

  // What somebody strong would play here, as an arrow.
  async hint() {
    if (!this.isMine()) return;
    this.hinting = true;
    const turn = ++this.turn;
    this.hintButton.disabled = true;
    this.thought.textContent = "Thinking of a move…";
    const player = this.mover();
    const back = await this.thinker();
    const thought = await back.ask({ do: "think", player: "level:9", seconds: this.seconds, seed: 1 });
    this.hinting = false;
    if (turn !== this.turn) return this.tell();
    this.tell();
    this.thought.textContent = thought.move ? `Hint: ${this.read(thought.move, this.view.to_move)}. ${thoughtText({ ...thought, line: [] }, player)}.` : "There was no time to think of a move.";
    const move = this.view.moves.find((one) => one.text === thought.move);
    if (move) this.board.arrow(move.path);
  }

  // What is being thought is of no use any more.
  halt() {
    if (!this.thinking && !this.hinting) return;
    ++this.turn;
    this.thinking = this.hinting = false;
    this.back.stop();
  }

  // The machine's sides are persons from now on.
  stop() {
    this.halt();
    this.seats = this.seats.map(() => "person");
    this.showSeats();
    this.showAnew();
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
