// Small helpers: elements, SVG, text. Nothing here reads HTML from a string.

export const $ = id => document.getElementById(id);

export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(x => x !== null && x !== undefined && x !== false));
  return made;
}

const NS = "http://www.w3.org/2000/svg";

export function svg(tag, props = {}, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(props)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A drawing that the server made, as nodes: the parser of XML runs no script, and scripts are left out.
export function drawing(text) {
  const read = new DOMParser().parseFromString(`<svg xmlns="${NS}">${text}</svg>`, "image/svg+xml");
  if (read.querySelector("parsererror, script, foreignObject")) return [];
  return [...read.documentElement.childNodes].map(x => document.importNode(x, true));
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(x => x !== null && x !== undefined && x !== false));
  return parent;
}
