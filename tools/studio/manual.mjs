// Tutorial, reference and recipes as the page shows them beside the rules: chapters of HTML, in which the examples that
// can be played carry their whole rule files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, fileOf, firstPosition, needsOther } from "../site/examples.mjs";

// Their chapters' headings, and how many chapters in front are for others than authors.
const books = [
  ["Tutorial", "game-defs/TUTORIAL.md", /^## /, 0],
  ["Reference", "dsl/README.md", /^###? /, 1],
  ["Recipes", "game-defs/RECIPES.md", /^###? /, 0],
];

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

// As GitHub makes them.
const anchorOf = (heading) => [...plain(heading)].filter((c) => /[\p{L}\p{N}_ -]/u.test(c)).join("").toLowerCase().replaceAll(" ", "-");
const plain = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");

// Code, links within the page, bold and slanted words. A link elsewhere is its words alone.
function inline(text) {
  return text
    .split(/(``.+?``|`[^`]+`)/)
    .map((part) => (part.startsWith("`") ? `<code>${escaped(part.replace(/^`+ ?|\s?`+$/g, ""))}</code>` : words(escaped(part))))
    .join("");
}

function words(text) {
  return text
    .replace(/\[([^\]]*)\]\(#([^)]+)\)/g, '<a href="#$2" data-to="$2">$1</a>')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/(^|[^\w*])\*([^*\s][^*]*)\*/g, "$1<em>$2</em>");
}

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => inline(cell.trim().replaceAll("\\|", "|")));

function table([head, , ...rows]) {
  const row = (line, tag) => `<tr>${cellsOf(line).map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table><thead>${row(head, "th")}</thead><tbody>${rows.map((line) => row(line, "td")).join("")}</tbody></table></div>`;
}

function list(lines) {
  const tag = /^\d/.test(lines[0]) ? "ol" : "ul";
  const items = [];
  for (const line of lines) {
    const begins = /^(?:[-*]|\d+\.) (.*)$/.exec(line);
    if (begins) items.push(begins[1]);
    else items[items.length - 1] += ` ${line.trim().replace(/^[-*] /, "– ")}`;
  }
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</${tag}>`;
}

// Lines without code as HTML.
function prose(lines) {
  return lines
    .join("\n")
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const own = block.trim().split("\n");
      const heading = /^(#+) (.*)$/.exec(own[0]);
      if (heading) return `<h${Math.min(5, heading[1].length + 1)} id="${anchorOf(heading[2])}">${inline(heading[2])}</h${Math.min(5, heading[1].length + 1)}>${own.length > 1 ? prose(own.slice(1)) : ""}`;
      if (own[0].startsWith("|")) return table(own);
      if (/^(?:[-*]|\d+\.) /.test(own[0])) return list(own);
      return `<p>${inline(own.join(" "))}</p>`;
    })
    .join("\n");
}

// Prose and code by turns: `{ html }`, or `{ code }` with `open` where it can be played.
function partsOf(lines, blocks, from, root) {
  const parts = [];
  let at = from;
  for (const block of blocks.filter((one) => one.from >= from && one.to < from + lines.length)) {
    parts.push({ html: prose(lines.slice(at - from, block.from - from)) });
    parts.push({ code: block.text, ...playable(block, blocks, root) });
    at = block.to + 1;
  }
  parts.push({ html: prose(lines.slice(at - from)) });
  return parts.filter((part) => part.html !== "" && !(part.code !== undefined && part.hidden)).map(({ hidden, ...part }) => part);
}

function playable(block, blocks, root) {
  if (block.info[1] === "frame") return { hidden: true };
  const text = fileOf(block, blocks, (name) => readFileSync(join(root, "game-defs/tutorial", name), "utf8"));
  return text && !needsOther(text, blocks) ? { open: text, begin: firstPosition(text) } : {};
}

// Each chapter begins at a heading of the second level or, in books of long ones, of the third.
export function manual(root) {
  return books.flatMap(([book, path, heading, leftOut]) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    const blocks = blocksOf(lines);
    const inCode = (i) => blocks.some((block) => block.from <= i && i <= block.to);
    const begins = [0, ...lines.flatMap((line, i) => (heading.test(line) && !inCode(i) ? [i] : []))];
    const chapters = begins.map((from, i) => {
      const own = lines.slice(from, begins[i + 1] ?? lines.length);
      return { book, title: plain(own[0].replace(/^#+ /, "")), parts: partsOf(own, blocks, from, root) };
    });
    return chapters.slice(leftOut);
  });
}
