// The little Markdown that the language server writes: paragraphs, code in lines and blocks, bold words, lists.
import { make } from "./dom.js";

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]*\))/).map((part) => {
    if (part.startsWith("`") && part.length > 2) return make("code", {}, part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return make("strong", {}, part.slice(2, -2));
    return /^\[.+\]\(.*\)$/.test(part) ? part.slice(1, part.indexOf("](")) : part;
  });
}

export function fromMarkdown(text) {
  const root = make("div", { class: "hover" });
  for (const [i, block] of text.split(/^```\w*\n?/m).entries()) {
    if (i % 2 === 1) {
      root.append(make("pre", {}, block.replace(/\n$/, "")));
      continue;
    }
    for (const paragraph of block.split(/\n\s*\n/).filter((one) => one.trim())) {
      const lines = paragraph.trim().split("\n");
      if (lines.every((line) => /^[-*] /.test(line))) root.append(make("ul", {}, ...lines.map((line) => make("li", {}, ...inline(line.slice(2))))));
      else root.append(make("p", {}, ...inline(lines.join(" ").replace(/^#+ /, ""))));
    }
  }
  return root;
}
