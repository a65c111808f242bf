// Games as text: records and PGN, copied and saved from the page, and taken into it.
import { button, make } from "./dom.js";
import { openDialog } from "./mygames.js";
import { download } from "./share.js";

export class Records {
  // `game` is asked and told; it has `name` of the library in `reference`, where it is of it.
  constructor(game) {
    this.game = game;
  }

  async show() {
    const { dialog, close } = openDialog("records", "the game as text", "The game as text");
    this.close = close;
    this.told = make("p", { class: "says", role: "status", "aria-live": "polite" });
    const body = make("div", { class: "families texts" });
    dialog.append(this.told, body);
    const written = await this.game.ask({ do: "write", rules: this.game.reference });
    if (written.error) this.told.textContent = "While the game goes on its text would tell what is hidden. It can be had when the game is over.";
    const forms = [["Record", written.record, "txt"], ["PGN", written.pgn, "pgn"]].filter(([, text]) => text);
    body.append(...forms.map((form) => this.form(...form)), this.entry());
  }

  form(name, text, ending) {
    const title = this.game.rules.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
    const field = make("textarea", { readonly: true, rows: 8, "aria-label": name, spellcheck: "false" }, text);
    const copy = async () => {
      const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      field.select();
      this.told.textContent = done ? `The ${name} is copied.` : `The ${name} is selected: it can be copied.`;
    };
    return make("section", { "aria-label": name }, make("h3", {}, name), field, make("div", { class: "buttons" }, button(`Copy ${name}`, copy), button(`Save ${name}`, () => download(`${title}.${ending}`, text, "text/plain"))));
  }

  entry() {
    this.field = make("textarea", { rows: 6, "aria-label": "a game to take in", placeholder: "a record, PGN, or moves", spellcheck: "false" });
    const file = make("input", { type: "file", hidden: true, "aria-label": "a file with a game", onchange: async () => (this.field.value = await file.files[0].text()) });
    this.takeButton = button("Take it in", () => this.take());
    return make("section", { "aria-label": "take in" }, make("h3", {}, "Take in"), this.field, file, make("div", { class: "buttons" }, this.takeButton, button("From a file", () => file.click())));
  }

  // What begins otherwise than the game in the page takes its place: that is asked first.
  async take(sure = false) {
    const read = await this.game.front.ask({ do: "read", text: this.field.value });
    if (read.error) return (this.told.textContent = read.error);
    const other = read.begin !== this.game.view.begin && this.game.begun;
    if (other && !sure) {
      this.told.replaceChildren("It begins with another position, and would replace the game in the page. ", button("Replace it", () => this.take(true)));
      return null;
    }
    await this.game.takeMoves(read);
    this.close();
    if (read.stopped) this.game.refuse(read.stopped);
    return null;
  }
}
