// The site works below any address: VitePress writes links that begin with one address, which become relative here.
// All pages lie in one folder, so a link that is relative to it is right on each page, also when one page is put in
// another one's place without being loaded.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const base = "/BASE-OF-SITE/";
const here = "(globalThis.siteBase)";
const learn = `<script>${here}=new URL("./",location.href).pathname</script>`;

function inPage(text) {
  return text.replaceAll(`"${base}`, '"./').replace("<head>", `<head>${learn}`);
}

// What search goes by is one text inside of a script.
const isIndex = (file) => file.includes("localSearchIndex");

function inScript(text, file) {
  if (isIndex(file))
    return text.replace(/export\{(\w+) as default\}/, (_, name) => `const located=${name}.replaceAll("${base}",${here});export{located as default}`);
  return text.replaceAll(`"${base}"`, here).replaceAll(`"${base}`, '"./');
}

const siteData = /window\.__VP_SITE_DATA__=JSON\.parse\("(?:[^"\\]|\\.)*"\);/g;

export function makeRelative(folder) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    const file = join(folder, entry);
    if (!/\.(html|js|css)$/.test(file)) continue;
    const before = readFileSync(file, "utf8");
    let text = before.replace(siteData, (data) => `${data}window.__VP_SITE_DATA__.base=${here};`);
    if (file.endsWith(".html")) text = inPage(text);
    if (file.endsWith(".js")) text = inScript(text, file);
    if (file.endsWith(".css")) text = text.replaceAll(`url(${base}assets/`, "url(./");
    if (text.includes(base) && !isIndex(file)) throw new Error(`${entry} has links that aren't relative`);
    if (text !== before) writeFileSync(file, text);
  }
  rmSync(join(folder, "404.html"), { force: true }); // it is shown at any depth, where no link of its own would be right
}
