// The script of the studio: rules at the left, their game at the right.
import { assetText } from "./assets.js";
import { partText } from "./cover.js";
import { DiskFile } from "./disk.js";
import { button, make } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { Keeper } from "./keeper.js";
import { Language } from "./language.js";
import { chooseGame, chooseTemplate } from "./library.js";
import { Manual } from "./manual.js";
import { MyGames } from "./mygames.js";
import { Notice } from "./notice.js";
import { download, linkFor, pageFor, stateIn } from "./share.js";
import { Shelf } from "./shelf.js";

const firstGame = "breakthrough";
const fileName = "game.yaml";
const by = (id) => document.getElementById(id);

const front = new Engine();
const language = new Language(new Engine(), `file:///${fileName}`);
const game = new Game(by("game"), front, { onCover: showCoverage, onChange: () => changed() });
const editor = new Editor(by("editor"), language, {
  onType: () => {
    document.body.dataset.loaded = "waiting";
    changed();
  },
  onPause: (text) => recompile(text),
});
editor.onMarks = showProblems;
const notice = new Notice(by("notice"));
const manual = new Manual(by("manual"), { onOpen: openExample, onToggle: showManual });

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
  return { moves: "The rules are in order; the game goes on.", position: "The rules are in order; the game goes on from its position.", nothing: "The rules are in order; the game began anew." }[game.wasKept];
}

