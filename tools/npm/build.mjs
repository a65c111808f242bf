// node build.mjs MODULES ENGINE NOTICES VERSION OUTPUT: the folder that `npm pack` makes the package of, from the engine
// (engine.js, engine.wasm) and source/. MODULES is the folder in which tools/studio/package.json was installed.
import { createRequire } from "node:module";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, engine, notices, version, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

// The engine's script takes Node for granted where there is `process`, and then what modules haven't, `require` and
// `__dirname`. It needs neither: what was compiled is given to it.
const bundle = (from, into, more) =>
  esbuild.build({
    absWorkingDir: join(here, "../.."),
    entryPoints: [join(here, from)],
    outfile: join(output, into),
    bundle: true,
    format: "esm",
    target: "es2022",
    define: { BOARDWRIGHT_VERSION: JSON.stringify(version), process: "undefined" },
    alias: { "engine-glue": join(engine, "engine.js") },
    external: ["node:fs/promises", "fs", "path", "crypto", "perf_hooks"],
    loader: { ".css": "text" },
    logLevel: "warning",
    ...more,
  });

mkdirSync(output, { recursive: true });
await bundle("source/index.js", "index.js");
await bundle("source/element.js", "element.js");
await bundle("../studio/page/worker.js", "worker.js", { format: "iife", minify: true });

for (const name of ["index.d.ts", "element.d.ts"]) copyFileSync(join(here, "source", name), join(output, name));
copyFileSync(join(engine, "engine.wasm"), join(output, "engine.wasm"));
copyFileSync(join(here, "../../LICENSE"), join(output, "LICENSE"));
copyFileSync(notices, join(output, "NOTICES"));
// What stands behind this chapter is for who works on the package.
const [forUsers, behind] = readFileSync(join(here, "README.md"), "utf8").split("\n## How it is made\n");
if (behind === undefined) throw new Error("README.md has no chapter `How it is made`");
writeFileSync(join(output, "README.md"), forUsers.trimEnd() + "\n");
const told = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(output, "package.json"), JSON.stringify({ ...told, version }, null, 2) + "\n");
