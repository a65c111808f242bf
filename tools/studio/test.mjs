// node test.mjs MODULES SITE PICTURES [PATTERN]: tries the site in a browser, as a person would.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { browserOf, check, same, serveFiles } from "./trying.mjs";

const [modules, site, pictures, pattern = ""] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");

const server = await serveFiles(site);
const { address } = server;
const browser = await browserOf(modules);
mkdirSync(pictures, { recursive: true });

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
// Where a test doesn't want the machine to answer, people play both sides.
const alone = () => {
  try {
    if (!localStorage.getItem("boardwright-opponent")) localStorage.setItem("boardwright-opponent", "person");
  } catch {
    // pages that keep nothing
  }
};
const options = { desktop: { viewport: { width: 1280, height: 800 } }, phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } };
function test(name, run, device = "desktop", { answers = false } = {}) {
  if (name.includes(pattern)) tests.push({ name, run, device, answers });
}

const breakthrough = readFileSync(join(here, "../../game-defs/races/breakthrough.yaml"), "utf8");

test("the page is ready, and its first game can be played by clicks", async (visit) => {
  await visit.open();
  same(await visit.status(), "White to move", "status");
  await visit.move("a2", "a3");
  await visit.move("b7", "b6");
  same(await visit.moves(), ["a2-a3", "b7-b6"], "moves");
  await visit.page.getByRole("button", { name: "Undo" }).click();
  await visit.waitFor(() => document.querySelector(".ply[aria-current]").textContent === "a2-a3");
  same(await visit.status(), "Black to move", "status");
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
  await visit.page.getByLabel("White is").selectOption("level:3");
  await visit.page.getByLabel("Thinks for").selectOption("0.3");
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
    // Where something is hidden the board may wait for its player, when all has been dealt.
    await visit.waitFor(() => document.querySelector(".cell, .handover:not([hidden]) button"));
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

// --- nothing is lost

const press = (visit, name) => visit.page.getByRole("button", { name, exact: true }).click();
// What a person would miss: the rules, the moves, where the game is, who plays, the options.
const session = (visit) =>
  visit.page.evaluate(() => ({
    text: document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".cm-content").innerText,
    moves: [...document.querySelectorAll(".moves .ply")].map((one) => one.textContent),
    here: document.querySelector(".ply[aria-current]")?.textContent ?? null,
    seats: [...document.querySelectorAll(".seats select")].map((one) => one.value),
  }));
// The database has all of it.
const keptIs = (visit) => visit.waitFor(() => document.body.dataset.kept && !document.body.dataset.unkept);

test("a session of fifty steps with a reload after each loses nothing", async (visit) => {
  await visit.open();
  const { page } = visit;
  const steps = [];
  for (let i = 0; i < 10; ++i) {
    steps.push(async () => {
      const source = page.locator(".cell.source").first();
      await source.click();
      await page.locator(".cell.target").first().click();
    });
    steps.push(async () => {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(`\n# note ${i}`);
    });
    steps.push(() => page.getByRole("button", { name: "Undo" }).click());
    steps.push(async () => {
      // rules with an error, or mended again
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type(i % 2 === 0 ? "oops" : "");
      if (i % 2 === 1) for (let n = 0; n < 4; ++n) await page.keyboard.press("Delete");
    });
    steps.push(() => (i % 2 === 0 ? page.getByRole("button", { name: "Flip" }).click() : page.getByLabel("columns").selectOption(i % 4 === 1 ? "7" : "8")));
  }
  let step = 0;
  for (const act of steps) {
    await act();
    // Moves wait for the engine; nothing waits for the database.
    await visit.waitFor(() => document.body.dataset.loaded !== "waiting");
    await page.waitForTimeout(30);
    const before = await session(visit);
    await page.reload();
    await visit.ready();
    const after = await session(visit);
    ++step;
    for (const part of Object.keys(before)) same(after[part], before[part], `${part} after step ${step}`);
  }
  same(step, 50, "steps");
  await visit.picture("fifty");
});

test("the browser's process is killed, and nothing is lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "boardwright-browser-"));
  const launch = async () => {
    const child = spawn(process.env.CHROMIUM ?? "/usr/bin/chromium", ["--headless=new", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"], { stdio: ["ignore", "ignore", "pipe"], detached: true });
    const endpoint = await new Promise((resolve) => child.stderr.on("data", (data) => /ws:\S+/.test(String(data)) && resolve(/ws:\S+/.exec(String(data))[0])));
    const there = await chromium.connectOverCDP(endpoint);
    const page = await there.contexts()[0].newPage();
    await page.setViewportSize(options.desktop.viewport);
    return { child, visit: new Visit(page), there };
  };
  let before = null;
  let url = "";
  {
    const { child, visit } = await launch();
    await visit.open();
    await visit.page.getByLabel("Black is").selectOption("person");
    await visit.move("a2", "a3");
    await visit.page.locator(".cm-content").click();
    await visit.page.keyboard.press("Control+End");
    await visit.page.keyboard.type("\n# the last word");
    await keptIs(visit);
    before = await session(visit);
    url = visit.page.url();
    process.kill(-child.pid, "SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  }
  const { child, visit, there } = await launch();
  try {
    check(url.includes("#mine="), url);
    await visit.open();
    check((await visit.page.locator("#notice").textContent()).includes("as you left it"), "it is told");
    same(await session(visit), before, "after the kill");
    await visit.open(`${address}?again#${new URL(url).hash.slice(1)}`);
    same(await session(visit), before, "by its address");
  } finally {
    await there.close();
    process.kill(-child.pid, "SIGKILL");
  }
});

test("another game doesn't replace one's own, and My games has both", async (visit) => {
  await visit.open();
  await visit.write(breakthrough.replace("game: Breakthrough", "game: Mine"));
  await visit.told("in order");
  await visit.page.evaluate(() => (location.hash = "#game=hex"));
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "Hex");
  check((await visit.page.locator("#notice").textContent()).includes("Mine is kept in My games"), "it is told");
  await visit.picture("set-aside");
  await visit.move("f6");
  await press(visit, "My games");
  await visit.page.locator(".shelf li").nth(1).waitFor();
  same(await visit.page.locator(".shelf strong").allTextContents(), ["Hex", "Mine"], "my games");
  await visit.page.waitForTimeout(200);
  await visit.picture("my-games");
  const [download] = await Promise.all([visit.page.waitForEvent("download"), press(visit, "Export all")]);
  const file = join(pictures, "my-games.json");
  await download.saveAs(file);
  await visit.page.getByRole("button", { name: "delete Mine" }).click();
  await visit.waitFor(() => document.querySelectorAll(".shelf li[data-id] .shelf-open").length === 1);
  await press(visit, "Undo the deletion");
  await visit.waitFor(() => document.querySelectorAll(".shelf li[data-id] .shelf-open").length === 2);
  await visit.page.getByRole("button", { name: "delete Mine" }).click();
  await visit.waitFor(() => document.querySelectorAll(".shelf li[data-id] .shelf-open").length === 1);
  await visit.page.getByLabel("a file of games").setInputFiles(file);
  await visit.waitFor(() => document.querySelectorAll(".shelf li[data-id] .shelf-open").length === 2);
  await visit.page.getByRole("button", { name: /^Mine/ }).click();
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "Mine");
});

test("earlier versions of the rules are gone back to", async (visit) => {
  await visit.page.clock.install();
  await visit.open();
  await visit.write(breakthrough.replace("game: Breakthrough", "game: First"));
  await visit.told("in order");
  await visit.page.clock.fastForward("05:00");
  await visit.write(breakthrough.replace("game: Breakthrough", "game: Second"));
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "Second");
  await press(visit, "My games");
  await press(visit, "Versions");
  await visit.page.locator(".version").first().waitFor();
  check((await visit.page.locator(".version").first().textContent()).includes("1 line differs"), "it tells how it differs");
  await visit.picture("versions");
  await visit.page.getByRole("button", { name: "Go back to it" }).first().click();
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "First");
  await press(visit, "My games");
  await press(visit, "Versions");
  await visit.page.locator(".version").nth(1).waitFor();
});

