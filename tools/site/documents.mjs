// Pages from the repository's own: a page may be cut at its chapters, links lead to where their target has gone,
// and under each example that can be played stands a board.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { blocksOf, fileOf, firstPosition, hashOf, needsOther } from "./examples.mjs";

// As GitHub and tests/pages/page.cpp make them.
export function anchorOf(heading) {
  return [...heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")].filter((c) => /[\p{L}\p{N}_ -]/u.test(c)).join("").toLowerCase().replaceAll(" ", "-");
}

// Each line with whether it is code.
function* withCode(lines) {
  let code = false;
  for (const line of lines) {
    const fence = line.startsWith("```");
    yield [line, code || fence];
    if (fence) code = !code;
  }
}

function headingOf(line) {
  const match = /^(#+) (.*)$/.exec(line);
  return match && { level: match[1].length, title: match[2] };
}

// The chapters of a page that is cut before each heading of the second level; the first one is what stands before.
function chaptersOf(lines) {
  const chapters = [[]];
  for (const [line, code] of withCode(lines)) {
    if (!code && line.startsWith("## ")) chapters.push([]);
    chapters.at(-1).push(line);
  }
  return chapters;
}

function raised(lines) {
  return [...withCode(lines)].map(([line, code]) => (!code && line.startsWith("##") ? line.slice(1) : line));
}

export class Documents {
  constructor(root, { playable, games, words }) {
    this.root = root;
    this.playable = playable; // of a rule file's text and a position: the position that it can begin with, or null
    this.pages = []; // {name, title, lines, source}
    this.places = new Map(); // "file#anchor" and "file" -> where it is in the site
    this.boards = 0;
    for (const { name, family } of games) this.places.set(`game-defs/${family}/${name}.yaml`, `rules-${name}.md#the-rule-file`);
    for (const name of words) this.places.set(`game-defs/std/${name}.yaml`, `words-${name}.md`);
    this.places.set("game-defs/tutorial", "tutorial.md").set("game-defs", "games.md").set("game-defs/README.md", "games.md");
    this.places.set("game-defs/README.md#the-vocabularies", "words-std.md").set("tools/studio/README.md", "");
  }

  // The page at `source`, from the heading `from` to the heading `to`, as pages that begin with `name`.
  add(source, name, { from = "", to = "", cut = false, title = "" } = {}) {
    let lines = readFileSync(join(this.root, source), "utf8").split("\n");
    if (from) lines = lines.slice(lines.indexOf(from));
    if (to) lines = lines.slice(0, lines.indexOf(to));
    if (title) lines[0] = `# ${title}`;
    const blocks = blocksOf(lines);
    const chapters = cut ? chaptersOf(lines) : [lines];
    chapters.forEach((chapter, i) => {
      const heading = headingOf(i === 0 ? lines[0] : chapter[0]);
      const page = i === 0 ? name : `${name}-${anchorOf(heading.title)}`;
      this.pages.push({ name: page, group: name, title: heading.title, lines: i === 0 ? chapter : raised(chapter), source, blocks });
      for (const [line, code] of withCode(chapter))
        if (!code && headingOf(line)) this.places.set(`${source}#${anchorOf(headingOf(line).title)}`, `${page}.md#${anchorOf(headingOf(line).title)}`);
    });
    this.places.set(source, `${name}.md`);
  }

  // A link, written anew; without one where the site has nothing for it.
  link(text, target, source) {
    if (/^[a-z]+:/.test(target)) return `[${text}](${target})`;
    const [path, anchor] = target.split("#");
    const file = path ? posix.join(posix.dirname(source), path).replace(/\/$/, "") : source;
    const place = (anchor && this.places.get(`${file}#${anchor}`)) || this.places.get(file);
    return place ? `[${text}](./${place})` : text;
  }

  linked(lines, source) {
    return [...withCode(lines)].map(([line, code]) => (code ? line : line.replace(/(?<!!)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g, (_, text, target) => this.link(text, target, source))));
  }

  // The component that plays the example, or nothing.
  board(block, blocks, source) {
    const tutorialFile = (name) => readFileSync(join(this.root, "game-defs/tutorial", name), "utf8");
    const text = fileOf(block, blocks, tutorialFile);
    if (text === null || needsOther(text, blocks)) return "";
    const position = firstPosition(text);
    const begin = this.playable(text, block.info[1] === "part" ? position : "", `${source}: the example ${block.info.join(" ")}`);
    ++this.boards;
    return `<LiveBoard hash="${hashOf({ name: "game.yaml", text, ...(begin && { begin }) })}" />`;
  }

  // The text of a page, with its examples in the language's own colours.
  written({ lines, source, blocks }) {
    const boards = new Map();
    const known = new Map(blocks.map((block) => [block.text, block]));
    const own = blocksOf(lines);
    for (const block of own) boards.set(block.to, this.board(known.get(block.text) ?? block, blocks, source));
    const fences = new Set(own.map((block) => block.from));
    const text = this.linked(lines, source).flatMap((line, i) => {
      if (fences.has(i)) return [/^```(yaml|errors|moves|values)\b/.test(line) ? "```boardwright" : line.replace(/^```(\w*).*/, (_, language) => "```" + (["sh", "json", "yaml", "python", "cpp"].includes(language) ? language : "text"))];
      return boards.get(i) ? [line, "", boards.get(i), ""] : [line];
    });
    return text.join("\n");
  }
}
