// The script of the studio: rules at the left, their game at the right.
import { assetText } from "./assets.js";
import { partText } from "./cover.js";
import { DiskFile } from "./disk.js";
import { button, make } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { Language } from "./language.js";
import { chooseGame } from "./library.js";
import { download, linkFor, pageFor, stateIn } from "./share.js";

const firstGame = "breakthrough";
const fileName = "game.yaml";
const by = (id) => document.getElementById(id);

const front = new Engine();
const language = new Language(new Engine(), `file:///${fileName}`);
const game = new Game(by("game"), front, { onCover: showCoverage });
const editor = new Editor(by("editor"), language, {
  onType: () => (document.body.dataset.loaded = "waiting"),
  onPause: (text) => recompile(text),
});
editor.onMarks = showProblems;

let turn = 0;

async function recompile(text, options = { goOn: true }) {
  const mine = ++turn;
  const checked = language.change(text);
  const wrong = await game.load(fileName, text, options);
  await checked;
  if (mine !== turn) return;
  by("state").textContent = wrong ? "The rules have errors; the game is that of the last ones without." : stateText(options);
  by("state").classList.toggle("wrong", Boolean(wrong));
  document.body.dataset.loaded = wrong ? "wrong" : "good";
}

function stateText({ goOn }) {
  if (!goOn || game.view.played.length === 0) return "The rules are in order.";
  return { moves: "The rules are in order; the game goes on.", position: "The rules are in order; the game goes on from its position.", nothing: "The rules are in order; the game began anew." }[game.kept];
}

function showProblems(marks) {
  const list = by("problems");
  list.replaceChildren(
    ...marks.slice(0, 30).map((mark) => make("li", { class: mark.severity }, button(`${mark.line}: ${mark.message.split("\n")[0]}`, () => editor.show(mark.from)))),
  );
  list.hidden = marks.length === 0;
  editor.keepCursor();
}

// Paints the parts onto the rules, and lists those that something is missing of.
function showCoverage(parts) {
  editor.paint(parts);
  const missing = parts.filter((part) => part.missing);
  const entries = missing.slice(0, 40).map((part) => make("li", { class: part.reached ? "partly" : "never" }, button(`${editor.lineOf(part.from)}: ${partText(part).split("\n  ").join(": ")}`, () => showPart(part.from))));
  return entries.length > 0 ? [make("ul", { class: "missing", "aria-label": "what is missing" }, ...entries)] : [];
}

function showPart(position) {
  chooseSide("rules");
  editor.show(position);
}

// Other rules: nothing of the game before is kept.
async function begin(text, state = {}) {
  game.settings = state.settings ?? {};
  game.seats = [];
  game.rules = null;
  editor.text = text;
  await recompile(text, { goOn: false, moves: state.moves ?? [], begin: state.begin ?? "" });
}

async function say(text) {
  by("state").textContent = text;
}

// A game of the library, by its name; false where it has none so called.
async function openGame(name) {
  const { text } = await front.ask({ do: "source", name });
  if (!text) return false;
  disk?.leave();
  await begin(text);
  document.body.dataset.game = name;
  return true;
}

async function open() {
  const chosen = await chooseGame();
  if (chosen) location.hash = `#game=${chosen.name}`;
}

// The file that is served beside the page; the game goes on when it changes there.
let disk = null;

async function openFile() {
  disk = new DiskFile(by("disk"), {
    text: () => editor.text,
    onText: async (text, name) => {
      const first = document.body.dataset.file !== name;
      document.body.dataset.file = name;
      document.title = `${name} – Boardwright studio`;
      if (first) return begin(text);
      editor.update(text);
      await recompile(text);
    },
    onBack: (text) => begin(text),
  });
  return disk.open();
}

// A link is to a game of the library, carries rules, or is to the file that is served.
async function follow(hash) {
  if (hash === "#file") return disk === null ? openFile() : disk.back().then(() => true);
  if (hash.startsWith("#game=")) return openGame(decodeURIComponent(hash.slice(6)));
  const state = await stateIn(hash);
  if (!state) return false;
  if (state.text !== editor.text) {
    disk?.leave();
    await begin(state.text, state);
  }
  return true;
}

function stateNow() {
  return { name: fileName, text: editor.text, settings: game.settings, moves: game.view?.played ?? [], begin: game.view?.begin ?? "" };
}

async function share() {
  const link = await linkFor(stateNow());
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    say(`The link is copied, and in the address bar (${link.length.toLocaleString("en")} characters).`);
  } catch {
    say("The link is in the address bar.");
  }
}

async function exportPage() {
  const { moves, begin: from, ...state } = stateNow();
  const title = game.rules.title || "A game";
  download(`${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.html`, await pageFor(title, { ...state, text: game.text, begin: from }));
  say("The page plays this game and needs nothing else.");
}

// On a narrow screen one of the two is seen.
function chooseSide(side) {
  document.body.dataset.side = side;
  for (const tab of document.querySelectorAll("[data-tab]")) tab.setAttribute("aria-pressed", String(tab.dataset.tab === side));
}

function prepare() {
  by("open").addEventListener("click", open);
  by("share").addEventListener("click", share);
  by("export").addEventListener("click", exportPage);
  by("tidy").addEventListener("click", () => editor.tidy());
  for (const tab of document.querySelectorAll("[data-tab]")) tab.addEventListener("click", () => chooseSide(tab.dataset.tab));
  window.addEventListener("hashchange", () => follow(location.hash));
  chooseSide("game");
}

// The site is kept by a service worker from now on; a page that is all in one file has nothing to keep.
async function keepOffline() {
  if (!("serviceWorker" in navigator) || !location.protocol.startsWith("http") || document.querySelector("script[data-asset]")) return;
  const known = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => known && say("There is a newer studio: load the page anew for it."));
  const registration = await navigator.serviceWorker.register("sw.js").catch(() => null);
  if (registration) document.body.dataset.offline = String(Boolean(await navigator.serviceWorker.ready));
}

async function start() {
  prepare();
  await language.open("");
  if (!(await follow(location.hash))) await openGame(firstGame);
  document.body.dataset.ready = "true";
  for (const name of ["library.json", "play.js", "style.css"]) assetText(name).catch(() => {}); // so that it works offline from now on
  keepOffline();
}

start();
