// node test.mjs MODULES SITE PICTURES [PATTERN]: tries the site in a browser, as a person would.
import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const [modules, site, pictures, pattern = ""] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

function serve() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(site, path === "/" ? "index.html" : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const server = await serve();
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
mkdirSync(pictures, { recursive: true });

function check(holds, what) {
  if (!holds) throw new Error(what);
}

function same(found, wanted, what) {
  check(JSON.stringify(found) === JSON.stringify(wanted), `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

// A page of the site, and what a person does with it.
class Visit {
  constructor(page) {
    this.page = page;
    this.problems = [];
    page.on("pageerror", (problem) => this.problems.push(String(problem)));
    page.on("console", (message) => message.type() === "error" && this.problems.push(message.text()));
  }

  async open(url = address) {
    await this.page.goto(url);
    await this.ready();
  }
  ready() {
    return this.page.waitForSelector("body[data-ready=true]", { timeout: 60000 });
  }
  cell(name) {
    return this.page.locator(`.cell[data-name="${name}"]`);
  }
  // Clicks cells, and waits until one more move is in the list.
  async move(...cells) {
    const before = (await this.moves()).length;
    for (const cell of cells) await this.cell(cell).click();
    await this.waitFor((count) => document.querySelectorAll(".moves li").length > count, before);
  }
  waitFor(condition, argument) {
    return this.page.waitForFunction(condition, argument, { timeout: 60000 });
  }
  moves() {
    return this.page.locator(".moves li").allTextContents();
  }
  status() {
    return this.page.locator(".status").textContent();
  }
  text() {
    return this.page.evaluate(() => document.querySelector(".cm-content").cmView?.view?.state.doc.toString() ?? document.querySelector(".cm-content").innerText);
  }
  // Puts other rules into the editor.
  async write(text) {
    await this.page.locator(".cm-content").click();
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.insertText(text);
    await this.waitFor(() => ["good", "wrong"].includes(document.body.dataset.loaded));
  }
  async told(words) {
    await this.waitFor((wanted) => document.getElementById("state").textContent.includes(wanted), words);
  }
  picture(name) {
    return this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}

const tests = [];
const options = { desktop: { viewport: { width: 1280, height: 800 } }, phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } };
function test(name, run, device = "desktop") {
  if (name.includes(pattern)) tests.push({ name, run, device });
}

const breakthrough = readFileSync(join(here, "../../game-defs/races/breakthrough.yaml"), "utf8");

test("the page is ready, and its first game can be played by clicks", async (visit) => {
  await visit.open();
  same(await visit.status(), "White to move", "status");
  await visit.move("a2", "a3");
  await visit.move("b7", "b6");
  same(await visit.moves(), ["a2-a3", "b7-b6"], "moves");
  await visit.page.getByRole("button", { name: "Undo" }).click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
  await visit.picture("desktop");
});

test("rules are broken, told, mended, and the game goes on", async (visit) => {
  await visit.open();
  await visit.move("a2", "a3");
  await visit.write(breakthrough.replace("step(forward", "step(forwad"));
  await visit.told("errors");
  await visit.page.locator("#problems li.error").first().waitFor();
  check((await visit.page.locator("#problems").textContent()).includes("forwad"), "the error is told");
  await visit.picture("error");
  same(await visit.moves(), ["a2-a3"], "the game stays");
  await visit.write(breakthrough);
  await visit.told("goes on");
  same(await visit.moves(), ["a2-a3"], "the game goes on");
  await visit.move("b7", "b6");
});

test("a refused move is explained", async (visit) => {
  await visit.open();
  await visit.cell("a2").click();
  await visit.cell("a5").click();
  await visit.page.locator(".why").waitFor();
  check((await visit.page.locator(".why").textContent()).includes("not legal"), "why");
  await visit.picture("why");
});

test("a game is played by keys alone", async (visit) => {
  await visit.open();
  await visit.cell("a2").focus();
  for (const key of ["Enter", "ArrowUp", "Enter"]) await visit.page.keyboard.press(key);
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
  same(await visit.moves(), ["a2-a3"], "moves");
  await visit.page.getByLabel("a move", { exact: true }).fill("b7-b6");
  await visit.page.keyboard.press("Enter");
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 2);
});

test("a piece is dragged", async (visit) => {
  await visit.open();
  const from = await visit.cell("c2").boundingBox();
  const to = await visit.cell("c3").boundingBox();
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await visit.page.mouse.move(...middle(from));
  await visit.page.mouse.down();
  await visit.page.mouse.move(...middle(to), { steps: 6 });
  await visit.picture("drag");
  await visit.page.mouse.up();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
  same(await visit.moves(), ["c2-c3"], "moves");
});

test("the machine plays to the end of a game", async (visit) => {
  await visit.open();
  await visit.page.getByLabel("Thinks for").selectOption("0.3");
  await visit.page.getByLabel("White is").selectOption("level:3");
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
  await visit.page.getByLabel("Black is").selectOption("level:1");
  await visit.page.waitForFunction(() => document.querySelector(".status").classList.contains("over"), null, { timeout: 120000 });
  check((await visit.status()).includes("wins"), "somebody wins");
  await visit.picture("over");
});

test("random games are charted", async (visit) => {
  await visit.open();
  await visit.page.getByRole("button", { name: "Play random games" }).click();
  await visit.page.locator(".charts table").waitFor();
  await visit.page.waitForTimeout(1500);
  await visit.page.getByRole("button", { name: "Stop", exact: true }).click();
  await visit.page.locator(".charts").scrollIntoViewIfNeeded();
  await visit.picture("charts");
});

test("a link carries rules and game", async (visit, context) => {
  await visit.open();
  await visit.write(breakthrough.replace("default: 8, range: 2..16", "default: 6, range: 2..16"));
  await visit.told("in order");
  same(await visit.page.locator(".cell").count(), 48, "cells");
  await visit.move("a2", "a3");
  await visit.page.getByRole("button", { name: "Share link" }).click();
  await visit.told("link");
  const other = new Visit(await context.newPage());
  await other.open(visit.page.url());
  same(await other.moves(), ["a2-a3"], "moves");
  same(await other.page.locator(".cell").count(), 48, "cells");
  same(other.problems, [], "problems");
});

test("a page is exported and played from the disk", async (visit, context) => {
  await visit.open();
  const [download] = await Promise.all([visit.page.waitForEvent("download"), visit.page.getByRole("button", { name: "Export page" }).click()]);
  const file = join(pictures, "exported.html");
  await download.saveAs(file);
  const other = new Visit(await context.newPage());
  await other.open(`file://${file}`);
  await other.move("a2", "a3");
  await other.page.getByLabel("Black is").selectOption("level:2");
  await other.waitFor(() => document.querySelectorAll(".moves li").length === 2);
  await other.picture("exported");
  same(other.problems, [], "problems");
});

test("the studio as one file works from the disk", async (visit) => {
  await visit.open(`file://${join(site, "studio.html")}`);
  await visit.move("a2", "a3");
});

test("the library is searched, and a game of it is opened", async (visit) => {
  await visit.open();
  await visit.page.getByRole("button", { name: "Library" }).click();
  await visit.page.locator(".card").first().waitFor();
  await visit.page.waitForTimeout(300);
  await visit.picture("library");
  await visit.page.getByLabel("search games").fill("hex 11 by 11");
  await visit.page.getByRole("button", { name: /^Hex\b/ }).first().click();
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "Hex");
  await visit.move("f6");
  await visit.picture("hex");
});