test("two tabs with one game: it is told, and each change is kept", async (visit, context) => {
  await visit.open();
  await visit.move("a2", "a3");
  await keptIs(visit);
  const other = new Visit(await context.newPage());
  await other.open(visit.page.url());
  await other.page.locator("#notice").filter({ hasText: "open in another tab" }).waitFor();
  await other.move("b7", "b6");
  await visit.page.locator("#notice").filter({ hasText: "changed in another tab" }).waitFor();
  await visit.picture("two-tabs");
  await visit.move("c7", "c6");
  await visit.page.locator("#notice").filter({ hasText: "a copy of its own" }).waitFor();
  check(visit.page.url() !== other.page.url(), "they are two games now");
  await keptIs(visit);
  for (const [tab, last] of [[visit, "c7-c6"], [other, "b7-b6"]]) {
    await tab.page.reload();
    await tab.ready();
    same(await tab.moves(), ["a2-a3", last], "moves");
  }
});

test("a browser that keeps nothing says so", async (visit) => {
  await visit.page.addInitScript(() => Object.defineProperty(window, "indexedDB", { get: () => ({ open: () => { throw new Error("no"); } }) }));
  await visit.open();
  check((await visit.page.locator("#notice").textContent()).includes("keeps nothing"), "it is told");
  await visit.move("a2", "a3");
});

test("new rules begin with a template", async (visit) => {
  await visit.open();
  await press(visit, "New");
  await visit.page.locator(".template").first().waitFor();
  await visit.picture("templates");
  await visit.page.getByRole("button", { name: /^rows/ }).click();
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "My game");
  await keptIs(visit);
  await visit.page.reload();
  await visit.ready();
  same(await visit.page.locator(".game-title").textContent(), "My game", "title");
});

// --- the board teaches

test("a first visit: the machine answers, and the board tells how to play", async (visit) => {
  await visit.open();
  await visit.page.locator(".teacher[data-told]").waitFor({ timeout: 60000 });
  const teacher = await visit.page.locator(".teacher").textContent();
  for (const words of ["Aim", "Pieces", "The end", "lose"]) check(teacher.includes(words), `${words}: ${teacher}`);
  await visit.picture("first-visit");
  const inSight = (what) => visit.page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().bottom <= innerHeight, what);
  for (const what of [".seats", ".moves", ".teacher"]) check(await inSight(what), `${what} is in sight`);
  check((await visit.page.getByLabel("Black is").evaluate((select) => select.selectedOptions[0].textContent)).startsWith("Beginner"), "against a beginner");
  await visit.cell("a2").click();
  await visit.cell("a3").click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 2);
  await visit.page.getByRole("button", { name: /^Show moves of the/ }).first().click();
  check(await visit.page.locator(".kind-shown svg").first().isVisible(), "its moves are shown");
  await visit.picture("taught");
}, "desktop", { answers: true });

// --- moves by hand

