// The library to start from: a dialog of pictures, by family.
import { assetText } from "./assets.js";
import { button, make } from "./dom.js";

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
