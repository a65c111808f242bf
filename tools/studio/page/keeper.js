// Keeps the game that is in the page: each change is written at once, one write after the other. What another tab has
// written in between is never written over: this page's game then goes on as a copy, and its person is told.
//
// The database answers when it can. So that a page that goes away at once loses nothing, each change is first noted in
// the browser's local storage, which doesn't wait; the note goes when the database has the change.
import { newId } from "./shelf.js";

const noteOf = (id) => `boardwright-unkept-${id}`;

export class Keeper {
  // `shelf` may be null. `state()` answers what is to be kept; `onName(id)` is told under which name it is kept, and
  // `onTell(what, details)` of "copied", "changed" (in another tab), "open" (there, too), "full".
  constructor(shelf, { state, onName, onTell }) {
    Object.assign(this, { shelf, state, onName, onTell, id: null, revision: 0, dirty: false, writing: null, written: null });
    this.session = newId();
    this.serial = 0; // of the changes of this session
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("boardwright-studio") : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.heard(data);
  }

  // A game that isn't kept yet, and will be at its first change. What is in the page now is what doesn't need to be kept.
  begin() {
    this.take(null, 0);
  }

  // One that is kept.
  go(game) {
    this.take(game.id, game.revision);
    this.channel?.postMessage({ hello: game.id });
  }

  take(id, revision) {
    Object.assign(this, { id, revision, dirty: false, written: null });
  }

  // What is in the page is as it should be now: only what differs from it is a change.
  settle({ noted = false } = {}) {
    this.written = noted ? "" : this.print(this.state());
    if (noted) this.change();
  }

  print({ svg, ...state }) {
    return JSON.stringify(state);
  }

  // The rules as they are now become a version to go back to at the next change.
  markVersion() {
    this.mark = true;
  }

  // Something may have changed. Answers when it is kept.
  change() {
    const state = this.shelf && this.written !== null ? this.state() : null;
    if (!state || this.print(state) === this.written) return this.writing ?? Promise.resolve();
    if (!this.id) this.named(newId());
    ++this.serial;
    this.note(state);
    this.dirty = true;
    document.body.dataset.unkept = "true";
    this.writing ??= this.write().finally(() => (this.writing = null));
    return this.writing;
  }

  async write() {
    while (this.dirty) {
      this.dirty = false;
      const state = this.state();
      const print = this.print(state);
      const { id: name, mark, session, serial } = this;
      this.mark = false;
      const answer = await this.shelf.put({ ...state, id: name, revision: this.revision, mark, session, serial }).catch((problem) => ({ problem }));
      if (this.id !== name) return; // another game is in the page by now
      if (answer.problem) return this.onTell("full", { why: String(answer.problem.message ?? answer.problem) });
      if (answer.conflict !== undefined) {
        this.forget(name);
        this.named(newId());
        this.revision = 0;
        this.dirty = true;
        this.note(state);
        this.onTell("copied", {});
        continue;
      }
      this.revision = answer.revision;
      this.written = print;
      if (!this.dirty) this.forget(name);
      this.channel?.postMessage({ changed: name, revision: answer.revision });
    }
  }

  // --- notes of what the database may not have yet

  note({ svg, ...state }) {
    try {
      localStorage.setItem(noteOf(this.id), JSON.stringify({ ...state, id: this.id, revision: this.revision, session: this.session, serial: this.serial }));
    } catch {
      // there is no room: the database has it soon
    }
  }

  forget(id) {
    delete document.body.dataset.unkept;
    try {
      localStorage.removeItem(noteOf(id));
    } catch {
      // there is none
    }
  }

  // What is kept under this name: of the database, or of a note that is newer.
  async read(id) {
    const record = (await this.shelf.get(id)) ?? null;
    let note = null;
    try {
      note = JSON.parse(localStorage.getItem(noteOf(id)));
    } catch {
      // there is none
    }
    if (!note || typeof note.text !== "string") return record;
    const newer = !record ? note.revision === 0 : record.session === note.session ? note.serial > record.serial : note.revision === record.revision;
    return newer ? { ...record, ...note, revision: record?.revision ?? 0, noted: true } : record;
  }

  named(id) {
    this.id = id;
    this.onName(id);
  }

  heard({ hello, here, changed, revision }) {
    if (hello && hello === this.id) this.channel.postMessage({ here: hello });
    if ((hello ?? here) && (hello ?? here) === this.id) this.onTell("open", {});
    if (changed && changed === this.id && revision > this.revision) this.onTell("changed", {});
  }
}