test("every game of the library loads, and its board is shown", async (visit) => {
  await visit.open();
  const games = JSON.parse(readFileSync(join(site, "library.json"), "utf8"));
  for (const { name } of games) {
    await visit.page.evaluate((wanted) => (location.hash = `#game=${wanted}`), name);
    await visit.waitFor((wanted) => document.body.dataset.game === wanted, name);
    same(await visit.page.evaluate(() => document.body.dataset.loaded), "good", name);
    check((await visit.page.locator(".cell").count()) > 1, `${name} has cells`);
  }
});

test("a position is set up by hand, copied as a test, and played from", async (visit, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit.open();
  const press = (name) => visit.page.getByRole("button", { name, exact: true }).click();
  const says = (words) => visit.waitFor((wanted) => document.querySelector(".says")?.textContent.includes(wanted), words);
  await press("Set up");
  await says("22 moves");
  await visit.picture("setup-begin");
  await press("Empty board");
  await says("Black wins");
  await press("White man");
  await visit.cell("c6").click();
  await visit.cell("d6").click();
  await says("moves");
  await press("Black man");
  await visit.cell("d7").click();
  await visit.cell("h8").focus();
  await visit.page.keyboard.press("Enter");
  await visit.cell("a8").click();
  await press("take away");
  await visit.cell("d6").click();
  await visit.cell("a8").click();
  await says("3 moves");
  await press("Copy as test");
  await says("copied");
  const entry = await visit.page.evaluate(() => navigator.clipboard.readText());
  check(entry.includes("position: { to_move: White, cells: {") && entry.includes("moves: c6-b7 c6-c7 c6xd7"), `the test: ${entry}`);
  await visit.picture("setup");
  await visit.page.getByLabel("To move").selectOption("Black");
  await says("moves");
  await press("Play from here");
  await visit.waitFor(() => document.querySelector(".status").textContent === "Black to move");
  await visit.move("d7", "d6");
  await visit.page.getByRole("button", { name: "New game" }).click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 0);
  await visit.write(breakthrough.trimEnd() + "\n" + entry);
  await visit.told("in order");
});

