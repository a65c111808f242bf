// Positions set up by hand: a piece of the palette, and the cells where it goes. The position is what the engine
// writes as JSON; what it means to the rules the engine says after each change.
import { button, choice, make } from "./dom.js";

const eraser = "";

// What stays the same is shared with the position before. `letter` is a piece's, or "" to take one away.
export function changed(position, cell, letter, { stacks = false, carried = [] } = {}) {
  const cells = { ...position.cells };
  const there = cells[cell] ?? "";
  let now = letter;
  if (stacks) now = letter === eraser ? there.slice(0, -1) : there + letter;
  else if (there === letter) now = "";
  if (now) cells[cell] = now;
  else delete cells[cell];
  const { ply, turns, ...rest } = position; // nobody knows by which moves this came about
  return { ...rest, cells, ...withoutCarried(position, carried, [cell]) };
}

export function emptied(position, { carried = [] } = {}) {
  const { ply, turns, ...rest } = position;
  return { ...rest, cells: {}, ...withoutCarried(position, carried, Object.keys(position.cells)) };
}

// What the pieces of these cells carried goes with them.
function withoutCarried({ state }, carried, cells) {
  if (!state) return {};
  const kept = Object.entries(state).map(([name, value]) => {
    if (!carried.includes(name)) return [name, value];
    const codes = Object.entries(value).map(([code, at]) => [code, at.filter((cell) => !cells.includes(cell))]);
    return [name, Object.fromEntries(codes.filter(([, at]) => at.length > 0))];
  });
  return { state: Object.fromEntries(kept.filter(([name, value]) => !carried.includes(name) || Object.keys(value).length > 0)) };
}

export class SetUp {
  // `onEnd(position)` is told of the position to play from, or of null.
  constructor(game, { onEnd }) {
    this.game = game;
    this.onEnd = onEnd;
    this.position = null;
    this.turn = 0;
    this.root = make("section", { class: "setup", "aria-label": "set up a position", hidden: true });
  }

  get active() {
    return this.position !== null;
  }

  async begin() {
    const palette = await this.game.front.ask({ do: "palette" });
    if (palette.error) return this.game.refuse(palette.error);
    const view = await this.game.ask({ do: "arrange" });
    if (view.error) return this.game.refuse(view.error);
    this.palette = palette;
    this.premade = (await this.game.front.ask({ do: "positions" })).positions ?? [];
    this.letter = palette.pieces[0]?.letter ?? eraser;
    this.position = view.position;
    this.build();
    this.root.hidden = false;
    this.show(view);
  }

  // The rules have changed: what was set up stays where it still is a position.
  async again() {
    const palette = await this.game.front.ask({ do: "palette" });
    const view = await this.asked(this.position);
    if (palette.error || view.error) return this.end(null);
    this.palette = palette;
    this.build();
    this.show(view);
  }

  end(position) {
    this.leave();
    this.onEnd(position);
  }

  leave() {
    this.position = null;
    this.root.hidden = true;
    ++this.turn;
  }

  build() {
    const { pieces, players, hands } = this.palette;
    const tools = [...pieces, { letter: eraser, name: "take away", svg: "" }].map(({ letter, name, svg }) => {
      const picture = make("span", { class: "sign", "aria-hidden": "true" });
      if (svg) picture.innerHTML = svg;
      else picture.textContent = "✕";
      const made = button("", () => this.choose(letter), { class: "tool", title: name, "aria-label": name, "aria-pressed": "false", "data-letter": letter });
      made.append(picture);
      return made;
    });
    this.tools = make("div", { class: "tools", role: "group", "aria-label": "pieces" }, ...tools);
    const mover = choice("To move", players.map((player) => [player, player]), this.position.to_move, (to_move) => this.change({ ...this.position, to_move }));
    const counts = hands.map(({ player, kind }) => this.handField(player, kind));
    this.named = make("input", { type: "text", value: "a position", "aria-label": "name of the test" });
    this.says = make("p", { class: "says", role: "status", "aria-live": "polite" });
    this.text = make("pre", { class: "why", tabindex: 0, "aria-label": "the position as a test", hidden: true });
    this.root.replaceChildren(
      this.says,
      this.tools,
      make("div", { class: "seats" }, ...(players.length > 1 ? [mover] : []), ...counts),
      this.premadeField(),
      make("div", { class: "buttons" }, button("Empty board", () => this.change(emptied(this.position, this.palette))), button("Play from here", () => this.end(this.position)), button("Back to the game", () => this.end(null))),
      make("div", { class: "entry" }, this.named, button("Copy as test", () => this.copy())),
      this.text,
    );
    this.choose(this.letter);
  }

  // Positions that the author of the rules wrote tests of.
  premadeField() {
    if (this.premade.length === 0) return "";
    const names = this.premade.map(({ name }, i) => [String(i), name]);
    return make("div", { class: "seats" }, choice("A position of the tests", [["", "…"], ...names], "", (i) => i !== "" && this.take(JSON.parse(this.premade[i].position))));
  }

  async take(position) {
    await this.change(position);
    if (this.position === position) this.rebuild();
  }

  // What is counted and chosen beside the board is as in the position.
  rebuild() {
    const told = this.says.textContent;
    this.build();
    this.says.textContent = told;
  }

  handField(player, kind) {
    const field = make("input", { type: "number", min: 0, max: 999, value: this.position.hands?.[player]?.[kind] ?? 0 });
    field.addEventListener("change", () => {
      const count = Math.max(0, Math.min(999, Math.floor(Number(field.value) || 0)));
      const { hands = {} } = this.position;
      this.change({ ...this.position, hands: { ...hands, [player]: { ...hands[player], [kind]: count } } });
    });
    return make("label", { class: "field" }, make("span", {}, `${player}: ${kind} in hand`), field);
  }

  choose(letter) {
    this.letter = letter;
    for (const tool of this.tools.children) tool.setAttribute("aria-pressed", String(tool.dataset.letter === letter));
  }

  clicked(cell) {
    const name = this.game.board.cells.find((one) => one.cell === cell)?.name;
    if (name) this.change(changed(this.position, name, this.letter, this.palette));
  }

  asked(position) {
    return this.game.front.ask({ do: "arrange", position: JSON.stringify(position), flipped: this.game.flipped });
  }

  // A change that is no position is told and not made. Clicks may come faster than answers.
  async change(position) {
    const turn = ++this.turn;
    const before = this.position;
    this.position = position;
    const view = await this.asked(position);
    if (turn !== this.turn || !this.active) return;
    if (view.error) {
      this.position = before;
      this.says.textContent = view.error;
      return;
    }
    this.show(view);
  }

  show(view) {
    this.game.board.show(view, this.game.rules.hexes);
    this.game.board.mark([], []);
    this.says.textContent = `Setting up: ${view.says}`;
    this.text.hidden = true;
  }

  async copy() {
    const { text, error } = await this.game.front.ask({ do: "as_test", position: JSON.stringify(this.position), name: this.named.value.trim() });
    this.text.textContent = text ?? error;
    this.text.hidden = false;
    if (!text) return;
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    this.says.textContent = done ? "The test is copied: it goes under tests: in the rules." : "The test is below: it goes under tests: in the rules.";
  }
}