// Clicks on, by cells and by what is offered, until a move is made; answers the most that was offered at once.
async function byHand(visit, name, most = 8) {
  const { page } = visit;
  const before = (await visit.moves()).length;
  let offered = 0;
  for (let i = 0; i < most && (await visit.moves()).length === before; ++i) {
    const choices = await page.locator(".choice").count();
    offered = Math.max(offered, choices);
    if (choices > 0) {
      await page.waitForTimeout(600);
      await visit.picture(`${name}-${i}`);
      await page.locator(".choice").first().click();
    } else if (await page.locator(".cell.target").count()) await page.locator(".cell.target").last().click();
    else await page.locator(".cell.source").first().click();
    await page.waitForTimeout(600);
  }
  check((await visit.moves()).length > before, `${name}: a move is made`);
  check(offered <= 12, `${name}: ${offered} choices at once`);
  return offered;
}

test("moves of many parts are made by clicks alone, with pictures of what is left to choose", async (visit) => {
  await visit.open(`${address}#game=blokus`);
  await byHand(visit, "blokus");
  await visit.page.evaluate(() => (location.hash = "#game=scalus"));
  await visit.waitFor(() => document.querySelector(".game-title").textContent === "Scalus");
  await byHand(visit, "scalus");
  await visit.page.evaluate(() => (location.hash = "#game=amazons"));
  await visit.waitFor(() => document.querySelector(".game-title").textContent.includes("Amazons"));
  await byHand(visit, "amazons");
});

test("of a move whose cells weren't all clicked the board shows what it does before it is made", async (visit) => {
  const begin = "{ to_move: Black, cells: { c3: b, d4: w, f6: w, h2: w } }";
  await visit.open(addressOf({ text: "extends: englishdraughts\n", begin }));
  await visit.cell("e5").click(); // the middle of the way: a cell that no move begins with is refused
  same((await visit.moves()).length, 0, "moves");
  await visit.cell("c3").click();
  await visit.cell("g7").click();
  await visit.page.locator(".previewed svg").waitFor();
  same((await visit.moves()).length, 0, "moves");
  await visit.picture("previewed");
  await press(visit, "Not this one");
  same(await visit.page.locator(".previewed").count(), 0, "the preview");
  await visit.cell("c3").click();
  await visit.cell("g7").click();
  await visit.page.locator(".previewed svg").waitFor();
  await visit.cell("g7").click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
});

// --- games with dice

test("dice are rolled and shown, by the program or by hand, and a link holds them", async (visit, context) => {
  await visit.open(`${address}#game=pig`);
  await visit.page.locator(".choice", { hasText: "roll" }).click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 2);
  check(/rolled \(\d\)/.test(await visit.status()), await visit.status());
  await visit.picture("rolled");
  await visit.page.getByLabel("Dice").selectOption("yes");
  await visit.page.locator(".choice", { hasText: "roll" }).click();
  await visit.page.locator(".choice").nth(5).waitFor();
  same(await visit.page.locator(".choice").allTextContents(), ["(1)", "(2)", "(3)", "(4)", "(5)", "(6)"], "what a die may show");
  await visit.page.locator(".choice", { hasText: "(5)" }).click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 4);
  const moves = await visit.moves();
  await press(visit, "Share link");
  await visit.told("link");
  const other = new Visit(await context.newPage());
  await other.open(visit.page.url());
  same(await other.moves(), moves, "moves");
  same(other.problems, [], "problems");
});

test("a game of dice is played against the machine", async (visit) => {
  await visit.open(`${address}#game=einstein`);
  await visit.page.getByLabel("Blue is").selectOption("level:1");
  await visit.page.getByLabel("Thinks for").selectOption("0.3");
  for (let turn = 0; turn < 3; ++turn) {
    await visit.page.locator(".cell.source").first().waitFor();
    await visit.page.locator(".cell.source").first().click();
    await visit.page.locator(".cell.target").first().click();
    await visit.waitFor((count) => document.querySelectorAll(".moves li").length >= count || document.querySelector(".status.over"), 4 * (turn + 1));
    if (await visit.page.locator(".status.over").count()) break;
  }
  await visit.picture("einstein");
});

// --- through the game

