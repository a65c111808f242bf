// node build.mjs MODULES ENGINE OUTPUT: makes the site of the engine (engine.js, engine.wasm) and of page/.
// MODULES is the folder in which package.json was installed.
import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { manual } from "./manual.mjs";

const [modules, engine, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(modules, "package.json"));
const esbuild = require("esbuild");

async function bundle(name, format, { into = name, define = {} } = {}) {
  await esbuild.build({
    entryPoints: [join(here, "page", name)],
    outfile: join(output, into),
    define,
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    nodePaths: [join(modules, "node_modules")],
    alias: { "engine-glue": join(engine, "engine.js") },
    external: ["fs", "path", "crypto", "perf_hooks"],
    logLevel: "warning",
  });
}

// What the library shows of each game is worked out by the engine itself, and anew where that is another one.
async function library() {
  const made = join(output, "library.json");
  if (existsSync(made) && statSync(made).mtimeMs > statSync(join(engine, "engine.wasm")).mtimeMs) return;
  const makeEngine = require(join(engine, "engine.js"));
  const started = await makeEngine({ wasmBinary: readFileSync(join(engine, "engine.wasm")) });
  const ask = (request) => JSON.parse(started.ccall("boardwright_ask", "string", ["string"], [JSON.stringify(request)]));
  const games = ask({ do: "library" }).games.map((game) => ({ ...game, ...ask({ do: "describe", name: game.name }) }));
  const wrong = games.filter((game) => game.error);
  if (wrong.length > 0) throw new Error(`these don't load: ${wrong.map((game) => game.name).join(" ")}`);
  writeFileSync(made, JSON.stringify(games));
}

// The same as one file, which can be opened from a disk.
function single(html) {
  const assets = ["engine.wasm", "worker.js", "play.js", "style.css", "library.json", "manual.json"].map((name) => {
    const text = gzipSync(readFileSync(join(output, name)), { level: 9 }).toString("base64");
    return `<script type="text/plain" data-asset="${name}" data-encoding="gzip-base64">${text}</script>`;
  });
  const script = readFileSync(join(output, "studio.js"), "utf8").replaceAll("</script", "<\\/script");
  return html
    .replace("<!-- style -->", () => `<style>${readFileSync(join(output, "style.css"), "utf8")}</style>`)
    .replace("<!-- scripts -->", () => `${assets.join("\n")}\n<script type="module">${script}</script>`);
}

mkdirSync(output, { recursive: true });
await bundle("studio.js", "esm");
await bundle("play.js", "esm");
await bundle("worker.js", "iife");
writeFileSync(join(output, "style.css"), ["board.css", "style.css"].map((name) => readFileSync(join(here, "page", name), "utf8")).join(""));
copyFileSync(join(engine, "engine.wasm"), join(output, "engine.wasm"));
await library();
writeFileSync(join(output, "manual.json"), JSON.stringify(manual(join(here, "../.."))));
const html = readFileSync(join(here, "page", "index.html"), "utf8");
const linked = (page, script) => page.replace("<!-- style -->", '<link rel="stylesheet" href="style.css">').replace("<!-- scripts -->", `<script type="module" src="${script}"></script>`);
writeFileSync(join(output, "index.html"), linked(html, "studio.js"));
writeFileSync(join(output, "play.html"), linked(readFileSync(join(here, "page", "play.html"), "utf8"), "play.js"));
writeFileSync(join(output, "studio.html"), single(html));

// What the page needs is kept by its service worker, under a name that is that of its content.
const kept = ["index.html", "play.html", "studio.js", "worker.js", "play.js", "style.css", "engine.wasm", "library.json", "manual.json"];
const content = kept.reduce((hash, name) => hash.update(readFileSync(join(output, name))), createHash("sha256"));
const version = content.digest("hex").slice(0, 16);
await bundle("offline.js", "iife", { into: "sw.js", define: { SITE_VERSION: JSON.stringify(version), SITE_FILES: JSON.stringify(kept) } });
