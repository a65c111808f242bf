// What to start from: the library, a dialog of pictures by family; and templates for rules of one's own.
import { assetText } from "./assets.js";
import { button, make } from "./dom.js";
import { openDialog } from "./mygames.js";

let games = null;

function card(game, choose) {
  const picture = make("span", { class: "picture", "aria-hidden": "true" });
  picture.innerHTML = game.svg;
  return button("", () => choose(game), { class: "card", "data-words": `${game.name} ${game.title} ${game.family} ${game.board}`.toLowerCase() }).appendChild(make("span", { class: "told" }, picture, make("strong", {}, game.title), make("small", {}, [game.year, game.board].filter(Boolean).join(", ")))).parentElement;
}

function families(choose) {
  const byFamily = Map.groupBy ? Map.groupBy(games, (game) => game.family) : games.reduce((map, game) => map.set(game.family, [...(map.get(game.family) ?? []), game]), new Map());
  return [...byFamily].map(([family, members]) => make("section", { class: "family", "aria-label": family }, make("h3", {}, family), make("div", { class: "cards" }, ...members.map((game) => card(game, choose)))));
}

function filter(list, words) {
  for (const section of list.children) {
    let any = false;
    for (const one of section.querySelectorAll(".card")) {
      one.hidden = !words.every((word) => one.dataset.words.includes(word));
      any ||= !one.hidden;
    }
    section.hidden = !any;
  }
}

// Answers the game that was chosen, or null.
export async function chooseGame() {
  games ??= JSON.parse(await assetText("library.json"));
  return new Promise((resolve) => {
    const dialog = make("dialog", { class: "library", "aria-label": "library of games" });
    const finish = (game) => {
      resolve(game);
      dialog.close();
      dialog.remove();
    };
    const list = make("div", { class: "families" }, ...families(finish));
    const search = make("input", { type: "search", "aria-label": "search games", placeholder: "name, family, board" });
    search.addEventListener("input", () => filter(list, search.value.toLowerCase().split(/\s+/)));
    dialog.append(make("div", { class: "bar" }, make("h2", {}, `${games.length} games`), search, button("Close", () => finish(null))), list);
    dialog.addEventListener("cancel", () => finish(null));
    document.body.append(dialog);
    dialog.showModal();
    search.focus();
  });
}

// The rules of one of `templates`, whose first line tells what it is; null where none is chosen.
export async function chooseTemplate(templates) {
  return new Promise((resolve) => {
    const { dialog, close } = openDialog("new", "a new game", "A new game", make("span", { class: "says" }, "Each is a small game that can be played at once, and changed line by line."));
    const choose = (text) => {
      resolve(text.replaceAll("NAME", "My game"));
      close();
    };
    const entry = ({ name, text }) => {
      const made = button("", () => choose(text), { class: "template" });
      made.append(make("strong", {}, name), make("span", {}, text.split("\n")[0].replace(/^#\s*/, "")));
      return made;
    };
    dialog.append(make("div", { class: "families templates" }, ...templates.map(entry)));
    dialog.addEventListener("close", () => resolve(null));
  });
}