test("one goes back and forth by keys and on the list, and tries something else", async (visit) => {
  await visit.open();
  await visit.move("a2", "a3");
  await visit.move("a7", "a6");
  await visit.move("b2", "b3");
  const here = (move) => visit.waitFor((wanted) => (document.querySelector(".ply[aria-current]")?.textContent ?? "") === wanted, move);
  await visit.page.locator(".moves").focus();
  await visit.page.keyboard.press("ArrowLeft");
  await here("a7-a6");
  await visit.page.keyboard.press("Home");
  await here("");
  await visit.page.keyboard.press("ArrowRight");
  await here("a2-a3");
  await visit.cell("h7").click();
  await visit.cell("h6").click();
  await here("h7-h6");
  same(await visit.page.locator(".variation .ply").allTextContents(), ["h7-h6"], "what was tried");
  await visit.picture("variation");
  await visit.page.locator(".ply", { hasText: "b2-b3" }).click();
  await here("b2-b3");
  await press(visit, "Undo");
  await here("a7-a6");
  await press(visit, "Redo");
  await here("b2-b3");
  await press(visit, "Hint");
  await visit.page.locator(".overlay .arrow").waitFor();
  await visit.picture("hint");
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
  await visit.page.locator(".teacher[data-told]").waitFor({ timeout: 60000 });
  await visit.page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
  const look = async (what) => {
    const found = await visit.page.evaluate(() => window.axe.run());
    same(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3)}`), [], what);
  };
  await look("at first");
  await visit.page.getByRole("button", { name: "Play random games" }).click();
  await visit.page.locator(".charts table").waitFor();
  await visit.page.getByRole("button", { name: "Stop", exact: true }).click();
  await visit.page.locator(".covered p").waitFor({ timeout: 60000 }); // after random games by itself: nothing changes any more
  await visit.cell("a2").click();
  await visit.cell("a5").click();
  await visit.page.locator(".why").waitFor();
  await look("with charts and a refused move");
  await visit.page.getByRole("button", { name: "Library" }).click();
  await visit.page.locator(".card").first().waitFor();
  await look("with the library");
  await visit.page.keyboard.press("Escape");
  await look("with what comes into play");
  await visit.page.getByRole("button", { name: "Set up", exact: true }).click();
  await visit.page.locator(".tools").waitFor();
  await look("while a position is set up");
  await press(visit, "Back to the game");
  await visit.move("a2", "a3");
  await press(visit, "My games");
  await visit.page.locator(".shelf li").first().waitFor();
  await look("with my games");
});

const handedTo = (visit, player) => visit.waitFor((name) => document.querySelector(".handover:not([hidden]) button")?.textContent.includes(`${name} is looking`), player);
const holds = (visit, cell) => visit.cell(cell).getAttribute("aria-label");

test("two people hand over the screen of a game that hides something", async (visit, context) => {
  await visit.open(`${address}#game=phantom_tictactoe`);
  const take = visit.page.locator(".handover button");
  await handedTo(visit, "X");
  same(await visit.page.locator(".board .cell").count(), 0, "cells that nobody may see yet");
  await take.click();
  await visit.move("b2");
  await handedTo(visit, "O");
  same(await visit.page.locator(".board .cell").count(), 0, "cells between the two");
  same(await visit.moves(), ["?"], "moves between the two");
  await visit.picture("handover");
  await take.click();
  await visit.cell("b2").waitFor();
  check((await holds(visit, "b2")).includes("unseen"), "the second player sees nothing there");
  same(await visit.moves(), ["?"], "moves as he reads them");
  await visit.move("b2"); // it is taken: now he knows, and tries another one
  check((await holds(visit, "b2")).includes("X mark"), "what he has found is shown");
  await visit.move("a1");
  await handedTo(visit, "X");
  await take.click();
  await visit.cell("a1").waitFor();
  check((await holds(visit, "a1")).includes("unseen"), "the first player doesn't see where it was");
  same(await visit.moves(), ["b2", "?", "?"], "moves as the first player reads them");
  await visit.page.getByLabel("a move", { exact: true }).fill("b2");
  await press(visit, "Why?");
  await visit.waitFor(() => document.querySelector(".why").textContent.includes("when the game is over"));
  await press(visit, "Share link");
  await visit.told("the rules alone");
  const other = new Visit(await context.newPage());
  await other.open(visit.page.url());
  same(await other.moves(), [], "moves in the link");
  check((await other.page.locator(".game-title").textContent()).includes("Phantom"), "the rules are in the link");
  same(other.problems, [], "problems");
});

test("in the end all that was hidden is open, and a link carries it", async (visit, context) => {
  const moves = ["<a1>", "<b1>", "<a2>", "<b2>"];
  const text = await (await visit.open(`${address}#game=phantom_tictactoe`), visit.text());
  await visit.open(addressOf({ text, moves }));
  await visit.page.reload();
  await visit.ready();
  await handedTo(visit, "X");
  await visit.page.locator(".handover button").click();
  await visit.move("a3");
  same(await visit.moves(), [...moves, "<a3>"], "moves as they were");
  check((await holds(visit, "b1")).includes("O mark"), "the other's marks are shown");
  await press(visit, "to the beginning");
  await visit.waitFor(() => document.querySelectorAll(".ply[aria-current]").length === 0);
  same(await visit.page.locator(".board .cell").count(), 9, "cells, also before the end");
  await press(visit, "Share link");
  await visit.told("link");
  const link = visit.page.url();
  const other = new Visit(await context.newPage());
  await other.open(link);
  same(other.problems, [], "problems");
});

test("against the machine a person sees what is his", async (visit) => {
  await visit.open(`${address}#game=phantom_tictactoe`);
  await visit.page.getByLabel("Thinks for").selectOption("0.3");
  await visit.cell("b2").click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length > 1 && document.querySelector(".status").textContent === "X to move");
  check((await visit.moves()).slice(1).every((move) => move === "?"), "its moves are not told");
  same(await visit.page.locator(".thought").textContent(), "", "what it thinks");
  check((await holds(visit, "a1")).includes("unseen"), "its marks are not shown");
  check((await holds(visit, "b2")).includes("X mark"), "one's own are");
  await press(visit, "Set up");
  await visit.page.locator(".tools").waitFor();
  check((await holds(visit, "b2")).includes("empty"), "a position is set up from the beginning");
  await press(visit, "Back to the game");
  await visit.waitFor(() => document.querySelector('.cell[data-name="b2"]')?.getAttribute("aria-label").includes("X mark"));
  await visit.picture("hidden");
}, "desktop", { answers: true });

test("cards are drawn for their player alone", async (visit) => {
  await visit.open(`${address}#game=kuhn`);
  await handedTo(visit, "First");
  same(await visit.moves(), ["?", "?"], "cards that were drawn");
  await visit.page.locator(".handover button").click();
  await visit.waitFor(() => /^\([123]\)$/.test(document.querySelector(".moves li").textContent));
  same((await visit.moves())[1], "?", "the other's card");
  same(await visit.page.getByLabel("Dice").count(), 0, "choices of who rolls");
});

