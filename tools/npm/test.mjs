// node test.mjs MODULES PACKAGE FOLDER PICTURES [PATTERN]: installs the package in an empty folder, and does there what its README
// says. MODULES is the folder in which tools/studio/package.json was installed.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { browserOf, check, same, serveFiles } from "../studio/trying.mjs";

const [modules, archive, folder, pictures, pattern = ""] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

const tests = [];
const test = (name, run) => name.includes(pattern) && tests.push({ name, run });

function installed() {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "tried", private: true, type: "module" }));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return join(folder, "node_modules/boardwright");
}

const place = installed();
const readme = readFileSync(join(place, "README.md"), "utf8");
const blocks = (language) => [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((one) => one[1] === language).map((one) => one[2]);

// `what; // → value` is what the page says that it is.
const checked = (program) =>
  `import assert from "node:assert/strict";\n${program.replace(/^(.*); \/\/ → (.*)$/gm, (_, what, value) => `assert.deepEqual(${what}, ${value});`)}`;

function runNode(name, text) {
  writeFileSync(join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], { cwd: folder, encoding: "utf8", timeout: 900000 });
  check(status === 0, stderr.split("\n").slice(0, 30).join("\n"));
  return stdout;
}

test("the package holds what it needs, and nothing else", () => {
  const { version, license, dependencies } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  const project = readFileSync(join(here, "../../CMakeLists.txt"), "utf8").match(/^project\(boardwright VERSION ([\d.]+)/m)[1];
  same([version, license, dependencies ?? null], [project, "MIT", null], "package.json");
  const files = execFileSync("tar", ["-tf", archive], { encoding: "utf8" }).trim().split("\n").map((name) => name.replace("package/", "")).sort();
  same(files, ["LICENSE", "NOTICES", "README.md", "element.d.ts", "element.js", "engine.wasm", "index.d.ts", "index.js", "package.json", "worker.js"], "files");
  for (const library of ["yaml-cpp", "fmtlib", "boost", "emscripten"]) check(readFileSync(join(place, "NOTICES"), "utf8").includes(library), `NOTICES tells nothing of ${library}`);
  check(!/\]\((?!https?:|#)/.test(readme), "README.md has links that lead out of the package");
});

test("Node does what README.md says", () => {
  const program = blocks("js").join("\n");
  const values = program.match(/; \/\/ → /g).length;
  check(values >= 25, `only ${values} values are told`);
  runNode("readme.js", checked(program));
  // A value that is another one is found.
  writeFileSync(join(folder, "wrong.js"), checked(program.replace('// → "Breakthrough"', '// → "Breakthru"')));
  check(spawnSync(process.execPath, ["wrong.js"], { cwd: folder }).status !== 0, "a wrong value isn't found");
});

test("games are told apart, closed, freed, and the engine is started anew where it has stopped", () => {
  runNode("games.js", readFileSync(join(here, "games_test.js"), "utf8"));
});

test("it works in a thread of its own", () => {
  const text = `import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { start } from "boardwright";
if (isMainThread) new Worker(new URL(import.meta.url)).on("message", (moves) => console.log(moves));
else parentPort.postMessage((await start()).loadGame("breakthrough").rules.newGame().moves().length);`;
  same(runNode("thread.js", text), "22\n", "moves");
});

test("types say what there is", () => {
  const typescript = join(modules, "node_modules/typescript/bin/tsc");
  check(existsSync(typescript), "there is no TypeScript");
  const settings = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable"];
  const begun = 'import { start } from "boardwright";\nconst boardwright = await start();\nconst loaded = boardwright.loadGame("hex");\nconst game = loaded.rules!.newGame();\n';
  const wrong = { number: "game.play(3)", over: "game.outcome.winners", none: "loaded.rules.title", option: 'boardwright.load("", { option: {} })' };
  writeFileSync(join(folder, "right.ts"), readFileSync(join(here, "types_test.ts"), "utf8"));
  for (const [name, text] of Object.entries(wrong)) writeFileSync(join(folder, `${name}.ts`), `${begun}${text};\n`);
  const names = ["right", ...Object.keys(wrong)].map((name) => `${name}.ts`);
  const { stdout } = spawnSync(process.execPath, [typescript, ...settings, ...names], { cwd: folder, encoding: "utf8" });
  const told = new Set([...stdout.matchAll(/^(\w+)\.ts\(/gm)].map((one) => one[1]));
  same([...told].sort(), Object.keys(wrong).sort(), stdout);
});

// --- in a browser

const rulesOf = (program) => program.match(/load\(`\n(.*?)`/s)[1];

async function opened(browser, server, name) {
  const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
  page.setDefaultTimeout(60000);
  const problems = [];
  page.on("pageerror", (problem) => problems.push(String(problem)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => /^https?:/.test(request.url()) && !request.url().startsWith(server.address) && problems.push(`asks for ${request.url()}`));
  await page.goto(server.address + name);
  return { page, problems, cell: (cell, board = 0) => page.locator("boardwright-board").nth(board).locator(`.cell[data-name="${cell}"]`) };
}

test("a page of five lines has a board, on which a person plays and the machine answers", async (browser, server) => {
  const [html] = blocks("html");
  same(html.trimEnd().split("\n").length, 5, "lines");
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "breakthrough.yaml"), rulesOf(blocks("js")[0]));
  const { page, problems, cell } = await opened(browser, server, "");
  await cell("a2").waitFor({ timeout: 60000 });
  same(await page.locator(".status").textContent(), "White to move", "status");
  same(await page.locator(".cell").count(), 64, "cells");
  await page.evaluate(() => {
    window.told = [];
    for (const what of ["move", "end"]) document.addEventListener(`boardwright-${what}`, ({ detail }) => window.told.push(detail));
  });
  await cell("b2").click();
  check(await cell("a3").evaluate((one) => one.classList.contains("target")), "where it can go is marked");
  await cell("a3").click();
  await page.waitForFunction(() => window.told.length === 2, null, { timeout: 60000 });
  const told = await page.evaluate(() => window.told);
  same([told[0].move, told[0].player, told[1].player], ["b2-a3", "White", "Black"], "moves");
  check(JSON.parse(told[1].position).to_move === "White", "the position is told");
  same(await page.locator(".status").textContent(), "White to move", "status");
  await page.screenshot({ path: join(pictures, "page.png") });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelector("boardwright-board").view.played.length === 0);
  await cell("a2").click();
  await cell("a5").click();
  await page.locator(".why").waitFor();
  check((await page.locator(".why").textContent()).includes("not legal"), "a wrong move is explained");
  const [from, to] = [await cell("c2").boundingBox(), await cell("c3").boundingBox()];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(from));
  await page.mouse.down();
  await page.mouse.move(...middle(to), { steps: 6 });
  check(await page.locator(".ghost").count() === 1, "a piece is dragged");
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector("boardwright-board").view.played.length >= 1);
  same(await page.evaluate(() => document.querySelector("boardwright-board").view.played[0]), "c2-c3", "the move that was dragged");
  same(problems, [], "problems");
});

test("a board is set by its attributes, by its text, and by a script", async (browser, server) => {
  const rules = rulesOf(blocks("js")[0]);
  writeFileSync(join(folder, "boards.html"), `<!doctype html>
<script type="module" src="node_modules/boardwright/element.js"></script>
<boardwright-board game="breakthrough" options="columns=5 rows=5" seats="person person" moves="a2-a3 b4-b3" flipped></boardwright-board>
<boardwright-board controls="none" options="size=5" seats="random random"><script type="text/yaml">${rules}</script></boardwright-board>
<boardwright-board seats="person"></boardwright-board>
<boardwright-board game="nothing"></boardwright-board>
<boardwright-board game="tictactoe" position="xx1/oo1/3 c" seats="person person"></boardwright-board>`);
  const { page, cell } = await opened(browser, server, "boards.html");
  await cell("a3").waitFor({ timeout: 60000 });
  same(await page.locator("boardwright-board").nth(0).locator(".cell").count(), 25, "cells");
  const [low, high] = [await cell("a1").boundingBox(), await cell("a5").boundingBox()];
  check(low.y < high.y, "it is seen from the other side");
  await cell("a3").click();
  await cell("b4").click();
  await page.waitForFunction(() => document.querySelector("boardwright-board").view.played.length === 3);
  await page.waitForFunction(() => document.querySelectorAll("boardwright-board")[1].view?.outcome, null, { timeout: 120000 });
  check((await page.locator("boardwright-board").nth(1).locator(".status").textContent()).includes("wins"), "machines play to the end");
  check(await page.locator("boardwright-board").nth(1).locator(".buttons").isHidden(), "no buttons");
  const told = await page.evaluate(
    (text) =>
      new Promise((resolve) => {
        const board = document.querySelectorAll("boardwright-board")[2];
        board.addEventListener("boardwright-error", ({ detail }) => resolve(detail));
        board.text = text;
      }),
    rules.replace("forward", "forwad"),
  );
  same([told.errors[0].code, told.errors[0].line, told.errors[0].endLine], ["unknown-name", 9, 9], "what is wrong");
  check((await page.locator("boardwright-board").nth(2).locator(".why").textContent()).includes("forwad"), "it is shown");
  check((await page.locator("boardwright-board").nth(3).locator(".why").textContent()).includes("nothing"), "a game that is none is told");
  await cell("c3", 4).click();
  await page.waitForFunction(() => document.querySelectorAll("boardwright-board")[4].view?.outcome);
  check((await page.locator("boardwright-board").nth(4).locator(".status").textContent()).includes("Cross wins"), "a game that begins elsewhere is won");
  await page.screenshot({ path: join(pictures, "boards.png"), fullPage: true });
});

test("what is hidden is shown to its player alone, and dice are rolled", async (browser, server) => {
  writeFileSync(join(folder, "hidden.html"), `<!doctype html>
<script type="module" src="node_modules/boardwright/element.js"></script>
<boardwright-board game="phantom_tictactoe" seats="person person"></boardwright-board>
<boardwright-board game="backgammon" seats="person random"></boardwright-board>`);
  const { page, problems, cell } = await opened(browser, server, "hidden.html");
  const hidden = page.locator("boardwright-board").nth(0);
  await hidden.getByRole("button", { name: "Press when X is looking" }).click({ timeout: 60000 });
  await cell("a1").click();
  await hidden.getByRole("button", { name: "Press when O is looking" }).click();
  await cell("a1").waitFor();
  check(!(await cell("a1").getAttribute("aria-label")).includes("X"), "O sees nothing of it");
  await page.waitForFunction(() => /rolled/.test(document.querySelectorAll("boardwright-board")[1].shadowRoot.querySelector(".status").textContent));
  same(problems, [], "problems");
});

test("programs in a page get what Node gets", async (browser, server) => {
  writeFileSync(join(folder, "program.html"), `<!doctype html>
<script type="module">
import { start } from "./node_modules/boardwright/index.js";
const game = (await start()).loadGame("hex", { options: { size: 5 } }).rules.newGame();
window.found = [game.moves().length, game.toMove, game.rules.player("level:2").think(game, { nodes: 200 }).move !== null];
</script>`);
  const { page, problems } = await opened(browser, server, "program.html");
  await page.waitForFunction(() => window.found, null, { timeout: 60000 });
  same((await page.evaluate(() => window.found)).slice(0, 1), [25], "moves");
  same((await page.evaluate(() => window.found))[2], true, "thinks");
  same(problems, [], "problems");
});

mkdirSync(pictures, { recursive: true });
const server = await serveFiles(folder);
const browser = await browserOf(modules);
let failed = 0;
for (const { name, run } of tests) {
  try {
    await run(browser, server);
    console.log(`ok      ${name}`);
  } catch (problem) {
    ++failed;
    console.log(`FAILED  ${name}\n        ${problem.message.split("\n").slice(0, 30).join("\n        ")}`);
  }
}
await browser.close();
server.close();
console.log(`${tests.length - failed} of ${tests.length} passed`);
process.exitCode = failed > 0 ? 1 : 0;
