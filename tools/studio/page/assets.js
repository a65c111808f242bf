// The parts of a page beside its script. A page that must need nothing else carries them in itself, as
// `<script type="text/plain" data-asset="NAME" data-encoding="gzip-base64">`; else they lie beside it.

const kept = new Map();
let places = {}; // addresses by names, of those that don't lie beside the page

export function assetsLieAt(addresses) {
  places = addresses;
}

async function unpacked(element) {
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function read(name) {
  const element = document.querySelector(`script[data-asset="${name}"]`);
  if (element) return unpacked(element);
  const response = await fetch(places[name] ?? name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

export function assetBytes(name) {
  if (!kept.has(name)) kept.set(name, read(name));
  return kept.get(name);
}

export async function assetText(name) {
  return new TextDecoder().decode(await assetBytes(name));
}

// The other way round: what the script element of an asset holds.
export async function packed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

export function toBase64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters);
}
