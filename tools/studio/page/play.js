// One game without an editor: the script of an exported page, which carries it in itself, and of play.html, whose
// address names a game of the library or carries the rules, as that of the studio does.
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { stateIn } from "./share.js";

const engine = new Engine();
let place = null; // where this browser keeps how the game stands
const game = new Game(document.getElementById("game"), engine, { onChange: keep });

async function stateOf(hash) {
  if (!hash.startsWith("#game=")) return stateIn(hash);
  const { text } = await engine.ask({ do: "source", name: decodeURIComponent(hash.slice(6)) });
  return text ? { name: "game.yaml", text } : null;
}

// The same rules from the same beginning are one game.
function placeOf(state) {
  let sum = 0;
  for (const letter of JSON.stringify([state.text, state.settings, state.moves, state.begin])) sum = (Math.imul(sum, 31) + letter.codePointAt(0)) >>> 0;
  return `boardwright-game-${sum.toString(36)}`;
}

function keep() {
  if (!place) return;
  try {
    localStorage.setItem(place, JSON.stringify({ text: game.text, play: game.kept() }));
  } catch {
    place = null; // this browser keeps nothing
  }
}

function keptOf(state, name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name));
    return kept?.text === state.text ? kept.play : null;
  } catch {
    return null;
  }
}

async function start() {
  const carried = document.getElementById("state");
  const state = carried ? JSON.parse(carried.textContent) : await stateOf(location.hash);
  if (!state) return game.refuse("The address carries no game.");
  const name = placeOf(state);
  const play = keptOf(state, name);
  game.takeKept(play ?? { settings: state.settings });
  const wrong = await game.load(state.name, state.text, { moves: state.moves ?? [], begin: state.begin ?? "", play });
  if (wrong) game.refuse(wrong);
  place = name;
}

await start();
document.body.dataset.ready = "true";
