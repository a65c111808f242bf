// The script of an exported page: one game, no editor.
import { Engine } from "./engine.js";
import { Game } from "./game.js";

const state = JSON.parse(document.getElementById("state").textContent);
const game = new Game(document.getElementById("game"), new Engine());
game.settings = state.settings ?? {};
const wrong = await game.load(state.name, state.text, { moves: state.moves ?? [], begin: state.begin ?? "" });
if (wrong) game.refuse(wrong);
document.body.dataset.ready = "true";
