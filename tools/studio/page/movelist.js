// The moves of a game as a list: the main line, and in brackets what was tried instead. Each leads to its place.
import { button, make } from "./dom.js";

const mostNested = 3; // brackets in brackets

export class MoveList {
  // `onGo(node)` is told of the place that somebody wants to see.
  constructor({ onGo }) {
    this.onGo = onGo;
    this.root = make("ol", { class: "moves", "aria-label": "moves played", tabindex: 0 });
  }

  // `read(node)` answers what is shown of its move; `gradeOf(node)` `{ sign, word, best }` of one that gave something
  // away, or null.
  show(tree, players, read = (node) => node.move, gradeOf = () => null) {
    Object.assign(this, { read, gradeOf });
    const entries = [];
    for (let node = tree.root; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      const item = make("li", { class: main === tree.here ? "here" : "" }, this.ply(main, tree, players));
      for (const other of others) item.append(this.variation(other, tree, players, 1));
      entries.push(item);
    }
    this.root.replaceChildren(...entries);
    const here = this.root.querySelector("[aria-current]");
    if (here) this.root.scrollTop = here.offsetTop - this.root.offsetTop - this.root.clientHeight / 2;
    else if (tree.here === tree.root) this.root.scrollTop = 0;
  }

  ply(node, tree, players) {
    const who = players.length > 1 && players[node.by] ? `${players[node.by]}${node.rolled ? " rolls" : ""}: ` : "";
    const current = node === tree.here ? { "aria-current": "true" } : {};
    const grade = this.gradeOf(node);
    const made = button(this.read(node) || "…", () => this.onGo(node), { class: `ply${node.rolled ? " rolled" : ""} by${node.by}`, title: `${who}${this.read(node)}${grade ? `: ${grade.word}${grade.best ? `; better was ${grade.best}` : ""}` : ""}`, ...current });
    if (grade) made.append(make("span", { class: "grade" }, grade.sign));
    return made;
  }

  variation(first, tree, players, depth) {
    const root = make("span", { class: "variation" }, "(");
    for (let node = first; node; node = node.children[0]) {
      root.append(this.ply(node, tree, players), " ");
      if (depth < mostNested) for (const other of node.children.slice(1)) root.append(this.variation(other, tree, players, depth + 1));
    }
    root.append(")");
    return root;
  }
}
