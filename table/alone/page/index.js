// The first page: a scenario, who plays, and the game that waits in this browser.

import { $, el, fill } from "./dom.js";

const book = await (await fetch("book.json")).json();
document.title = book.title;
$("title").textContent = book.title;
$("about").textContent = `plays in this browser alone · ${book.rules}`;
$("say").textContent = "";
$("house").hidden = !book.house;

const kept = JSON.parse(localStorage.getItem(`alone ${book.rules}`) || "null");
if (kept) {
  const same = kept.hash === book.hash;
  $("kept").hidden = false;
  $("kept-about").textContent = `${book.scenarios.find(([name]) => name === kept.scenario)?.[1] ?? kept.scenario}, ${kept.choices} choices${same ? "" : "; it was begun under other rules of this book and cannot go on here"}`;
  $("go-on").hidden = !same;
}
fill($("scenario"), book.scenarios.map(([name, title]) => el("option", { value: name }, title)));
fill($("who"), book.sides.map((side, i) => el("label", {}, side, el("select", { name: `player-${i}` }, book.players.map((p, k) => el("option", { value: p, selected: k === (i ? 1 : 0) }, p === "person" ? "a person" : p))))));
$("begin").onclick = () => {
  const players = [...$("who").querySelectorAll("select")].map(x => x.value);
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  location.href = `play.html#${new URLSearchParams({ scenario: $("scenario").value, players: players.join(","), seed })}`;
};
const there = await Promise.all(["pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip"].map(async x => (await fetch(`pyodide/${x}`, { method: "HEAD" })).ok));
const ready = there.every(Boolean);
$("lacking").hidden = ready;
$("new").hidden = !ready;
document.body.dataset.ready = ready ? "yes" : "no";