// The moves that the browser keeps of the game in the page: also those that nobody may see yet.
const keptMoves = (visit) =>
  visit.page.evaluate(async () => {
    const database = await new Promise((resolve) => (indexedDB.open("boardwright-studio").onsuccess = (event) => resolve(event.target.result)));
    const games = await new Promise((resolve) => (database.transaction("games").objectStore("games").getAll().onsuccess = (event) => resolve(event.target.result)));
    database.close();
    return games.sort((a, b) => b.changed - a.changed)[0].play.tree.nodes.map(([, move, by]) => ({ move, by }));
  });

// Nothing in the page tells what only somebody else than `viewer` may read: the secret parts of moves, and pieces there.
async function tellsNothing(visit, viewer, piece) {
  await keptIs(visit);
  const { html, labels } = await visit.page.evaluate(() => {
    const game = document.getElementById("game").cloneNode(true);
    game.querySelector(".teacher").remove(); // which may tell how moves are written, as the rules beside it
    return { html: game.outerHTML, labels: [...document.querySelectorAll(".cell")].map((cell) => [cell.dataset.name, cell.getAttribute("aria-label") ?? ""]) };
  });
  const secrets = (await keptMoves(visit)).filter(({ by }) => by !== viewer).flatMap(({ move }) => [...move.matchAll(/<([^<>]+)>/g)].map((found) => found[1]));
  check(secrets.length > 0, "something is secret");
  for (const secret of secrets) {
    check(!html.includes(`&lt;${secret}&gt;`) && !html.includes(`<${secret}>`), `${secret} is in the page`);
    if (piece) check(!labels.some(([name, label]) => name === secret && label.includes(piece)), `${piece} on ${secret} is in the page`);
  }
  return secrets;
}

// Chooses or types the value of an option; answers its field.
async function setOption(visit, name, value) {
  const field = visit.page.locator(".options label").filter({ has: visit.page.locator(`span:text-is("${name}")`) }).locator("select, input");
  if (await field.evaluate((element) => element.tagName === "SELECT")) await field.selectOption(value);
  else await field.fill(value), await field.blur();
  return field;
}

// A stone that is laid, and what is announced of it.
async function lays(visit, cell) {
  await visit.cell(cell).click();
  await visit.page.locator(".choice", { hasText: "stands" }).click();
}

const plays = (visit, who, what) => visit.page.getByLabel(`${who} is`).selectOption(what);
const untilTurnOf = (visit, who) => visit.waitFor((name) => document.querySelector(".status").textContent.startsWith(`${name} to move`) || document.querySelector(".status.over"), who);

