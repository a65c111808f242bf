// VitePress' configuration; what is known only while the site is built is in site.json beside it.
import { readFileSync } from "node:fs";

const { groups, base, families, grammar, words } = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

const items = (group) => groups[group].map(({ title, name }) => ({ text: title.replaceAll("`", ""), link: `/${name}` }));
const anchorOf = (text) => [...text].filter((c) => /[\p{L}\p{N}_ -]/u.test(c)).join("").trim().toLowerCase().replaceAll(" ", "-");
const gamesBar = [{ text: "Games", items: [{ text: "All games", link: "/games" }, ...families.map((family) => ({ text: family, link: `/games#${family}` }))] }];

// A page is found by its words, not by the rule file at its end.
async function searched(source, env, markdown) {
  return markdown.renderAsync ? markdown.renderAsync(source.split("<!-- not searched -->")[0], env) : markdown.render(source.split("<!-- not searched -->")[0], env);
}

export default {
  base,
  title: "Boardwright",
  description: "Write the rules of a board game in a file; play it a second later",
  lang: "en",
  metaChunk: true,
  // The index of the search, and the page of all errors, are large; nobody waits for them but who asks for them.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  head: [["link", { rel: "icon", href: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 2'%3E%3Cpath fill='%23b98a5e' d='M0 0h1v1H0zM1 1h1v1H1z'/%3E%3Cpath fill='%23f0d9b5' d='M1 0h1v1H1zM0 1h1v1H0z'/%3E%3C/svg%3E" }]],
  markdown: {
    languages: [{ ...grammar, name: "boardwright" }],
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: anchorOf },
  },
  themeConfig: {
    search: { provider: "local", options: { _render: searched } },
    outline: "deep",
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Recipes", link: "/recipes", activeMatch: "^/recipes" },
      { text: "Reference", link: "/reference", activeMatch: "^/(reference|errors|words)" },
      { text: "Games", link: "/games", activeMatch: "^/(games|rules)" },
      { text: "Commands", link: "/commands" },
      { text: "Studio", link: "/studio/index.html", target: "_self" },
    ],
    sidebar: {
      "/recipes": [{ text: "Recipes", items: items("recipes") }],
      "/reference": [{ text: "Reference", items: [...items("reference"), ...items("errors")] }, { text: "Vocabularies", items: words }],
      "/errors": [{ text: "Reference", items: [...items("reference"), ...items("errors")] }],
      "/words": [{ text: "Vocabularies", items: words }],
      "/games": gamesBar,
      "/rules": gamesBar,
    },
  },
};
