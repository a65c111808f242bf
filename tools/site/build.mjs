// node build.mjs ROOT PROGRAM STUDIO WORK: writes the sources of the site into WORK/source, has VitePress make a site
// of them, and puts it, with the studio's, into WORK/site. WORK has what package.json names.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Documents } from "./documents.mjs";
import { hashOf } from "./examples.mjs";
import { gamePage, libraryPage } from "./games.mjs";
import { base, makeRelative } from "./relative.mjs";

const [root, program, studio, work] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const source = join(work, "source");
const engineFolder = join(root, "build/studio/engine/tools/studio");

async function startEngine() {
  const makeEngine = createRequire(import.meta.url)(join(engineFolder, "engine.js"));
  const engine = await makeEngine({ wasmBinary: readFileSync(join(engineFolder, "engine.wasm")) });
  return (request) => JSON.parse(engine.ccall("boardwright_ask", "string", ["string"], [JSON.stringify(request)]));
}

function write(name, text) {
  const file = join(source, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const ask = await startEngine();

// An example that the engine doesn't take is an error of this program, or of the page.
function playable(text, begin, what) {
  const answer = ask({ do: "load", name: "game.yaml", text, begin });
  if (!answer.ok) throw new Error(`${what} can't be played:\n${answer.errors ?? answer.error}\n${text}`);
  return answer.kept === "moves" ? begin : "";
}

function wordsPage(name, text) {
  return `# The vocabulary ${name}\n\nThe file as it is; the [reference](./reference-${name === "std" ? "the-standard-vocabulary" : "vocabularies"}.md) describes each entry.\n\n\`\`\`\`boardwright\n${text.trimEnd()}\n\`\`\`\`\n`;
}

function firstPage(documents) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const example = /```yaml\n([\s\S]*?)```/.exec(readme)[1];
  playable(example, "", "README.md: the example");
  ++documents.boards;
  return `---
outline: false
---
# Write the rules of a board game in a file; play it a second later

This is the whole of Breakthrough:

\`\`\`boardwright
${example.trimEnd()}
\`\`\`

<LiveBoard hash="${hashOf({ name: "game.yaml", text: example })}" title="Breakthrough" />

Read the turn aloud: *from a piece of your own, step forward to an empty cell, or step diagonally ahead to a cell that isn't your own; if you are on the last row then, you win.*

- The [tutorial](./tutorial.md) makes a game of your own, step by step.
- The [recipes](./recipes.md) answer "How do I say that …?", each with an example to copy.
- The [reference](./reference.md) tells of every word; [errors and warnings](./errors.md) of every message.
- [All games](./games.md) of the library: their rules in words and pictures, and a board to play each on.
- The <a href="./studio/index.html" target="_self">studio</a> is a page to write rules in and to play them at once, against a friend or the machine. Nothing has to be installed, and nothing you write leaves your browser.
- At the terminal there is more: [the commands](./commands.md).
`;
}

function gamesOf() {
  const told = JSON.parse(readFileSync(join(studio, "library.json"), "utf8"));
  return told.map((game) => {
    const { text } = ask({ do: "source", name: game.name });
    return { ...game, text, lines: text.trimEnd().split("\n").length };
  });
}

rmSync(source, { recursive: true, force: true });
const games = gamesOf();
const words = readdirSync(join(root, "game-defs/std")).map((file) => file.replace(".yaml", ""));
const documents = new Documents(root, { playable, games, words });
documents.add("game-defs/TUTORIAL.md", "tutorial");
documents.add("game-defs/RECIPES.md", "recipes", { cut: true });
documents.add("dsl/README.md", "reference", { from: "# The rule language", cut: true });
documents.add("dsl/DIAGNOSTICS.md", "errors");
documents.add("tools/README.md", "commands", { title: "Commands", to: "## Folders" });
for (const page of documents.pages) write(`${page.name}.md`, documents.written(page));
write("index.md", firstPage(documents));
write("games.md", libraryPage(games));
for (const name of words) write(`words-${name}.md`, wordsPage(name, readFileSync(join(root, `game-defs/std/${name}.yaml`), "utf8")));
const picture = (name, svg) => write(`public/pictures/${name}.svg`, svg);
for (const game of games) write(`rules-${game.name}.md`, gamePage(game, { program, kept: join(work, "rules"), picture }));

const site = {
  base,
  groups: Object.groupBy ? Object.groupBy(documents.pages, (page) => page.group) : documents.pages.reduce((groups, page) => ({ ...groups, [page.group]: [...(groups[page.group] ?? []), page] }), {}),
  families: [...new Set(games.map((game) => game.family))],
  grammar: JSON.parse(readFileSync(join(root, "tools/editors/vscode/syntaxes/boardwright.tmLanguage.json"), "utf8")),
  words: words.map((name) => ({ text: name, link: `/words-${name}` })),
};
for (const page of documents.pages) delete page.lines, delete page.blocks;
write(".vitepress/site.json", JSON.stringify(site));
cpSync(join(here, "config.mjs"), join(source, ".vitepress/config.mjs"));
cpSync(join(here, "theme"), join(source, ".vitepress/theme"), { recursive: true });

execFileSync(process.execPath, [join(work, "node_modules/vitepress/bin/vitepress.js"), "build", source, "--outDir", join(work, "made")], { stdio: ["ignore", 2, 2] });
makeRelative(join(work, "made"));
cpSync(studio, join(work, "made/studio"), { recursive: true });
rmSync(join(work, "site"), { recursive: true, force: true });
renameSync(join(work, "made"), join(work, "site"));
console.error(`${documents.boards} examples with a board, ${games.length} games`);
