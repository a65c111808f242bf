// The file on the disk that `tools/boardwright studio FILE` serves beside the page: it is followed, and written
// when somebody says so. What was changed in the page is never replaced without asking. While another game is looked at
// the file's text is set aside, and nothing is saved.
import { button, make } from "./dom.js";

const every = 1000; // milliseconds between looks at the file

export class DiskFile {
  // `text()` is what stands in the page; `onText(text, name)` is told of another text from the disk, `onBack(text)` of
  // the one that was set aside. `draft(name)` answers what the browser has kept of an earlier visit: `text`, and the
  // `base` on the disk that it was made from.
  constructor(root, { text, onText, onBack, draft }) {
    Object.assign(this, { root, shown: text, onText, onBack, draft, stamp: null, known: null, conflict: null, aside: null });
    this.told = make("span", { role: "status", "aria-live": "polite" });
    this.saveButton = button("Save", () => this.save());
    this.takeButton = button("Take the file's text", () => this.take(), { hidden: true });
    this.keepButton = button("Keep the page's", () => this.keep(), { hidden: true });
    this.backButton = button("Back to the file", () => (location.hash = "#file"), { hidden: true });
    root.append(this.told, this.backButton, this.saveButton, this.takeButton, this.keepButton);
  }

  // False where no file is served.
  async open() {
    const read = await this.read();
    if (!read) return false;
    this.root.hidden = false;
    const draft = await this.draft(read.name);
    if (draft && draft.text !== read.text && typeof draft.base === "string" && draft.text !== draft.base) await this.resume(draft, read);
    else await this.accept(read, draft);
    this.follow();
    window.addEventListener("beforeunload", (event) => this.unsaved() && event.preventDefault());
    return true;
  }

  // The rules of the file as the page has them.
  text() {
    return this.aside ?? this.shown();
  }

  // Another game comes into the page.
  leave() {
    this.aside ??= this.shown();
    this.tell();
  }

  async back() {
    if (this.aside === null) return;
    const text = this.aside;
    await this.onBack(text);
    this.aside = null;
    this.tell();
  }

  unsaved() {
    return this.text() !== this.known;
  }

  // The file as it is, where it isn't as it was.
  async read() {
    const response = await fetch("file", { cache: "no-store", headers: this.stamp ? { "If-None-Match": this.stamp } : {} });
    return response.ok ? response.json() : response.status === 304 ? { same: true } : null;
  }

  async follow() {
    try {
      const read = await this.read();
      if (!read) this.problem = "can't be read now";
      else {
        this.problem = null;
        if (!read.same) await this.came(read);
      }
    } catch {
      this.problem = "isn't served any more";
    }
    this.tell();
    setTimeout(() => this.follow(), every);
  }

  async came(read) {
    this.stamp = read.stamp;
    if (read.text === this.known) return;
    if (this.unsaved() && read.text !== this.text()) this.conflict = read;
    else await this.accept(read);
  }

  // Changes that were never saved come back; the file may have changed since.
  async resume(draft, read) {
    Object.assign(this, { name: read.name, known: draft.base });
    await this.onText(draft.text, read.name, draft);
    await this.came(read);
    this.tell();
  }

  async accept(read, draft = null) {
    const { name, stamp, text } = read;
    Object.assign(this, { name, stamp, known: text, conflict: null });
    if (this.aside !== null) this.aside = text;
    else if (text !== this.text()) await this.onText(text, name, draft);
    this.tell();
  }

  take() {
    if (this.conflict) this.accept(this.conflict);
  }

  // What is on the disk is known now, and will be replaced by the next save.
  keep() {
    if (this.conflict) this.known = this.conflict.text;
    this.conflict = null;
    this.tell();
  }

  async save() {
    const text = this.text();
    const response = await fetch("file", { method: "PUT", headers: { "If-Match": this.stamp, "X-Boardwright": "studio" }, body: text }).catch(() => null);
    if (response?.status === 412) await this.follows();
    else if (!response?.ok) this.problem = "could not be written";
    else {
      this.stamp = (await response.json()).stamp;
      this.known = text;
      this.problem = null;
    }
    this.tell();
  }

  async follows() {
    const read = await this.read();
    if (read && !read.same) await this.came(read);
  }

  tell() {
    const { name, conflict, problem } = this;
    const kept = this.unsaved() ? "is not saved" : "is as on the disk";
    const state = problem ?? (conflict ? "has changed on the disk, and the page has changes that are not saved" : this.aside === null ? kept : `${kept}, and another game is shown`);
    if (this.told.textContent !== `${name} ${state}.`) this.told.textContent = `${name} ${state}.`;
    this.root.classList.toggle("conflict", Boolean(conflict || problem));
    this.backButton.hidden = this.aside === null;
    this.saveButton.hidden = this.aside !== null;
    this.saveButton.disabled = Boolean(conflict) || !this.unsaved();
    this.takeButton.hidden = this.keepButton.hidden = !conflict;
  }
}
