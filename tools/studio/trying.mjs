// What the tests of pages share: a server of files, a browser without a window, and what holds.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml" };

// The files of a folder below a path; `address` is where, `close()` ends it.
export function serveFiles(folder, below = "/") {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (!path.startsWith(below)) return response.writeHead(404).end();
    let file = join(folder, path.slice(below.length));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    // Browsers ask for an icon by themselves.
    if (!existsSync(file)) return response.writeHead(path.endsWith("/favicon.ico") ? 204 : 404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve({ address: `http://127.0.0.1:${server.address().port}${below}`, close: () => server.close() })),
  );
}

// MODULES is the folder in which package.json was installed.
export function browserOf(modules) {
  const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

export function check(holds, what) {
  if (!holds) throw new Error(what);
}

export function same(found, wanted, what) {
  check(JSON.stringify(found) === JSON.stringify(wanted), `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}
