// The words of the rules in colours, by what the language server says that each is.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

const paint = StateEffect.define();
// In the server's order.
const sorts = ["keyword", "function", "parameter", "variable", "kind", "player", "cell", "number", "key"];
const marks = sorts.map((sort) => Decoration.mark({ class: `word-${sort}` }));

export const colours = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    let now = value.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(paint)) now = effect.value;
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// `data` is of the text that the view has: five numbers a word, lines and columns relative to the word before.
export function paintWords(view, data) {
  const { doc } = view.state;
  const found = [];
  let line = 0;
  let column = 0;
  for (let i = 0; i + 4 < data.length; i += 5) {
    line += data[i];
    column = data[i] === 0 ? column + data[i + 1] : data[i + 1];
    if (line >= doc.lines || !marks[data[i + 3]]) continue;
    const from = doc.line(line + 1).from + column;
    const to = from + data[i + 2];
    if (to <= doc.length && to > from) found.push(marks[data[i + 3]].range(from, to));
  }
  view.dispatch({ effects: paint.of(Decoration.set(found, true)) });
}
