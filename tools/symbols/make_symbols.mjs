// Make the sprite of unit symbols from milsymbol (MIT), once: the drawing of maps needs no JavaScript.
//
// In:  the package milsymbol, at the version of package.json beside this file.
// Out: compiler/pages/map/symbols.svg, a <symbol> for each name of NAMES and OWN, the same bytes on every run;
//      lines and faces take the colour of the text around them (currentColor).
//
// Run it with `make symbols`.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import ms from "milsymbol";

const here = (path) => new URL(path, import.meta.url);

// name: [symbol set, entity, first modifier, second modifier] of APP-6(D)
const NAMES = {
  air: ["10", "120800"],
  airborne: ["10", "121100", "00", "01"],
  antiaircraft: ["10", "130100"],
  antitank: ["10", "120400"],
  armor: ["10", "120500"],
  artillery: ["10", "130300"],
  assault_gun: ["10", "130301"],
  bicycle: ["10", "121100", "00", "04"],
  cavalry: ["10", "121300"],
  construction: ["10", "140700", "12"],
  engineer: ["10", "140700"],
  guerrilla: ["10", "121100", "00", "58"],
  infantry: ["10", "121100"],
  light_armor: ["10", "120500", "00", "19"],
  light_infantry: ["10", "121100", "00", "19"],
  machine_gun: ["15", "110200"],
  marine: ["10", "121101"],
  mechanized: ["10", "121102"],
  motorized: ["10", "121104"],
  mountain: ["10", "121100", "00", "27"],
  mountain_cavalry: ["10", "121300", "00", "27"],
  police: ["10", "141200"],
  railroad_artillery: ["10", "130300", "00", "36"],
  railroad_engineer: ["10", "140700", "00", "36"],
  reconnaissance: ["10", "120501"],
  rocket: ["10", "130300", "41"],
  security: ["10", "141700"],
  ski: ["10", "121100", "00", "42"],
  supply: ["10", "163400"],
  transport: ["10", "163600"],
};

// Symbols that wargames use and APP-6 lacks or draws otherwise: ours.
const OWN = {
  factory: '<path d="M60,130V95L82,80V95L104,80V95L126,80V130ZM132,130V66H142V130Z" fill="currentColor"/>',
  fortification: '<path d="M55,125V85H70V97H92V85H108V97H130V85H145V125Z" fill="none" stroke="currentColor" stroke-width="6"/>',
  headquarters:
    '<path d="M60,72V128M92,72V128M60,100H92M140,100A18,28 0 1 1 104,100A18,28 0 1 1 140,100ZM126,112L144,130"' +
    ' fill="none" stroke="currentColor" stroke-width="8"/>',
  leader: '<path d="M100,62L109,88H137L115,105L123,132L100,116L77,132L85,105L63,88H91Z" fill="currentColor"/>',
  marker: '<path d="M75,100H125" fill="none" stroke="currentColor" stroke-width="8"/>',
  ship: '<path d="M50,105H150L138,128H62ZM72,98V84H92V70H104V84H126V98Z" fill="currentColor"/>',
};

const FRAME = /<path d="M25,50 l150,0 0,100 -150,0 z"[^>]*><\/path>/;
const ROUND = /<circle cx="100" cy="100" r="60"[^>]*><\/circle>/; // the frame of equipment

function icon([set, entity, first = "00", second = "00"]) {
  const sidc = `1003${set}0000${entity}${first}${second}`;
  const symbol = new ms.Symbol(sidc, { size: 100, fill: false, outlineWidth: 0, monoColor: "black" });
  const drawn = symbol.asSVG();
  if (!symbol.isValid() || drawn.includes("?")) throw new Error(`milsymbol does not know ${sidc}`);
  return drawn
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>$/, "")
    .replace(FRAME, "")
    .replace(ROUND, "")
    .replaceAll("black", "currentColor")
    .replaceAll("rgb(0,0,0)", "currentColor")
    .replace(/<(path|circle|ellipse|line)([^>]*?) ?><\/\1>/g, "<$1$2/>")
    .replaceAll('stroke-width="3"', 'stroke-width="6"')
    .replaceAll('stroke-width="4"', 'stroke-width="6"');
}

const version = createRequire(import.meta.url)("milsymbol/package.json").version;
const licence = readFileSync(here("node_modules/milsymbol/LICENSE"), "utf8").trim().replaceAll("--", "- -");
const found = { ...Object.fromEntries(Object.entries(NAMES).map(([k, v]) => [k, icon(v)])), ...OWN };
const symbols = Object.keys(found)
  .sort()
  .map((name) => `<symbol id="${name}" viewBox="25 50 150 100" overflow="visible">${found[name]}</symbol>`);
const text = `<svg xmlns="http://www.w3.org/2000/svg">
<!-- Unit symbols, written by tools/symbols/make_symbols.mjs. ${Object.keys(OWN).join(", ")} are Rulewright's;
all others come from milsymbol ${version}:

${licence}
-->
${symbols.join("\n")}
</svg>
`;
writeFileSync(here("../../compiler/pages/map/symbols.svg"), text);