test("hands and stacks are set up, and the game is as it was when one goes back", async (visit) => {
  const press = (name) => visit.page.getByRole("button", { name, exact: true }).click();
  const drops = "game: Drops\nplayers: [White, Black]\nboard: { squares: 3 by 3, stacks: true }\npieces: { man: w b }\nhands: { man: 2 }\nsetup: { w: none }\nturn: drop(man, board)\nend:\n  - draw when ply = 4\n";
  await visit.open(addressOf({ text: drops.replace("drop(man, board)", "place(man, board & empty)") }));
  await press("Set up");
  await press("Black man");
  await visit.cell("b2").click();
  await visit.cell("b2").click();
  await visit.waitFor(() => document.querySelector('.cell[data-name="b2"]').getAttribute("aria-label").includes("a stack of 2"));
  await visit.page.getByLabel("White: man in hand").fill("0");
  await visit.page.keyboard.press("Enter");
  await visit.page.getByLabel("White: man in hand").blur();
  await visit.picture("setup-stacks");
  await press("Copy as test");
  await visit.waitFor(() => document.querySelector(".setup pre").textContent.includes("b2: bb"));
  check((await visit.page.locator(".setup pre").textContent()).includes("man: 0"), "the hand is in the test");
  await press("Back to the game");
  await visit.waitFor(() => document.querySelector(".status").textContent === "White to move" && !document.querySelector(".status").hidden);
  same(await visit.page.locator('.cell[data-name="b2"]').getAttribute("aria-label"), "b2, empty, can be chosen", "the cell");
});

test("what comes into play is painted onto the rules", async (visit) => {
  await visit.open();
  await visit.write(breakthrough.replace("step(forward, empty) or", "step(forward, empty) or step(forward, empty & none) or"));
  await visit.told("in order");
  await visit.page.getByRole("button", { name: "What comes into play?" }).click();
  await visit.page.locator(".covered ul").waitFor({ timeout: 60000 });
  const painted = await visit.page.locator(".cm-content .cover-partly, .cm-content .cover-never").allTextContents();
  check(painted.join("").includes("step(forward, empty & none)"), `what is painted: ${painted}`);
  check((await visit.page.locator(".covered").textContent()).includes("gives no move"), "it is told");
  await visit.page.locator(".covered ul button").first().click();
  await visit.page.locator(".cm-content .cover-partly").first().hover();
  await visit.page.locator(".cm-tooltip .hover").filter({ hasText: "random games" }).first().waitFor();
  await visit.picture("coverage");
  await visit.write(breakthrough);
  await visit.told("in order");
  same(await visit.page.locator(".cm-content .cover-partly").count(), 0, "paint of other rules");
});

