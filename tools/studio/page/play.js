// One game without an editor: the script of an exported page, which carries it in itself, and of play.html, whose
// address names a game of the library or carries the rules, as that of the studio does.
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { stateIn } from "./share.js";

const engine = new Engine();
const game = new Game(document.getElementById("game"), engine);

async function stateOf(hash) {
  if (!hash.startsWith("#game=")) return stateIn(hash);
  const { text } = await engine.ask({ do: "source", name: decodeURIComponent(hash.slice(6)) });
  return text ? { name: "game.yaml", text } : null;
}

async function start() {
  const carried = document.getElementById("state");
  const state = carried ? JSON.parse(carried.textContent) : await stateOf(location.hash);
  if (!state) return game.refuse("The address carries no game.");
  game.settings = state.settings ?? {};
  const wrong = await game.load(state.name, state.text, { moves: state.moves ?? [], begin: state.begin ?? "" });
  if (wrong) game.refuse(wrong);
}

await start();
document.body.dataset.ready = "true";
