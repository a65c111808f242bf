// The editor: CodeMirror with what the language server says of the text.
import { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { colours as wordColours, paintWords } from "./colours.js";
import { coverage, paintCoverage } from "./cover.js";
import { fromMarkdown } from "./markdown.js";

const severities = ["error", "error", "warning", "info", "info"];
const kinds = { 14: "keyword", 9: "namespace", 6: "variable" };

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "code-name" },
  { tag: tags.comment, class: "code-comment" },
  { tag: [tags.string, tags.special(tags.string)], class: "code-string" },
  { tag: [tags.number, tags.bool], class: "code-number" },
  { tag: [tags.punctuation, tags.separator, tags.operator], class: "code-sign" },
]);

function offset(doc, { line, character }) {
  const at = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(at.from + character, at.to);
}

function place(doc, position) {
  const line = doc.lineAt(position);
  return { line: line.number - 1, character: position - line.from };
}

function infoOf(documentation) {
  const text = documentation?.value ?? documentation;
  return text ? () => fromMarkdown(text) : undefined;
}

function completions(language) {
  return async (context) => {
    const word = context.matchBefore(/[\p{L}_][\w-]*/u);
    if (!word && !context.explicit) return null;
    await language.change(context.state.doc.toString());
    const found = await language.request("textDocument/completion", { position: place(context.state.doc, context.pos) });
    const items = Array.isArray(found) ? found : found?.items ?? [];
    if (items.length === 0) return null;
    const options = items.map((item) => ({
      label: item.label,
      type: kinds[item.kind],
      detail: item.detail,
      info: infoOf(item.documentation),
      apply: item.insertText ?? item.label,
    }));
    return { from: word ? word.from : context.pos, options, validFor: /^[\w-]*$/ };
  };
}

function hover(language) {
  return hoverTooltip(async (view, position) => {
    const found = await language.request("textDocument/hover", { position: place(view.state.doc, position) });
    const text = found?.contents?.value ?? found?.contents;
    if (!text || typeof text !== "string") return null;
    return {
      pos: position,
      create: () => ({ dom: fromMarkdown(text) }),
    };
  });
}

export class Editor {
  // `onType()` is told of each change, `onPause(text)` when nobody has typed for a moment.
  constructor(root, language, { onType, onPause }) {
    this.language = language;
    this.onType = onType;
    this.onPause = onPause;
    language.onDiagnostics = (diagnostics) => this.mark(diagnostics);
    this.onMarks = () => {};
    this.view = new EditorView({
      parent: root,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        indentUnit.of("  "),
        yaml(),
        syntaxHighlighting(colours),
        lintGutter(),
        autocompletion({ override: [completions(language)] }),
        hover(language),
        wordColours,
        coverage,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "rules", tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && this.wait()),
        keymap.of([{ key: "Tab", run: acceptCompletion }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    clearTimeout(this.timer);
  }

  // Another version of the text: only what differs is replaced, so that the cursor stays where it was.
  update(text) {
    const old = this.text;
    const most = Math.min(old.length, text.length);
    let from = 0;
    let same = 0; // at the end
    while (from < most && old[from] === text[from]) ++from;
    while (same < most - from && old[old.length - 1 - same] === text[text.length - 1 - same]) ++same;
    this.view.dispatch({ changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) } });
    clearTimeout(this.timer);
  }

  wait() {
    this.onType();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onPause(this.text), 250);
  }

  async mark(diagnostics) {
    const { text } = this;
    const [words, repairs] = await this.told(diagnostics);
    if (text !== this.text) return; // what comes next has places of its own
    const { doc } = this.view.state;
    const marks = diagnostics.map(({ range, severity, message, code }) => {
      const from = offset(doc, range.start);
      const to = Math.max(offset(doc, range.end), from);
      const actions = repairs.filter(({ edits }) => edits.every((edit) => offset(doc, edit.range.start) >= from && offset(doc, edit.range.end) <= to)).map(({ title, edits }) => ({ name: title.replaceAll("`", ""), apply: () => this.apply(edits) }));
      return { from, to, severity: severities[severity], message, source: code, actions };
    });
    if (words) paintWords(this.view, words.data);
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    this.onMarks(marks.map((mark) => ({ ...mark, line: doc.lineAt(mark.from).number })));
  }

  // What the server says of the words, and how mistakes can be mended.
  async told(diagnostics) {
    const words = this.language.request("textDocument/semanticTokens/full", {});
    const whole = { start: { line: 0, character: 0 }, end: { line: this.view.state.doc.lines, character: 0 } };
    const actions = diagnostics.length > 0 ? await this.language.request("textDocument/codeAction", { range: whole, context: { diagnostics } }) : [];
    const repairs = (actions ?? []).map(({ title, edit }) => ({ title, edits: Object.values(edit?.changes ?? {})[0] ?? [] }));
    return [await words, repairs.filter(({ edits }) => edits.length > 0)];
  }

  apply(edits) {
    const { doc } = this.view.state;
    this.view.dispatch({ changes: edits.map(({ range, newText }) => ({ from: offset(doc, range.start), to: offset(doc, range.end), insert: newText })) });
    this.view.focus();
  }

  // What one is writing stays in sight when there is less room.
  keepCursor() {
    if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { yMargin: 30 }) });
  }

  // Which parts of the rules came into play; none takes the paint away.
  paint(parts) {
    paintCoverage(this.view, parts);
  }

  lineOf(position) {
    const { doc } = this.view.state;
    return doc.lineAt(Math.min(position, doc.length)).number;
  }

  show(position) {
    this.view.dispatch({ selection: { anchor: position }, scrollIntoView: true });
    this.view.focus();
  }

  // Lays the text out anew, as `boardwright fmt` does.
  async tidy() {
    await this.language.change(this.text);
    const edits = (await this.language.request("textDocument/formatting", { options: { tabSize: 2, insertSpaces: true } })) ?? [];
    this.apply(edits);
  }
}