function showProblems(marks) {
  const list = by("problems");
  list.replaceChildren(
    ...marks.slice(0, 30).map((mark) => make("li", { class: mark.severity }, button(`${mark.line}: ${mark.message.split("\n")[0]}`, () => editor.show(mark.from)), ...mark.actions.map(({ name, apply }) => button(name, apply, { class: "mend" })))),
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

// Other rules come into the page; `state` is what a link or a kept game tells of how they are played.
async function begin(text, state = {}) {
  keeper.begin();
  game.reference = fileName;
  game.takeKept({ ...state.play, settings: state.play?.settings ?? state.settings });
  editor.text = text;
  const from = { goOn: false, moves: state.moves ?? [], begin: state.begin ?? "", play: state.play ?? null };
  if (state.good && state.good !== text) {
    // The game is that of the last rules without errors.
    await game.load(fileName, state.good, from);
    await recompile(text);
  } else await recompile(text, from);
  keeper.settle();
}

async function say(text) {
  by("state").textContent = text;
}

// --- what is kept

let keeper = null;
let shelf = null;

function changed() {
  const kept = keeper?.change();
  if (keeper?.id && location.hash.startsWith("#1")) named(keeper.id);
  return kept;
}

function kept() {
  const text = editor.text;
  const good = game.text && game.text !== text ? { good: game.text } : {};
  const base = disk && disk.aside === null ? { base: disk.known } : {};
  return { name: game.rules?.title || "A game", text, play: game.kept(), svg: game.picture, ...good, ...base };
}

// The address of a kept game opens it again.
function named(id) {
  document.body.dataset.kept = id;
  if (!id.startsWith("file:")) history.replaceState(null, "", `#mine=${id}`);
}

const kindOfNotice = {
  copied: () => notice.show("This game was changed in another tab. What you change here is kept as a copy of its own: nothing is lost."),
  changed: () => notice.show("This game was changed in another tab.", [["Show it as it is there", () => openKept(keeper.id)]]),
  open: () => notice.show("This game is open in another tab, too. If you change it in both, each is kept as a game of its own."),
  full: ({ why }) => notice.show(`The browser could not keep this change (${why}). Share a link or export the page to keep it elsewhere.`),
};

async function openKept(id) {
  const record = shelf ? await keeper.read(id) : null;
  if (!record || record.deleted) return false;
  disk?.leave();
  await begin(record.text, record);
  keeper.go(record);
  named(id);
  keeper.settle(record);
  return true;
}

// One's own game makes room for another one: it is told where it is.
async function setAside() {
  await keeper.writing;
  const { id } = keeper;
  const name = game.rules?.title;
  if (!id || id.startsWith("file:")) return notice.hide();
  notice.show(`${name} is kept in My games.`, [[`Back to ${name}`, () => (location.hash = `#mine=${id}`)]]);
}

function myGames() {
  const list = new MyGames(shelf, {
    onOpen: async (record) => {
      await setAside();
      await openKept(record.id);
    },
    onVersion: async (text) => {
      await changed();
      keeper.markVersion();
      editor.update(text);
      await recompile(text);
      say("These are the rules of before; those that stood here are a version now, too.");
    },
    here: () => keeper.id,
  });
  return list.show();
}

// --- other games

// A game of the library, by its name; false where it has none so called.
async function openGame(name) {
  const { text } = await front.ask({ do: "source", name });
  if (!text) return false;
  disk?.leave();
  await begin(text);
  game.reference = name;
  document.body.dataset.game = name;
  return true;
}

async function open() {
  const chosen = await chooseGame();
  if (chosen) location.hash = `#game=${chosen.name}`;
}

// An example of the manual becomes a game of one's own.
async function openExample(text, from) {
  await setAside();
  disk?.leave();
  history.pushState(null, "", "#new");
  await begin(text, { begin: from });
  say("This is the example; what was here before is in My games.");
}

function showManual(shown) {
  by("help").setAttribute("aria-pressed", String(shown));
  if (shown) chooseSide("rules");
}

// Rules to begin with.
async function create() {
  const { templates } = await front.ask({ do: "templates" });
  const text = await chooseTemplate(templates);
  if (!text) return;
  await setAside();
  disk?.leave();
  history.pushState(null, "", "#new");
  await begin(text);
  keeper.settle({ noted: true }); // is kept at once
  chooseSide("rules");
}

// The file that is served beside the page; the game goes on when it changes there.
let disk = null;

async function openFile() {
  disk = new DiskFile(by("disk"), {
    text: () => editor.text,
    draft: (name) => shelf && keeper.read(`file:${name}`),
    onText: async (text, name, draft) => {
      const first = document.body.dataset.file !== name;
      document.body.dataset.file = name;
      document.title = `${name} – Boardwright studio`;
      if (first) return beginFile(text, name, draft);
      editor.update(text);
      await recompile(text);
    },
    onBack: async (text) => beginFile(text, disk.name, shelf && (await keeper.read(`file:${disk.name}`))),
  });
  return disk.open();
}

async function beginFile(text, name, record) {
  await begin(text, record?.text === text ? record : {});
  keeper.go({ id: `file:${name}`, revision: record?.revision ?? 0 });
  keeper.settle({ noted: record?.noted && record.text === text });
}

// A link is to a game of the library or to one's own, carries rules, or is to the file that is served.
async function follow(hash) {
  if (hash.startsWith("#mine=") && decodeURIComponent(hash.slice(6)) === keeper.id) return true;
  if (editor.text !== "") await setAside();
  if (hash === "#file") return disk === null ? openFile() : disk.back().then(() => true);
  if (hash.startsWith("#mine=")) return openKept(decodeURIComponent(hash.slice(6)));
  if (hash.startsWith("#game=")) return openGame(decodeURIComponent(hash.slice(6)));
  if (sessionStorage.getItem("shared") === hash && (await openKept(sessionStorage.getItem("shared-id")))) return true;
  const state = await stateIn(hash);
  if (!state) return false;
  disk?.leave();
  await begin(state.text, state);
  return true;
}

// Without an address: what was worked on last, else a game that answers.
async function goOnOrBegin() {
  const [last] = (await shelf?.all()) ?? [];
  if (last && (await openKept(last.id))) return notice.show(`Here is ${last.name}, as you left it.`, [["Begin with another game", () => open()]]);
  return openGame(firstGame);
}

// What a link carries. Of a game in progress in which something is hidden that is the rules alone: whoever got the
// moves could read all that is in them, however they were packed.
function stateNow() {
  if (game.closed) return { name: fileName, text: editor.text, settings: game.settings };
  return { name: fileName, text: editor.text, settings: game.settings, moves: game.view?.played ?? [], begin: game.view?.begin ?? "" };
}

const rulesAlone = () => (game.closed && game.view.played.length > 0 ? " It carries the rules alone: the moves would tell what is hidden." : "");

async function share() {
  const link = await linkFor(stateNow());
  history.replaceState(null, "", link);
  if (keeper.id) {
    sessionStorage.setItem("shared", new URL(link).hash);
    sessionStorage.setItem("shared-id", keeper.id);
  }
  try {
    await navigator.clipboard.writeText(link);
    say(`The link is copied, and in the address bar (${link.length.toLocaleString("en")} characters).${rulesAlone()}`);
  } catch {
    say(`The link is in the address bar.${rulesAlone()}`);
  }
}

async function exportPage() {
  const { moves, begin: from = "", ...state } = stateNow();
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
  by("new").addEventListener("click", create);
  by("mine").addEventListener("click", myGames);
  by("share").addEventListener("click", share);
  by("export").addEventListener("click", exportPage);
  by("help").addEventListener("click", () => manual.toggle());
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
  shelf = await Shelf.open();
  keeper = new Keeper(shelf, { state: kept, onName: named, onTell: (what, details) => kindOfNotice[what](details) });
  by("mine").hidden = !shelf;
  if (!shelf) notice.show("This browser keeps nothing for this page (a private window?): what you make is gone when you close it. Share a link or export the page to keep it.");
  await language.open("");
  if (!(await follow(location.hash))) await goOnOrBegin();
  shelf?.sweep().catch(() => {});
  document.body.dataset.ready = "true";
  for (const name of ["library.json", "play.js", "style.css"]) assetText(name).catch(() => {}); // so that it works offline from now on
  keepOffline();
}

start();
