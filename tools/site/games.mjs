// The pages of games: how each is played, as `boardwright rules` tells it, and the library by family.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const plain = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{", "&#123;");

// The page that the program writes, kept until there is a newer program: games are played for it.
function rulesPage(program, name, folder) {
  const made = join(folder, `${name}.html`);
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(program).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(made, execFileSync(program, ["rules", name, "--html", "-"], { maxBuffer: 1 << 28 }));
  }
  return readFileSync(made, "utf8");
}

// Its pictures become files: what a page weighs is then its text.
function takePictures(html, name, picture) {
  let count = 0;
  return html.replace(/<svg[\s\S]*?<\/svg>/g, (svg) => {
    const file = `${name}-${count++}`;
    picture(file, svg);
    return `<BoardPicture name="${file}" alt="" />`;
  });
}

export function gamePage(game, { program, kept, picture }) {
  const body = /<body>([\s\S]*)<\/body>/.exec(rulesPage(program, game.name, kept))[1];
  const html = takePictures(body, game.name, picture)
    .replaceAll("{", "&#123;")
    .replace(/\n{2,}/g, "\n")
    .replace(/<div class="board">\s*<BoardPicture name="([^"]*)"[^>]*>\s*<\/div>/, (_, name) => `<LiveBoard hash="#game=${game.name}" picture="${name}" title="${plain(game.title)}" />`)
    .replace(/<h1>(.*?)<\/h1>/, (_, title) => `\n# ${title}\n`)
    .replace(/<h2>(.*?)<\/h2>/g, (_, title) => `\n## ${title}\n`);
  return `---
title: ${JSON.stringify(`${game.title}: the rules`)}
outline: 2
prev: false
next: false
---
<div class="rules">

${html}
</div>

[More ${game.family} games](./games.md#${game.family})

## The rule file

<!-- not searched -->

<details><summary>${game.lines} lines</summary>

\`\`\`\`boardwright
${game.text.trimEnd()}
\`\`\`\`

</details>
`;
}

const card = (game) => `<li><a href="./rules-${game.name}.html"><BoardPicture name="${game.name}-0" alt="" /><strong>${plain(game.title)}</strong><span>${plain([game.year, game.board].filter(Boolean).join(", "))}</span></a></li>`;

export function libraryPage(games) {
  const families = Map.groupBy ? Map.groupBy(games, (game) => game.family) : games.reduce((map, game) => map.set(game.family, [...(map.get(game.family) ?? []), game]), new Map());
  const parts = [...families].map(([family, members]) => `## ${family}\n\n<ul class="cards">\n${members.map(card).join("\n")}\n</ul>\n`);
  return `---
title: Games
outline: 2
prev: false
next: false
---
# ${games.length} games

The rules of each in words and pictures, and a board to play it on. All of them are ordinary rule files: the studio opens any of them to be changed.

${parts.join("\n")}`;
}
