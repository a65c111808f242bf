// A link that carries the rules, and a page that plays one game and needs nothing else.
import { assetBytes, assetText, packed, toBase64 } from "./assets.js";

async function squeezed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return toBase64(new Uint8Array(await new Response(stream).arrayBuffer())).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unsqueezed(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

// `state`: name, text, and perhaps settings, moves and the position they begin with.
export async function linkFor(state) {
  return `${location.href.split("#")[0]}#1${await squeezed(JSON.stringify(state))}`;
}

// What a link carries; null where it carries nothing that can be read.
export async function stateIn(hash) {
  if (!hash.startsWith("#1")) return null;
  try {
    const state = JSON.parse(await unsqueezed(hash.slice(2)));
    return typeof state.text === "string" ? state : null;
  } catch {
    return null;
  }
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const inScript = (json) => JSON.stringify(json).replaceAll("<", "\\u003c");

export async function pageFor(title, state) {
  const assets = await Promise.all(
    ["engine.wasm", "worker.js"].map(async (name) => `<script type="text/plain" data-asset="${name}" data-encoding="gzip-base64">${await packed(await assetBytes(name))}</script>`),
  );
  const script = (await assetText("play.js")).replaceAll("</script", "<\\/script");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${await assetText("style.css")}</style></head>
<body class="alone"><main id="game" aria-label="${escaped(title)}"></main>
<script type="application/json" id="state">${inScript(state)}</script>
${assets.join("\n")}
<script type="module">${script}</script></body></html>
`;
}

export function download(name, text, type = "text/html") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
