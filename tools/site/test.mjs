// node test.mjs MODULES SITE PICTURES [PATTERN]: tries the site of pages in a browser, below an address of its own.
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { browserOf, check, same, serveFiles } from "../studio/trying.mjs";

const [modules, site, pictures, pattern = ""] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const below = "/some/where/";

const server = await serveFiles(site, below);
const { address } = server;
const host = new URL(address).origin;
const browser = await browserOf(modules);
mkdirSync(pictures, { recursive: true });

class Visit {
  constructor(page) {
    this.page = page;
    this.problems = [];
    page.on("pageerror", (problem) => this.problems.push(String(problem)));
    page.on("console", (message) => message.type() === "error" && this.problems.push(message.text()));
    page.on("request", (request) => /^https?:/.test(request.url()) && !request.url().startsWith(address) && this.problems.push(`asks for ${request.url()}`));
  }
  async open(name = "") {
    await this.page.goto(address + name);
    await this.page.waitForFunction(() => document.querySelector("#app")?.__vue_app__, null, { timeout: 60000 });
  }
  // The board of an example or of a game, once its player is there.
  async played(board) {
    await board.getByRole("button", { name: "Play it here" }).click();
    const frame = board.locator("iframe").contentFrame();
    await frame.locator("body[data-ready=true]").waitFor({ timeout: 60000 });
    return frame;
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

// What a page links to, and what can be linked to in it.
function partsOf(name) {
  const text = readFileSync(join(site, name), "utf8").replace(/<(script|pre)\b[\s\S]*?<\/\1>/g, "");
  const all = (attribute) => [...text.matchAll(new RegExp(`<\\w[^>]*\\s${attribute}="([^"]*)"`, "g"))].map((match) => match[1].replaceAll("&amp;", "&"));
  return { links: [...all("href"), ...all("src")], anchors: new Set(all("id")) };
}

test("links of all pages lead somewhere", async () => {
  const pages = new Map(readdirSync(site).filter((file) => file.endsWith(".html")).map((name) => [name, partsOf(name)]));
  check(pages.size > 200, `pages: ${pages.size}`);
  const wrong = [];
  for (const [name, { links }] of pages)
    for (const link of links) {
      if (/^(data|https?):/.test(link)) continue;
      const [path, anchor] = link.split("#");
      const file = path === "" ? name : posix.normalize(path === "./" ? "index.html" : path);
      const there = !path.startsWith("/") && !file.startsWith("..") && existsSync(join(site, decodeURIComponent(file)));
      if (!there || (anchor && pages.has(file) && !pages.get(file).anchors.has(decodeURIComponent(anchor)))) wrong.push(`${name}: ${link}`);
    }
  same(wrong.slice(0, 20), [], `links that lead nowhere, ${wrong.length} in all`);
});

test("the first page's example is played on it, and opened in the studio", async (visit) => {
  await visit.open();
  await visit.picture("first");
  const board = visit.page.locator(".live-board");
  const frame = await visit.played(board);
  await frame.locator('.cell[data-name="a2"]').click();
  await frame.locator('.cell[data-name="a3"]').click();
  await frame.locator(".moves li").first().waitFor();
  same((await frame.locator(".moves li").allTextContents())[0], "a2-a3", "the first move"); // the machine answers it
  await visit.picture("played");
  await board.getByRole("link", { name: "Open in the studio" }).click();
  await visit.page.waitForSelector("body[data-ready=true]", { timeout: 60000 });
  same(await visit.page.locator(".game-title").textContent(), "Breakthrough", "the game");
  check(new URL(visit.page.url()).pathname === `${below}studio/index.html`, visit.page.url());
});

test("links are right after others were followed, wherever the site lies", async (visit) => {
  await visit.open("tutorial.html");
  await visit.page.locator("header").getByRole("link", { name: "Recipes" }).click();
  await visit.page.waitForURL(`${address}recipes.html`);
  await visit.page.locator(".vp-doc").getByRole("link", { name: "make a piece that hops over another" }).click();
  await visit.page.waitForURL(`${address}recipes-moving.html#how-do-i-make-a-piece-that-hops-over-another`);
  await visit.page.locator(".vp-doc h1", { hasText: "Moving" }).waitFor();
  await visit.page.locator("header").getByRole("link", { name: "Games" }).click();
  await visit.page.waitForURL(`${address}games.html`);
  await visit.page.locator(".cards").getByRole("link", { name: /^Hex\b/ }).first().click();
  await visit.page.waitForURL(`${address}rules-hex.html`);
  await visit.page.reload();
  await visit.page.locator("header").getByRole("link", { name: "Boardwright" }).first().click();
  await visit.page.waitForURL((url) => [below, `${below}index.html`].includes(url.pathname));
});

test("an example begins with the position that it is about", async (visit) => {
  await visit.open("recipes-moving.html");
  const frame = await visit.played(visit.page.locator(".live-board").first());
  same(await frame.locator(".status").textContent(), "White to move", "status");
  check((await frame.locator('.cell[data-name="c3"]').getAttribute("aria-label")).includes("knight"), "the knight of the example");
});

test("words are found", async (visit) => {
  await visit.open();
  await visit.page.locator("#local-search button").first().click();
  await visit.page.locator("#localsearch-input").fill("castling");
  await visit.page.locator(".VPLocalSearchBox .result").first().waitFor({ timeout: 60000 });
  await visit.picture("search");
  const wanted = await visit.page.locator(".VPLocalSearchBox .result").first().getAttribute("href");
  check(wanted.startsWith(below), `a result leads to ${wanted}`);
  await visit.page.locator(".VPLocalSearchBox .result").first().click();
  await visit.page.waitForURL((url) => wanted.startsWith(url.pathname));
  check((await visit.page.locator(".vp-doc").textContent()).toLowerCase().includes("castling"), "the page has the word");
});

test("the rules of a game have pictures, a board and their file", async (visit) => {
  await visit.open("rules-chess.html");
  same(await visit.page.locator("h1").first().textContent().then((text) => text.replace(/\W+$/, "")), "Chess", "title");
  check((await visit.page.locator(".rules .kind img").count()) >= 6, "a picture of each kind");
  await visit.page.waitForFunction(() => document.querySelector(".live-board img").naturalWidth > 0);
  await visit.picture("rules");
  await visit.page.getByText(/^\d+ lines$/).click();
  check((await visit.page.locator("details .shiki").textContent()).includes("game: Chess"), "the rule file");
  const frame = await visit.played(visit.page.locator(".live-board"));
  same(await frame.locator(".cell").count(), 64, "cells");
});

test("every game of the library has its page, and its picture is there", async () => {
  const games = JSON.parse(readFileSync(join(site, "studio/library.json"), "utf8"));
  const library = readFileSync(join(site, "games.html"), "utf8");
  for (const { name } of games) {
    check(existsSync(join(site, `rules-${name}.html`)), `the rules of ${name}`);
    check(readFileSync(join(site, `pictures/${name}-0.svg`), "utf8").startsWith("<svg"), `the picture of ${name}`);
    check(library.includes(`"./rules-${name}.html"`), `${name} in the library`);
  }
});

test("in the dark", async (visit) => {
  await visit.page.emulateMedia({ colorScheme: "dark" });
  await visit.open("games.html");
  check(await visit.page.evaluate(() => document.documentElement.classList.contains("dark")), "it is dark");
  await visit.picture("dark-games");
  await visit.open("recipes-moving.html");
  await visit.picture("dark-recipes");
});

test("on a phone", async (visit) => {
  for (const name of ["", "tutorial.html", "recipes-moving.html", "reference-values.html", "commands.html", "games.html", "rules-chess.html"]) {
    await visit.open(name);
    const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 390, `${name} is wider than the screen: ${wide}`);
    await visit.picture(`phone-${name.replace(".html", "") || "first"}`);
  }
  await visit.page.getByRole("button", { name: "mobile navigation" }).tap();
  await visit.page.locator(".VPNavScreen").getByRole("link", { name: "Games" }).waitFor();
}, "phone");

for (const colours of ["light", "dark"])
  test(`a tool for accessibility finds nothing, ${colours}`, async (visit) => {
    await visit.page.emulateMedia({ colorScheme: colours });
    for (const name of ["", "tutorial.html", "recipes.html", "recipes-moving.html", "reference-values.html", "errors.html", "commands.html", "games.html", "rules-chess.html", "words-std.html"]) {
      await visit.open(name);
      await visit.page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
      const found = await visit.page.evaluate(() => window.axe.run());
      same(found.violations.map((one) => `${one.id}: ${one.nodes.length} ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3)}`), [], name);
    }
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
