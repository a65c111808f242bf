// Which parts of the rules came into play, painted onto them: nothing came to what is red; what is yellow came
// into play, but not in every way ("always holds"). The numbers are told on hover.
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip } from "@codemirror/view";

const paint = StateEffect.define();
const nothing = { marks: Decoration.none, lines: RangeSet.empty };

class Sign extends GutterMarker {
  constructor(reached) {
    super();
    this.reached = reached;
  }
  eq(other) {
    return other.reached === this.reached;
  }
  toDOM() {
    const sign = document.createElement("span");
    sign.className = this.reached ? "cover-partly" : "cover-never";
    sign.textContent = this.reached ? "~" : "–";
    return sign;
  }
}

function painted(doc, parts) {
  const inside = parts.filter(({ from, to }) => from < to && to <= doc.length);
  const marks = inside.map((part) => Decoration.mark({ part, class: part.missing ? (part.reached ? "cover-partly" : "cover-never") : "cover" }).range(part.from, part.to));
  const lines = new Map(); // what nothing came to goes before what is partly reached
  for (const { from, missing, reached } of inside) {
    const { from: begin } = doc.lineAt(from);
    if (missing) lines.set(begin, (lines.get(begin) ?? true) && reached);
  }
  return { marks: Decoration.set(marks, true), lines: RangeSet.of([...lines].map(([from, reached]) => new Sign(reached).range(from)), true) };
}

const field = StateField.define({
  create: () => nothing,
  update(value, transaction) {
    let now = transaction.docChanged ? { marks: value.marks.map(transaction.changes), lines: value.lines.map(transaction.changes) } : value;
    for (const effect of transaction.effects) if (effect.is(paint)) now = effect.value;
    return now;
  },
  provide: (it) => EditorView.decorations.from(it, (value) => value.marks),
});

const counted = ({ held, met }) => `${held.toLocaleString("en")} of ${met.toLocaleString("en")}`;

// "alternative: gives no move; tests 0 of 3, random games 0 of 120"
export function partText({ kind, text, missing, tests, random }) {
  const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  const games = kind === "line of `end`" ? `, ends ${random.games.toLocaleString("en")} games` : "";
  return `${kind} ${short}\n  ${missing ? `${missing}; ` : ""}tests ${counted(tests)}, random games ${counted(random)}${games}`;
}

const hover = hoverTooltip((view, position) => {
  const found = [];
  view.state.field(field).marks.between(position, position, (from, to, { spec }) => {
    if (from <= position && position < to) found.push({ size: to - from, part: spec.part });
  });
  if (found.length === 0) return null;
  found.sort((a, b) => a.size - b.size);
  const told = found.slice(0, 3).map(({ part }) => partText(part));
  return {
    pos: position,
    create: () => {
      const dom = document.createElement("pre");
      dom.className = "hover";
      dom.textContent = told.join("\n");
      return { dom };
    },
  };
});

export const coverage = [field, gutter({ class: "cm-cover", markers: (view) => view.state.field(field).lines }), hover];

export function paintCoverage(view, parts) {
  view.dispatch({ effects: paint.of(parts.length > 0 ? painted(view.state.doc, parts) : nothing) });
}
