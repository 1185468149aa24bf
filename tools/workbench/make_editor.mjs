// Writes the bundle and the licences of all that is in it.
import { build } from "esbuild";
import { readFileSync, writeFileSync, readdirSync, existsSync } from "node:fs";

const out = "../../table/bench/page/";
const made = await build({ entryPoints: ["editor.js"], bundle: true, minify: true, format: "esm", target: "es2022", outfile: out + "editor.js", metafile: true, legalComments: "none" });
const names = [...new Set(Object.keys(made.metafile.inputs).map(x => x.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean))].sort();
const told = names.map(name => {
  const folder = `node_modules/${name}/`, file = readdirSync(folder).find(x => /^licen[sc]e/i.test(x));
  const { version, license } = JSON.parse(readFileSync(folder + "package.json", "utf8"));
  return `${name} ${version} (${license})\n\n${file && existsSync(folder + file) ? readFileSync(folder + file, "utf8").trim() : ""}\n`;
});
writeFileSync(out + "editor.LICENSES.txt", `editor.js is made from these packages by tools/workbench/make_editor.mjs (make workbench).\n\n${told.join("\n----\n\n")}`);
console.log(names.length, "packages");
