// How a game is played, for whoever has never seen it: the words of `boardwright rules`, and for each kind of piece a
// board with its moves, at a press.
import { button, make } from "./dom.js";
import { Engine } from "./engine.js";

const paragraph = (text) => (text ? make("p", {}, text) : null);

// A line that ends with a colon stands above those that follow it.
function lines(texts) {
  const made = [];
  for (const text of texts) {
    if (text.endsWith(":")) made.push(make("p", {}, text), make("ul"));
    else {
      if (made.at(-1)?.tagName !== "UL") made.push(make("ul"));
      made.at(-1).append(make("li", {}, text));
    }
  }
  return made.filter((one) => one.tagName !== "UL" || one.children.length > 0);
}

function section(heading, ...parts) {
  const there = parts.flat().filter(Boolean);
  return there.length > 0 ? [make("h4", {}, heading), ...there] : [];
}

function kind({ name, letters, text, examples, svg }) {
  const shown = make("div", { class: "kind-shown", hidden: true });
  if (svg) shown.innerHTML = svg;
  shown.querySelector("svg")?.setAttribute("aria-hidden", "true");
  if (examples.length > 0) shown.append(make("p", {}, `Such as ${examples.join(", ")}.`));
  const press = svg
    ? button("Show moves", () => {
        shown.hidden = !shown.hidden;
        press.setAttribute("aria-expanded", String(!shown.hidden));
      }, { class: "small", "aria-expanded": "false", "aria-label": `Show moves of the ${name}` })
    : null;
  return make("li", { class: "kind", "data-kind": name }, make("p", {}, make("strong", {}, name), ` (${letters})${text ? `: ${text}` : ""} `, press), shown);
}

export class Teacher {
  constructor() {
    this.root = make("section", { class: "teacher", "aria-label": "how to play", tabindex: 0 });
    this.turn = 0;
  }

  // Other rules: what was told is of no use. They are worked out by an engine of their own, so that nothing waits.
  async show(name, text, settings) {
    const key = JSON.stringify([text, settings]);
    if (key === this.key) return;
    this.key = key;
    const turn = ++this.turn;
    if (this.root.childElementCount === 0) this.root.append(make("h3", {}, "How to play"), make("p", { class: "says" }, "One moment…"));
    const engine = new Engine();
    const loaded = await engine.ask({ do: "load", name, text, settings });
    const rules = loaded.ok && turn === this.turn ? await engine.ask({ do: "rules" }) : null;
    engine.end();
    if (turn === this.turn && rules && !rules.error) this.tell(rules);
  }

  tell(rules) {
    const of = make("p", { class: "says" }, [rules.made_by, rules.players, rules.board].filter(Boolean).join(". "));
    this.root.replaceChildren(
      make("h3", {}, "How to play"),
      ...section("Aim", paragraph(rules.aim)),
      ...(rules.aim ? section("In short", paragraph(rules.summary)) : [paragraph(rules.summary)].filter(Boolean)),
      ...section("Pieces", rules.kinds.length > 0 ? make("ul", { class: "kinds" }, ...rules.kinds.map(kind)) : null),
      ...section("Moves", lines(rules.moving)),
      ...section("The end", lines(rules.endings)),
      of,
    );
    this.root.dataset.told = "true";
  }

  // The kind that somebody wants to see.
  reveal(name) {
    const item = this.root.querySelector(`[data-kind="${CSS.escape(name)}"]`);
    const press = item?.querySelector("button");
    if (!press) return false;
    if (press.getAttribute("aria-expanded") === "false") press.click();
    item.scrollIntoView({ block: "nearest" });
    return true;
  }
}