test("it works without a network once it has been loaded", async (visit, context) => {
  await visit.open();
  await visit.page.waitForSelector("body[data-offline=true]", { timeout: 60000 });
  await context.setOffline(true);
  await visit.page.reload();
  await visit.ready();
  await visit.move("a2", "a3");
  await visit.page.getByRole("button", { name: "Library" }).click();
  await visit.page.locator(".card").first().waitFor();
  await context.setOffline(false);
});

// The server of `tools/boardwright studio`, with a file of its own.
async function serveFile(text) {
  const file = join(mkdtempSync(join(tmpdir(), "boardwright-")), "mine.yaml");
  writeFileSync(file, text);
  const { DISPLAY, WAYLAND_DISPLAY, ...env } = process.env;
  const child = spawn("python3", [join(here, "serve.py"), site, "0", file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));
  return { file, url, stop: () => child.kill() };
}

test("a file is followed, and what is changed in the page isn't lost", async (visit) => {
  const served = await serveFile(breakthrough);
  const disk = (words) => visit.waitFor((wanted) => document.getElementById("disk").textContent.includes(wanted), words);
  const press = (name) => visit.page.getByRole("button", { name, exact: true }).click();
  try {
    await visit.open(served.url);
    await disk("mine.yaml is as on the disk");
    await visit.move("a2", "a3");
    writeFileSync(served.file, breakthrough.replace("default: 8, range: 2..16", "default: 6, range: 2..16"));
    await visit.waitFor(() => document.querySelectorAll(".cell").length === 48);
    same(await visit.moves(), ["a2-a3"], "the game goes on");
    await visit.write(breakthrough);
    await disk("is not saved");
    await press("Save");
    await disk("is as on the disk");
    same(readFileSync(served.file, "utf8"), breakthrough, "what was saved");
    await visit.write(breakthrough.replace("game: Breakthrough", "game: Mine"));
    await disk("is not saved");
    writeFileSync(served.file, breakthrough.replace("game: Breakthrough", "game: Theirs"));
    await disk("has changed on the disk");
    await visit.picture("conflict");
    check((await visit.page.locator(".game-title").textContent()) === "Mine", "the page keeps its text");
    await press("Keep the page's");
    await press("Save");
    await disk("is as on the disk");
    check(readFileSync(served.file, "utf8").includes("game: Mine"), "the page's text is saved");
    await visit.write(breakthrough.replace("game: Breakthrough", "game: Again"));
    writeFileSync(served.file, breakthrough.replace("game: Breakthrough", "game: Theirs"));
    await disk("has changed on the disk");
    await press("Take the file's text");
    await visit.waitFor(() => document.querySelector(".game-title").textContent === "Theirs");
  } finally {
    served.stop();
  }
});

test("a game of the library does not come into the file that is served", async (visit) => {
  const served = await serveFile(breakthrough);
  const disk = (words) => visit.waitFor((wanted) => document.getElementById("disk").textContent.includes(wanted), words);
  const title = (wanted) => visit.waitFor((text) => document.querySelector(".game-title").textContent === text, wanted);
  const save = visit.page.getByRole("button", { name: "Save", exact: true });
  try {
    await visit.open(served.url);
    await visit.write(breakthrough.replace("game: Breakthrough", "game: Mine"));
    await disk("is not saved");
    await visit.page.evaluate(() => (location.hash = "#game=hex"));
    await title("Hex");
    await disk("mine.yaml is not saved, and another game is shown");
    check(await save.isHidden(), "another game can't be saved into the file");
    await visit.picture("aside");
    await visit.page.getByRole("button", { name: "Back to the file" }).click();
    await title("Mine");
    await disk("mine.yaml is not saved.");
    await save.click();
    await disk("is as on the disk");
    check(readFileSync(served.file, "utf8").includes("game: Mine"), "what was written before is saved");
    await visit.page.evaluate(() => (location.hash = "#game=hex"));
    await disk("is as on the disk, and another game is shown");
    writeFileSync(served.file, breakthrough.replace("game: Breakthrough", "game: Theirs"));
    await visit.page.waitForTimeout(2500);
    await title("Hex");
    await visit.page.goBack();
    await title("Theirs");
  } finally {
    served.stop();
  }
});