test("against the machine nothing of what it has done secretly is in the page, its list, its link or its export", async (visit) => {
  await visit.open(`${address}#game=phantomgo`);
  await plays(visit, "White", "random");
  for (const cell of ["c3", "g7", "c7"]) {
    const before = (await visit.moves()).length;
    await lays(visit, cell);
    await visit.waitFor((count) => document.querySelectorAll(".moves li").length > count + 2, before);
    await untilTurnOf(visit, "Black");
    check((await holds(visit, cell)).includes("Black"), "one's own stone");
    await tellsNothing(visit, 0, "White");
  }
  const moves = await visit.moves();
  await visit.page.reload();
  await visit.ready();
  await untilTurnOf(visit, "Black");
  same(await visit.moves(), moves, "moves after a reload");
  check((await holds(visit, "c3")).includes("Black"), "one's own stones are there at once: nobody else sits here");
  const secrets = await tellsNothing(visit, 0, "White");
  await press(visit, "My games");
  await visit.page.locator(".shelf li").first().waitFor();
  same(await visit.page.locator(".shelf img").count(), 0, "pictures in the list");
  await press(visit, "Close");
  const [download] = await Promise.all([visit.page.waitForEvent("download"), press(visit, "Export page")]);
  const file = join(pictures, "exported-hidden.html");
  await download.saveAs(file);
  const carried = JSON.parse(/<script type="application\/json" id="state">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"))[1]);
  same(carried.moves, undefined, "moves in the exported page");
  await press(visit, "As text");
  await visit.page.locator(".records").filter({ hasText: "would tell what is hidden" }).waitFor();
  same(await visit.page.locator(".records textarea[readonly]").count(), 0, "texts of the game");
  await press(visit, "Close");
  await press(visit, "Share link");
  await visit.told("the rules alone");
  const link = inflateRawSync(Buffer.from(new URL(visit.page.url()).hash.slice(2), "base64url")).toString();
  same(JSON.parse(link).moves, undefined, "moves in the link");
  check(secrets.length >= 3, "the machine has moved");
}, "desktop", { answers: true });

test("the machine goes on when it is another one while it thinks, also where something is hidden", async (visit) => {
  await visit.open(`${address}#game=darkchess`);
  await visit.page.getByLabel("Thinks for").selectOption("10");
  // The second change comes while the engine that was begun anew is reading the rules, sooner or later in it.
  for (const delay of [40, 90, 160, 260, 400]) {
    await visit.page.locator(".cell.source").first().click();
    await visit.page.locator(".cell.target").first().click();
    await visit.waitFor(() => document.querySelector(".status").textContent.includes("is thinking"));
    const before = (await visit.moves()).length;
    await visit.page.evaluate(async (milliseconds) => {
      const seat = [...document.querySelectorAll(".top .seats label")].find((label) => label.textContent.startsWith("Black is")).querySelector("select");
      const sits = (who) => ((seat.value = who), seat.dispatchEvent(new Event("change")));
      sits("level:2");
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      sits("random");
    }, delay);
    await visit.waitFor((count) => document.querySelectorAll(".moves li").length > count && document.querySelector(".status").textContent.startsWith("White to move"), before);
    same(await visit.page.locator(".why:not([hidden])").count(), 0, "complaints");
    await plays(visit, "Black", "level:1");
  }
}, "desktop", { answers: true });

test("another person or machine on a side shows nobody more than he has seen", async (visit) => {
  const shown = () => visit.page.locator(".board .cell").count();
  await visit.open(`${address}#game=phantomgo`);
  await plays(visit, "White", "random");
  await lays(visit, "c3");
  await visit.waitFor(() => document.querySelectorAll(".moves li").length > 3);
  await untilTurnOf(visit, "Black");
  await plays(visit, "White", "person"); // Black sits there still, and it is his turn
  await visit.waitFor(() => document.querySelectorAll(".board .cell").length === 81);
  await tellsNothing(visit, 0, "White");
  await plays(visit, "Black", "random");
  await handedTo(visit, "White");
  same(await shown(), 0, "cells before the second player has come");
  await plays(visit, "White", "level:1");
  const left = visit.page.getByRole("button", { name: "Show all that is hidden, for the rest of the game" });
  await left.waitFor();
  same(await shown(), 0, "cells when nobody plays any more");
  await visit.picture("all-left");
  await left.click();
  await visit.waitFor(() => document.querySelectorAll(".board .cell").length === 81);
  check((await visit.status()).includes("All that was hidden is shown"), await visit.status());
  check((await visit.moves()).some((move) => move.startsWith("<")), "moves as they were");
  await press(visit, "New game");
  await plays(visit, "Black", "person");
  await visit.waitFor(() => document.querySelectorAll(".board .cell").length === 81);
}, "desktop", { answers: true });

test("an option of a game that hides something begins a new one, and asks before", async (visit) => {
  await visit.open(`${address}#game=phantomgo`);
  await plays(visit, "White", "random");
  await lays(visit, "c3");
  await visit.waitFor(() => document.querySelectorAll(".moves li").length > 3);
  await untilTurnOf(visit, "Black");
  const size = await setOption(visit, "size", "7");
  const ask = visit.page.getByRole("button", { name: "Begin a new game with it" });
  await ask.waitFor();
  same(await size.inputValue(), "9", "the option as it is");
  check((await visit.moves()).length > 1, "the game is there");
  await visit.picture("option-asks");
  await ask.click();
  await visit.waitFor(() => document.querySelectorAll(".board .cell").length === 49);
  same(await visit.moves(), [], "moves of the new game");
}, "desktop", { answers: true });

test("a fleet is set up and shot at by two people, with a reload between them", async (visit) => {
  await visit.open(`${address}#game=battleship`);
  const take = visit.page.locator(".handover button");
  await handedTo(visit, await visit.page.evaluate(() => document.querySelector(".handover button").textContent.match(/when (.*) is looking/)[1]));
  await take.click();
  await visit.waitFor(() => document.querySelectorAll(".board .cell").length > 0);
  for (let ship = 0; ship < 6 && !(await take.isVisible()); ++ship) await byHand(visit, "battleship", 12);
  same(await visit.page.locator(".board .cell").count(), 0, "cells between the two");
  await tellsNothing(visit, -1);
  await visit.page.reload();
  await visit.ready();
  await take.waitFor();
  same(await visit.page.locator(".board .cell").count(), 0, "cells after a reload: nobody has taken the screen");
  await tellsNothing(visit, -1);
});

test("a game of cards is played to its end, where all is open, and looked over", async (visit) => {
  await visit.open(`${address}#game=leduc`);
  await plays(visit, "Second", "level:1");
  await visit.page.getByLabel("Thinks for").selectOption("0.3");
  for (let turn = 0; turn < 30 && !(await visit.page.locator(".status.over").count()); ++turn) {
    await visit.waitFor(() => document.querySelector(".status.over") || document.querySelector(".choice"));
    if (await visit.page.locator(".choice").count()) {
      check((await visit.moves())[1] === "?" || (await visit.moves())[0] === "?", `the other's card: ${await visit.moves()}`);
      const before = (await visit.moves()).length;
      await visit.page.locator(".choice").last().click();
      await visit.waitFor((count) => document.querySelectorAll(".moves li").length > count || document.querySelector(".status.over"), before);
    }
  }
  await visit.page.locator(".status.over").waitFor();
  check(!(await visit.moves()).includes("?"), `all moves are told: ${await visit.moves()}`);
  await visit.picture("cards-open");
}, "desktop", { answers: true });

test("a game of dice goes on after a reload in the middle, to its end", async (visit) => {
  await visit.open(`${address}#game=pig`);
  await setOption(visit, "goal", "12");
  const seats = await visit.page.locator(".top .seats label").allTextContents();
  const [me, other] = seats.filter((text) => text.includes(" is")).map((text) => text.slice(0, text.indexOf(" is")));
  await plays(visit, other, "random");
  for (let turn = 0; turn < 80 && !(await visit.page.locator(".status.over").count()); ++turn) {
    await visit.waitFor(() => document.querySelector(".status.over") || document.querySelector(".choice"));
    if (!(await visit.page.locator(".choice").count())) break;
    if (turn === 1) {
      const moves = await visit.moves();
      await keptIs(visit);
      await visit.page.reload();
      await visit.ready();
      await visit.waitFor(() => document.querySelector(".status.over") || document.querySelector(".choice"));
      same((await visit.moves()).slice(0, moves.length), moves, `moves of ${me} after a reload`);
    }
    const before = (await visit.moves()).length;
    const hold = visit.page.locator(".choice", { hasText: "hold" });
    await ((await hold.count()) && turn % 3 === 2 ? hold : visit.page.locator(".choice").first()).click();
    await visit.waitFor((count) => document.querySelectorAll(".moves li").length > count || document.querySelector(".status.over"), before);
  }
  await visit.page.locator(".status.over").waitFor();
  check((await visit.status()).includes("win"), await visit.status());
}, "desktop", { answers: true });

// --- beside the board

test("a game is looked over: what each place is worth, and where something was given away", async (visit) => {
  await visit.open(addressOf({ text: "extends: tictactoe\n", moves: ["b2", "b1", "a1", "c3", "a3", "c1", "b3"].slice(0, 2) }));
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 2);
  await press(visit, "Look over the game");
  await visit.waitFor(() => document.querySelector(".review:not([hidden]) .says")?.textContent.includes("X:") || document.querySelector(".review:not([hidden]) .says")?.textContent.includes("nothing"));
  const told = await visit.page.locator(".review .says").textContent();
  check(told.includes("blunder"), `it is told: ${told}`); // against the middle the edge loses
  check((await visit.page.locator(".ply .grade").allTextContents()).includes("??"), "the move is marked");
  check((await visit.page.locator(".ply").nth(1).getAttribute("title")).includes("better was"), "with a better one");
  check((await visit.page.locator(".worth").getAttribute("aria-label")).includes("%"), "the bar tells who is better");
  await visit.picture("looked-over");
  await keptIs(visit);
  await visit.page.reload();
  await visit.ready();
  check((await visit.page.locator(".ply .grade").allTextContents()).includes("??"), "it is kept");
});

