// The list of what one has made: to open, to delete and get back, to take to another browser; and earlier versions.
import { button, make } from "./dom.js";
import { download } from "./share.js";

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

// As an image, so that nothing in a file from elsewhere is ever run.
export function pictureOf(svg) {
  if (!svg) return make("span", { class: "picture" });
  const withSpace = svg.includes("xmlns=") ? svg : svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  return make("span", { class: "picture" }, make("img", { alt: "", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withSpace)}` }));
}

export function openDialog(className, label, heading, ...more) {
  const dialog = make("dialog", { class: `library ${className}`, "aria-label": label });
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  dialog.append(make("div", { class: "bar" }, make("h2", {}, heading), ...more, button("Close", close)));
  dialog.addEventListener("cancel", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close };
}

const movesText = (game) => {
  const count = game.play?.tree?.nodes?.length ?? 0;
  return count === 0 ? "" : count === 1 ? ", 1 move" : `, ${count} moves`;
};

export class MyGames {
  // `onOpen(game)` opens one; `onVersion(text)` takes an earlier version of the one in the page; `here()` is its id.
  constructor(shelf, { onOpen, onVersion, here }) {
    Object.assign(this, { shelf, onOpen, onVersion, here });
  }

  async show() {
    const file = make("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": "a file of games", onchange: () => this.take(file) });
    const { dialog, close } = openDialog("mine", "my games", "My games", button("Export all", () => this.export()), button("Import", () => file.click()), file);
    this.told = make("p", { class: "says", role: "status", "aria-live": "polite" }, "Kept in this browser alone; in a private window until it is closed. Export them to keep them elsewhere, too.");
    this.list = make("div", { class: "families" });
    dialog.append(this.told, this.list);
    this.close = close;
    await this.fill();
  }

  async fill() {
    const games = await this.shelf.all();
    const deleted = await this.shelf.all({ deleted: true });
    const none = games.length === 0 ? make("p", {}, "Nothing yet: what you change or play is kept here by itself.") : null;
    const parts = [none, make("ul", { class: "shelf" }, ...games.map((game) => this.entry(game)))];
    if (deleted.length > 0) parts.push(make("details", {}, make("summary", {}, `Deleted (${deleted.length}), kept for 30 days`), make("ul", { class: "shelf" }, ...deleted.map((game) => this.deletedEntry(game)))));
    this.list.replaceChildren(...parts.filter(Boolean));
  }

  label(game) {
    const here = game.id === this.here() ? ", open now" : "";
    return make("span", { class: "told" }, make("strong", {}, game.name), make("small", {}, `${moment.format(game.changed)}${movesText(game)}${here}`));
  }

  entry(game) {
    const open = button("", () => (this.close(), this.onOpen(game)), { class: "shelf-open" });
    open.append(pictureOf(game.svg), this.label(game));
    const versions = make("div", { class: "versions", hidden: true });
    return make("li", { "data-id": game.id }, open, make("span", { class: "buttons" }, button("Versions", () => this.versions(game, versions)), button("Delete", () => this.delete(game), { "aria-label": `delete ${game.name}` })), versions);
  }

  deletedEntry(game) {
    return make("li", { "data-id": game.id }, pictureOf(game.svg), this.label(game), button("Get it back", () => this.restore(game)));
  }

  async delete(game) {
    await this.shelf.delete(game.id);
    await this.fill();
    this.told.replaceChildren(`${game.name} is deleted. `, button("Undo the deletion", () => this.restore(game)));
  }

  async restore(game) {
    await this.shelf.restore(game.id);
    await this.fill();
    this.told.textContent = `${game.name} is back.`;
  }

  // Earlier rules, with what differs from those of now.
  async versions(game, root) {
    root.hidden = !root.hidden;
    if (root.hidden) return;
    const versions = await this.shelf.versions(game.id);
    if (versions.length === 0) return root.replaceChildren(make("p", { class: "says" }, "There are no other versions yet: one is kept whenever you begin to change the rules after a pause."));
    root.replaceChildren(...versions.map((version) => make("div", { class: "version" }, make("span", {}, `${moment.format(version.date)}: ${differing(version.text, game.text)}`), button("Go back to it", () => this.goBack(game, version)))));
  }

  async goBack(game, version) {
    this.close();
    await this.onOpen(game);
    await this.onVersion(version.text);
  }

  async export() {
    download("my-boardwright-games.json", await this.shelf.export(), "application/json");
    this.told.textContent = "The file has all your games and their versions.";
  }

  async take(file) {
    try {
      const count = await this.shelf.import(await file.files[0].text());
      await this.fill();
      this.told.textContent = count === 0 ? "All of these were here already." : count === 1 ? "1 game came in." : `${count} games came in.`;
    } catch (problem) {
      this.told.textContent = `The file could not be read: ${problem.message}.`;
    }
    file.value = "";
  }
}

// "3 lines differ"
export function differing(one, other) {
  const lines = (text) => text.split("\n");
  const count = new Map();
  for (const line of lines(one)) count.set(line, (count.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of lines(other)) {
    const left = count.get(line) ?? 0;
    if (left > 0) ++shared, count.set(line, left - 1);
  }
  const differ = Math.max(lines(one).length, lines(other).length) - shared;
  return differ === 0 ? "the same lines" : differ === 1 ? "1 line differs" : `${differ} lines differ`;
}