test("completion offers what may stand there", async (visit) => {
  await visit.open();
  await visit.write(breakthrough.trimEnd() + "\n");
  await visit.page.keyboard.press("Control+End");
  await visit.page.mouse.move(900, 30);
  await visit.page.keyboard.type("def");
  await visit.page.locator(".cm-tooltip-autocomplete li").first().waitFor();
  await visit.picture("completion");
});

test("in the dark", async (visit) => {
  await visit.page.emulateMedia({ colorScheme: "dark" });
  await visit.open();
  await visit.cell("a2").click();
  await visit.picture("dark");
});

// The address that carries rules and a position.
function addressOf(state) {
  return `${address}#1${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;
}

test("a long move is clicked step by step", async (visit) => {
  const begin = "{ to_move: Black, cells: { c3: b, d4: w, f6: w, h2: w } }";
  await visit.open(addressOf({ text: "extends: englishdraughts\n", begin }));
  await visit.cell("c3").click();
  await visit.picture("long-move");
  await visit.move("e5", "g7");
  same((await visit.moves()).length, 1, "moves");
});

test("where several moves are meant they are buttons", async (visit) => {
  await visit.open(addressOf({ text: "extends: chess\n", begin: "{ to_move: White, cells: { e7: P, a1: K, h6: k } }" }));
  await visit.cell("e7").click();
  await visit.cell("e8").click();
  await visit.page.locator(".choices button").first().waitFor();
  same(await visit.page.locator(".choices button").count(), 4, "pieces to become");
  await visit.picture("choices");
  await visit.page.locator(".choices button").first().click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
});

test("on a phone", async (visit) => {
  await visit.open();
  await visit.picture("phone-game");
  await visit.cell("a2").tap();
  await visit.cell("a3").tap();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
  await visit.page.getByRole("button", { name: "Rules", exact: true }).tap();
  await visit.picture("phone-rules");
  await visit.page.getByRole("button", { name: "Library" }).tap();
  await visit.page.locator(".card").first().waitFor();
  await visit.picture("phone-library");
  const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= 390, `nothing is wider than the screen: ${wide}`);
}, "phone");

test("a tool for accessibility finds nothing", async (visit) => {
  await visit.open();
  await visit.page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
  const look = async (what) => {
    const found = await visit.page.evaluate(() => window.axe.run());
    same(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3)}`), [], what);
  };
  await look("at first");
  await visit.page.getByRole("button", { name: "Play random games" }).click();
  await visit.page.locator(".charts table").waitFor();
  await visit.page.getByRole("button", { name: "Stop", exact: true }).click();
  await visit.cell("a2").click();
  await visit.cell("a5").click();
  await visit.page.locator(".why").waitFor();
  await look("with charts and a refused move");
  await visit.page.getByRole("button", { name: "Library" }).click();
  await visit.page.locator(".card").first().waitFor();
  await look("with the library");
  await visit.page.keyboard.press("Escape");
  await visit.page.locator(".covered p").waitFor({ timeout: 60000 }); // after random games by itself
  await look("with what comes into play");
  await visit.page.getByRole("button", { name: "Set up", exact: true }).click();
  await visit.page.locator(".tools").waitFor();
  await look("while a position is set up");
});

let failed = 0;
for (const { name, run, device } of tests) {
  const context = await browser.newContext(options[device]);
  const visit = new Visit(await context.newPage());
  try {
    await run(visit, context);
    same(visit.problems, [], "problems told by the page");
    console.log(`ok      ${name}`);
  } catch (problem) {
    ++failed;
    console.log(`FAILED  ${name}\n        ${problem.message.split("\n").slice(0, 4).join("\n        ")} ${visit.problems.join(" | ")}`);
    await visit.picture(`failed-${tests.findIndex((one) => one.name === name)}`).catch(() => {});
  }
  await context.close();
}
await browser.close();
server.close();
console.log(`${tests.length - failed} of ${tests.length} passed`);
process.exitCode = failed > 0 ? 1 : 0;
