// Tutorial, reference and recipes beside the rules, fetched when somebody wants them. Each example that can be played
// opens in place.
import { assetText } from "./assets.js";
import { button, make } from "./dom.js";

export class Manual {
  // `onOpen(text, begin)` opens the rules of an example at a position ("" for its set-up); `onToggle(shown)` is told
  // when it comes or goes.
  constructor(root, { onOpen, onToggle }) {
    Object.assign(this, { root, onOpen, onToggle, chapters: null });
  }

  get shown() {
    return !this.root.hidden;
  }

  async toggle() {
    this.root.hidden = this.shown;
    this.onToggle(this.shown);
    if (this.shown && !this.chapters) await this.build();
  }

  async build() {
    this.chapters = JSON.parse(await assetText("manual.json"));
    for (const chapter of this.chapters) chapter.words = `${chapter.title} ${chapter.parts.map((part) => part.html?.replace(/<[^>]+>/g, " ") ?? part.code).join(" ")}`.toLowerCase();
    this.search = make("input", { type: "search", "aria-label": "search tutorial and reference", placeholder: "a word, such as step", oninput: () => this.list() });
    this.choice = make("select", { "aria-label": "chapter", onchange: () => this.show(this.chapters[Number(this.choice.value)]) });
    this.page = make("div", { class: "page", tabindex: 0, role: "region", "aria-label": "chapter" });
    this.root.replaceChildren(make("div", { class: "bar" }, this.search, this.choice, button("Close", () => this.toggle())), this.page);
    this.page.addEventListener("click", (event) => this.follow(event));
    this.list();
  }

  // The chapters that have all the words, those with the words in their heading first.
  list() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.chapters.filter((chapter) => words.every((word) => chapter.words.includes(word)));
    const inTitle = (chapter) => words.some((word) => chapter.title.toLowerCase().includes(word));
    const ordered = words.length > 0 ? [...found.filter(inTitle), ...found.filter((chapter) => !inTitle(chapter))] : found;
    const entry = (chapter) => make("option", { value: this.chapters.indexOf(chapter) }, chapter.title);
    const group = (book) => make("optgroup", { label: book }, ...ordered.filter((chapter) => chapter.book === book).map(entry));
    this.choice.replaceChildren(...[...new Set(ordered.map((chapter) => chapter.book))].map(group));
    if (ordered.length === 0) return this.page.replaceChildren(make("p", { class: "says" }, "Nothing has these words."));
    this.choice.value = this.chapters.indexOf(ordered[0]);
    return this.show(ordered[0]);
  }

  show(chapter) {
    this.choice.value = this.chapters.indexOf(chapter);
    this.page.replaceChildren(make("p", { class: "says" }, chapter.book), ...chapter.parts.map((part) => this.part(part)), this.next(chapter));
    this.page.scrollTop = 0;
  }

  part({ html, code, open, begin }) {
    const made = make("div", {});
    if (html) made.innerHTML = html;
    if (code) made.append(make("pre", { tabindex: 0, "aria-label": "an example" }, code.trimEnd()));
    if (open) made.append(button("Try it", () => this.onOpen(open, begin), { class: "small" }));
    return made;
  }

  next(chapter) {
    const following = this.chapters[this.chapters.indexOf(chapter) + 1];
    return following?.book === chapter.book ? button(`Next: ${following.title}`, () => this.show(following)) : "";
  }

  // A link to another heading, wherever it stands in the same book.
  follow(event) {
    const to = event.target.closest?.("a[data-to]")?.dataset.to;
    if (!to) return;
    event.preventDefault();
    const here = this.chapters[Number(this.choice.value)];
    const has = (chapter) => chapter.book === here.book && chapter.parts.some((part) => part.html?.includes(`id="${to}"`));
    const chapter = this.chapters.find(has);
    if (!chapter) return;
    if (chapter !== here) this.show(chapter);
    this.page.querySelector(`[id="${CSS.escape(to)}"]`)?.scrollIntoView({ block: "start" });
  }
}
