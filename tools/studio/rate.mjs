// node rate.mjs ENGINE GAME…: random games and plies a CPU second of the engine, in the V8 that node has.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [engine, ...games] = process.argv.slice(2);
const makeEngine = createRequire(import.meta.url)(resolve(engine, "engine.js"));
const begin = performance.now();
const started = await makeEngine({ wasmBinary: readFileSync(join(engine, "engine.wasm")) });
console.log(`the engine is ready after ${(performance.now() - begin).toFixed(0)} ms`);
const ask = (request) => JSON.parse(started.ccall("boardwright_ask", "string", ["string"], [JSON.stringify(request)]));

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

for (const name of games) {
  ask({ do: "load", name, text: ask({ do: "source", name }).text });
  ask({ do: "random", from_start: true, milliseconds: 3000, most: 1e9 }); // until V8 has compiled it for good
  const before = cpuSeconds();
  const sum = ask({ do: "random", from_start: true, milliseconds: 5000, most: 1e9 });
  const seconds = cpuSeconds() - before;
  console.log(`${name}: ${(sum.games / seconds).toFixed(0)} games, ${(sum.plies / seconds).toFixed(0)} plies a CPU second`);
}
