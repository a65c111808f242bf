// A game looked over afterwards: what each place of it is worth, as a bar and a line, and the moves that gave something
// away. An engine of its own works it out, so that nothing waits for it.
import { button, make } from "./dom.js";
import { Engine } from "./engine.js";
import { gradeOf, summary, worth } from "./review.js";

const strength = "level:8";
const seconds = 0.3; // for a place

export class Reviewer {
  // `game` is asked for its tree, rules and view; `onValues()` is told when there are more of them.
  constructor(game, { onValues, onGo }) {
    Object.assign(this, { game, onValues, onGo, run: null });
    this.start = button("Look over the game", () => this.toggle(), { hidden: true });
    this.bar = make("div", { class: "worth", role: "img", hidden: true }, make("span", { class: "share" }));
    this.line = make("div", { class: "line" });
    this.told = make("p", { class: "says", role: "status", "aria-live": "polite" });
    this.root = make("section", { class: "review", "aria-label": "the game looked over", hidden: true }, this.bar, this.line, this.told);
  }

  // Another game, or other rules.
  leave() {
    this.stop();
    this.root.hidden = true;
    this.told.textContent = "";
  }

  stop() {
    this.run?.engine.end();
    this.run = null;
    this.start.textContent = "Look over the game";
  }

  // The places of the line that is looked at, from the beginning.
  places() {
    const { tree } = this.game;
    return [tree.root, ...tree.path(tree.tip())];
  }

  // What is to be seen now; the button where there is something to look over and nothing is hidden.
  show() {
    const { game } = this;
    this.start.hidden = game.closed || game.rules.players.length > 2 || game.tree.root.children.length === 0;
    const places = this.places();
    const known = places.some((node) => node.value !== undefined);
    this.root.hidden = !known;
    if (!known) return;
    this.showBar(game.tree.here.value);
    this.line.replaceChildren(this.drawn(places));
    if (!this.run) this.told.textContent = summary(places.slice(1), game.rules.players);
  }

  showBar(value) {
    const [first, second] = this.game.rules.players;
    const there = value !== undefined && value !== null;
    this.bar.hidden = !there;
    if (!there) return;
    const share = Math.round(100 * value);
    this.bar.firstChild.style.width = `${share}%`;
    this.bar.setAttribute("aria-label", second ? `${first} ${share} %, ${second} ${100 - share} %` : `${share} %`);
    this.bar.title = this.bar.getAttribute("aria-label");
  }

  drawn(places) {
    const wide = 300;
    const high = 60;
    const step = wide / Math.max(1, places.length - 1);
    const y = (value) => (1 - value) * (high - 8) + 4;
    const points = places.flatMap((node, i) => (typeof node.value === "number" ? [`${(i * step).toFixed(1)},${y(node.value).toFixed(1)}`] : []));
    const shown = make("div", { class: "worths" });
    const at = places.indexOf(this.game.tree.here);
    const marks = places.flatMap((node, i) => {
      const grade = i > 0 && gradeOf(node);
      return grade ? [`<circle cx="${(i * step).toFixed(1)}" cy="${y(node.value).toFixed(1)}" r="4" class="mark${grade.sign.length > 1 && grade.sign[1] === "?" ? " bad" : ""}"/>`] : [];
    });
    shown.innerHTML = `<svg viewBox="0 0 ${wide} ${high}" preserveAspectRatio="none" role="img" aria-label="what the places of the game are worth to ${this.escaped(this.game.rules.players[0])}"><line x1="0" x2="${wide}" y1="${high / 2}" y2="${high / 2}"/><polyline points="${points.join(" ")}"/>${marks.join("")}<line class="here" x1="${(at * step).toFixed(1)}" x2="${(at * step).toFixed(1)}" y1="0" y2="${high}"/></svg>`;
    shown.addEventListener("click", (event) => {
      const box = shown.getBoundingClientRect();
      this.onGo(places[Math.round(((event.clientX - box.left) / box.width) * (places.length - 1))]);
    });
    return shown;
  }

  escaped(text) {
    return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  }

  toggle() {
    if (this.run) return this.stop(), this.show();
    return this.look();
  }

  async look() {
    const { game } = this;
    const run = { engine: new Engine() };
    this.run = run;
    this.start.textContent = "Stop looking";
    this.root.hidden = false;
    const { name, text, settings, view } = game;
    const ask = (request) => run.engine.ask(request);
    await ask({ do: "load", name, text, settings });
    const places = this.places();
    for (let i = 0; i < places.length && this.run === run; ++i) {
      if (places[i].value !== undefined) continue;
      this.told.textContent = `Looking at move ${i} of ${places.length - 1}…`;
      await ask({ do: "go_to", begin: view.begin, moves: game.tree.moves(places[i]) });
      const found = await this.valueHere(ask);
      if (this.run !== run) return;
      Object.assign(places[i], found);
      this.onValues();
    }
    if (this.run !== run) return;
    this.stop();
    this.onValues();
  }

  // To the first player; null where nobody can tell, as before a roll.
  async valueHere(ask) {
    const view = await ask({ do: "view" });
    const { players } = this.game.rules;
    if (view.outcome) return { value: worth(view.outcome, players) };
    if (view.error || view.chance) return { value: null };
    const thought = await ask({ do: "think", player: strength, seconds, seed: 1 });
    if (thought.error || !thought.move) return { value: null };
    return { value: view.to_move === 0 ? thought.value : 1 - thought.value, best: thought.move };
  }
}
