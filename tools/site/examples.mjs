// The examples of a page as whole rule files, and the links that carry them. Behind the fence of an example stands
// what it is, as tests/pages/examples.cpp reads it.
import { deflateRawSync } from "node:zlib";

// The blocks of a page: `info` is what stands behind the fence, `from` and `to` are the lines of the two fences.
export function blocksOf(lines) {
  const blocks = [];
  let open = null;
  lines.forEach((line, i) => {
    if (!line.startsWith("```")) return;
    if (open) {
      blocks.push({ ...open, to: i, text: lines.slice(open.from + 1, i).join("\n") + "\n" });
      open = null;
    } else open = { info: line.slice(3).trim().split(/\s+/), from: i };
  });
  return blocks;
}

function sectionsOf(text) {
  const sections = [];
  for (const line of text.split("\n")) {
    if (/^[A-Za-z]/.test(line)) sections.push({ name: line.split(":")[0], lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}

// The frame with the sections of `part` in place of its own.
export function within(frame, part) {
  const sections = sectionsOf(frame);
  for (const section of sectionsOf(part)) {
    const old = sections.findIndex((one) => one.name === section.name);
    if (old < 0) sections.push(section);
    else sections[old] = section;
  }
  return sections.map((section) => section.lines.join("\n").trimEnd()).join("\n") + "\n";
}

// The text from `{` to the brace that closes it.
function inBraces(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; ++i) {
    if (text[i] === "{") ++depth;
    if (text[i] === "}" && --depth === 0) return text.slice(at, i + 1);
  }
  return "";
}

// The position of the first test, if that one has a position: there one sees what the example is about.
export function firstPosition(text) {
  const tests = text.split(/^tests:/m)[1];
  if (!tests) return "";
  const first = tests.split(/^\s*- /m)[1] ?? "";
  const at = first.search(/\bposition: *\{/);
  return at < 0 ? "" : inBraces(first, first.indexOf("{", at)).replace(/\s+/g, " ");
}

// What stands behind the address of the studio: the same as page/share.js makes.
export function hashOf(state) {
  return `#1${deflateRawSync(JSON.stringify(state), { level: 9 }).toString("base64url")}`;
}

// The rule file that a block shows, or null where it shows none that could be played.
export function fileOf(block, blocks, tutorialFile) {
  const [language, kind, name] = block.info;
  if (language !== "yaml" || !kind) return null;
  if (kind.endsWith(".yaml")) return tutorialFile(kind);
  if (kind === "game") return block.text;
  if (kind !== "part") return null;
  const frame = blocks.find(({ info }) => info[1] === "frame" && info[2] === (name ?? "plain"));
  return frame ? within(frame.text, block.text) : null;
}

// Whether it needs a file that only the page has: the studio knows those of the library alone.
export function needsOther(text, blocks) {
  const others = blocks.filter(({ info }) => info[1] === "file").map(({ info }) => info[2]);
  const named = [...text.matchAll(/^(?:extends|use): *\[?(.*?)\]?$/gm)].flatMap((match) => match[1].split(/[,\s]+/));
  return named.some((name) => others.includes(name) || name.includes("."));
}