test("a game goes out as a record and as PGN, and comes in", async (visit) => {
  await visit.open(`${address}#game=chess`);
  await visit.move("e2", "e4");
  await visit.move("e7", "e5");
  await press(visit, "As text");
  await visit.page.getByLabel("PGN", { exact: true }).first().waitFor();
  const pgn = await visit.page.locator("textarea[aria-label=PGN]").inputValue();
  check(pgn.includes("1. e4 e5"), pgn);
  const record = await visit.page.locator("textarea[aria-label=Record]").inputValue();
  check(record.includes('[Rules "chess"]') && record.includes("2. Black: e7-e5"), record);
  await visit.picture("as-text");
  const take = async (text) => {
    await visit.page.getByLabel("a game to take in").fill(text);
    await press(visit, "Take it in");
  };
  await take("1. e4 e9");
  await visit.waitFor(() => document.querySelector(".why:not([hidden])")?.textContent.includes("e9"));
  await press(visit, "As text");
  await visit.page.getByLabel("a game to take in").waitFor();
  await take('[Event "?"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3! Nc6 $1 3. Bb5 *');
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 5);
  same(await visit.status(), "Black to move", "whose turn it is");
  await press(visit, "As text");
  await visit.page.getByLabel("a game to take in").waitFor();
  await take(record.replace("e7-e5", "c7-c5"));
  await visit.waitFor(() => document.querySelector(".ply[aria-current]")?.textContent === "c7-c5");
  check((await visit.page.locator(".variation .ply").allTextContents()).includes("e7-e5"), "what was there before stays");
});

test("clocks run for who is to move, and end the game when no time is left", async (visit) => {
  await visit.page.clock.install();
  await visit.open();
  await visit.page.getByLabel("Clock").selectOption("1+0");
  same(await visit.page.locator(".clock").allTextContents(), ["White 1:00", "Black 1:00"], "at first");
  await visit.page.clock.runFor(5000);
  same(await visit.page.locator(".clock").allTextContents(), ["White 1:00", "Black 1:00"], "before anybody has moved");
  await visit.cell("a2").click();
  await visit.cell("a3").click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 1);
  await visit.page.clock.runFor(11000);
  check(/^Black 0:4[89]$/.test((await visit.page.locator(".clock").allTextContents())[1]), `Black's time runs: ${await visit.page.locator(".clock").allTextContents()}`);
  await visit.picture("clocks");
  await visit.page.clock.runFor(60000);
  await visit.waitFor(() => document.querySelector(".status").textContent === "Black has no time left: White wins.");
  await visit.cell("b7").click();
  await visit.cell("b6").click();
  same((await visit.moves()).length, 1, "moves");
  await press(visit, "Play on without clocks");
  await visit.cell("b7").click();
  await visit.cell("b6").click();
  await visit.waitFor(() => document.querySelectorAll(".moves li").length === 2);
});

test("there are no sounds before somebody wants them", async (visit) => {
  await visit.open();
  await visit.move("a2", "a3");
  same(await visit.page.evaluate(() => document.body.dataset.sound), undefined, "sounds");
  await visit.page.getByLabel("Sound").selectOption("on");
  await visit.move("b7", "b6");
  same(await visit.page.evaluate(() => document.body.dataset.sound), "move", "the sound");
  await visit.page.reload();
  await visit.ready();
  same(await visit.page.getByLabel("Sound").inputValue(), "on", "it stays so");
});

