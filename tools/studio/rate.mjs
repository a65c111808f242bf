// node rate.mjs MODULES SITE GAME…: random games a second in Chromium, one engine on one core.
import { createServer } from "node:http";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, site, ...games] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const server = createServer((request, response) => createReadStream(join(site, request.url === "/" ? "index.html" : request.url)).pipe(response.setHeader("content-type", request.url.endsWith(".js") ? "text/javascript" : request.url === "/" ? "text/html" : "application/wasm")));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);

async function inWorker(names) {
  const begin = performance.now();
  const module = await WebAssembly.compile(await (await fetch("engine.wasm")).arrayBuffer());
  const worker = new Worker("worker.js");
  const next = () => new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage({ module });
  await next();
  const ready = performance.now() - begin;
  const ask = (request) => (worker.postMessage({ id: 1, request }), next().then((data) => data.answer));
  const rates = [];
  for (const name of names) {
    const { text } = await ask({ do: "source", name });
    const loading = performance.now();
    await ask({ do: "load", name, text });
    const load = performance.now() - loading;
    await ask({ do: "random", from_start: true, milliseconds: 1000, most: 1e9 }); // until all of it is compiled for good
    const sum = await ask({ do: "random", from_start: true, milliseconds: 3000, most: 1e9 });
    rates.push({ name, load, games: sum.games / sum.seconds, plies: sum.plies / sum.seconds });
  }
  return { ready, rates };
}

const { ready, rates } = await page.evaluate(inWorker, games);
console.log(`the engine is ready after ${ready.toFixed(0)} ms`);
for (const { name, load, games: some, plies } of rates) console.log(`${name}: ${some.toFixed(0)} games a second, ${plies.toFixed(0)} plies; loads in ${load.toFixed(0)} ms`);
await browser.close();
server.close();