test("positions of the tests are there to begin with", async (visit) => {
  await visit.open(`${address}#game=chess`);
  await press(visit, "Set up");
  const premade = visit.page.getByLabel("A position of the tests");
  await premade.waitFor();
  const before = await visit.page.evaluate(() => [...document.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label")).join());
  await premade.selectOption({ index: 1 });
  await visit.waitFor((labels) => [...document.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label")).join() !== labels, before);
  await visit.picture("premade");
  await press(visit, "Play from here");
  await visit.waitFor(() => !document.querySelector(".status").hidden);
});

test("tutorial and reference stand beside the rules, and their examples open in place", async (visit) => {
  await visit.open();
  await visit.move("a2", "a3");
  await press(visit, "How to write rules");
  await visit.page.locator("#manual .page h2, #manual .page h3").first().waitFor();
  await visit.page.getByLabel("search tutorial and reference").fill("dice");
  await visit.waitFor(() => document.querySelector("#manual select").selectedOptions[0].textContent.toLowerCase().includes("dice"));
  await visit.picture("manual");
  await visit.page.getByRole("button", { name: "Try it" }).first().click();
  await visit.waitFor(() => document.querySelector(".game-title").textContent !== "Breakthrough" && document.body.dataset.loaded === "good");
  check((await visit.page.locator("#notice").textContent()).includes("kept in My games"), "what was there is kept");
});

// --- on a phone

const touch = (client, type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
const shownPart = (visit) => visit.page.evaluate(() => document.querySelector(".overlay").getAttribute("viewBox").split(" ").map(Number));

test("two fingers show a part of the board larger, and one moves it", async (visit, context) => {
  await visit.open();
  const client = await context.newCDPSession(visit.page);
  const box = await visit.page.locator(".board").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const whole = await shownPart(visit);
  await touch(client, "touchStart", [[x - 30, y], [x + 30, y]]);
  for (const apart of [45, 60, 90]) await touch(client, "touchMove", [[x - apart, y], [x + apart, y]]);
  await touch(client, "touchEnd", []);
  const part = await shownPart(visit);
  check(Math.abs(whole[2] / part[2] - 3) < 0.3, `three times as large: ${whole[2] / part[2]}`);
  same(await visit.moves(), [], "moves");
  await visit.picture("pinched");
  await touch(client, "touchStart", [[x, y]]);
  for (const way of [20, 60, 100]) await touch(client, "touchMove", [[x, y - way]]);
  await touch(client, "touchEnd", []);
  check((await shownPart(visit))[1] > part[1], "the part moves on");
  await press(visit, "Whole board");
  await visit.waitFor((box) => document.querySelector(".overlay").getAttribute("viewBox") === box, whole.join(" "));
}, "phone");

test("cells that are too small for a finger come closer at the first touch", async (visit) => {
  await visit.open(`${address}#game=quoridor`);
  const whole = await shownPart(visit);
  const box = await visit.page.locator(".board").boundingBox();
  // A groove between two squares: the smallest cells.
  const small = await visit.page.evaluate(() => {
    const areas = [...document.querySelectorAll(".cell.source .area, .cell .area")].map((area) => ({ area, box: area.getBoundingClientRect() }));
    const least = areas.reduce((a, b) => (Math.min(b.box.width, b.box.height) < Math.min(a.box.width, a.box.height) ? b : a));
    return { name: least.area.parentElement.dataset.name, x: least.box.x + least.box.width / 2, y: least.box.y + least.box.height / 2, size: Math.min(least.box.width, least.box.height) };
  });
  check(small.size < 24, `it is small: ${small.size}`);
  check(small.x > box.x && small.y > box.y, "it is on the board");
  await visit.page.touchscreen.tap(small.x, small.y);
  const part = await shownPart(visit);
  check(part[2] < whole[2], "the board is shown closer");
  await visit.picture("magnified");
  const area = await visit.page.locator(`.cell[data-name="${small.name}"] .area`).boundingBox();
  check(Math.min(area.width, area.height) >= 40, `now a finger hits it: ${area.width} by ${area.height}`);
  await visit.page.touchscreen.tap(area.x + area.width / 2, area.y + area.height / 2);
  await visit.waitFor((name) => document.querySelector(`.cell[data-name="${name}"]`).classList.contains("chosen") || document.querySelectorAll(".moves li").length > 0 || !document.querySelector(".why").hidden, small.name);
  same(await shownPart(visit), whole, "the whole board again");
}, "phone");

for (const device of ["desktop", "phone"])
  for (const scheme of ["light", "dark"])
    test(`a tool for accessibility finds nothing: ${device}, ${scheme}`, async (visit) => {
      await visit.page.emulateMedia({ colorScheme: scheme });
      await visit.open();
      await visit.page.locator(".teacher[data-told]").waitFor({ timeout: 60000 });
      await visit.page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
      const look = async (what) => {
        const found = await visit.page.evaluate(() => window.axe.run());
        same(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3)}`), [], what);
        const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(wide <= 0, `${what}: ${wide} pixels wider than the screen`);
      };
      await visit.move("a2", "a3");
      await visit.page.getByLabel("Clock").selectOption("5+0");
      await look("with clocks");
      await press(visit, "Look over the game");
      await visit.waitFor(() => document.querySelector(".review .says").textContent.includes("White:"));
      await look("with a game looked over");
      await press(visit, "As text");
      await visit.page.locator(".records textarea").first().waitFor();
      await look("with the game as text");
      await press(visit, "Close");
      if (device === "phone") await press(visit, "Rules");
      await press(visit, "How to write rules");
      await visit.page.locator("#manual .page p").first().waitFor();
      await look("with the manual");
      await visit.page.evaluate(() => (location.hash = "#game=phantom_tictactoe"));
      await handedTo(visit, "X");
      await visit.page.getByRole("button", { name: "Game", exact: true }).click({ timeout: 1000 }).catch(() => {});
      await look("while the screen is handed over");
    }, device);

let failed = 0;
for (const { name, run, device, answers } of tests) {
  const context = await browser.newContext(options[device]);
  if (!answers) await context.addInitScript(alone);
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
