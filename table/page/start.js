// The start page: books, scenarios, overlays, who plays; and the games that wait on disk with the links to their seats.

import { $, el, fill } from "./dom.js";

const owner = location.hash.slice(1) || sessionStorage.getItem("owner") || "";
if (owner) sessionStorage.setItem("owner", owner);
let books = [], chosen = null, found = null, asked = 0;

async function ask(path, body, method) {
  const how = { headers: { authorization: `Bearer ${owner}` }, method: method || (body ? "POST" : "GET"), body: body ? JSON.stringify(body) : undefined };
  const answer = await fetch(path, how);
  if (answer.status === 403) throw new Error("This page needs the whole link that the server printed.");
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error((told.refused || ["That did not work."]).join(" "));
  return told;
}

const say = text => { $("say").textContent = text; };
const guarded = work => async (...given) => { try { say(""); await work(...given); } catch (error) { say(error.message); } };

function list() {
  fill($("books"), books.map(book => el("button", { type: "button", className: "book", "aria-pressed": String(chosen?.name === book.name), onclick: guarded(() => choose(book)) },
    el("b", {}, book.title || book.name), el("span", { className: "soft" }, `${book.name} · ${count(book.scenarios.length, "scenario")}${book.overlays.length ? ` · ${count(book.overlays.length, "overlay")}` : ""}`))));
}

// `manstein:hard` as words.
const playing = p => (p === "person" ? "a person" : p.replace(":", ", "));
const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

async function choose(book) {
  chosen = { ...book, ticks: new Set(book.ticked) };
  found = null;
  $("set").replaceChildren();
  list(); await mix();
}

async function mix() {
  const mine = ++asked;
  form(true);
  const told = await ask("/api/mix", { book: chosen.name, overlays: [...chosen.ticks] });
  if (mine !== asked) return;
  found = told;
  form(false);
}

function form(loading) {
  const set = $("set"), held = set.contains(document.activeElement) ? document.activeElement.name : null;
  const before = { scenario: set.querySelector("[name=scenario]")?.value, players: [...set.querySelectorAll(".who select")].map(x => x.value) };
  set.hidden = false;
  const many = chosen.overlays.length, open = set.querySelector("details")?.open ?? (many < 8 || chosen.ticks.size > 0);
  const overlays = many ? el("details", { open }, el("summary", {}, `Overlays: options, variants, errata (${chosen.ticks.size ? `${chosen.ticks.size} of ` : ""}${many})`), el("div", { className: "ticks" }, chosen.overlays.map(o => el("label", {}, el("input", {
    type: "checkbox", name: `overlay-${o.call}`, checked: chosen.ticks.has(o.call), onchange: guarded(async e => { chosen.ticks[e.target.checked ? "add" : "delete"](o.call); await mix(); }),
  }), el("span", {}, o.title || o.overlay, " ", el("span", { className: "soft" }, `${o.sort} ${o.call}`)))))) : null;
  const refused = el("div", { className: "refused", role: "alert" }, (found?.refused || []).map(x => el("p", {}, x)));
  const ready = found && !found.refused;
  const rest = ready ? [
    el("fieldset", {}, el("legend", {}, "Scenario"), el("select", { name: "scenario", "aria-label": "Scenario" }, found.scenarios.map(s => el("option", { value: s.scenario, selected: s.scenario === before.scenario }, s.title)))),
    el("fieldset", {}, el("legend", {}, "Who plays"), el("div", { className: "who" }, found.sides.map((s, i) => el("label", {}, s.name, el("select", { name: `player-${s.side}` }, s.players.map(p => el("option", { value: p, selected: p === before.players[i] }, playing(p)))))))),
  ] : [];
  fill(set, loading ? el("p", { className: "soft busy" }, "Putting the rules together …") : null, refused, rest, el("button", { type: "button", className: "main", disabled: !ready || loading, onclick: guarded(begin) }, "Begin"),
    chosen.edit ? el("button", { type: "button", className: "edit", disabled: loading, title: "the workbench: change the rules of this book, and play under them", onclick: guarded(edit) }, "Change its rules …") : null, overlays);
  if (held) set.querySelector(`[name="${CSS.escape(held)}"]`)?.focus();
}

async function edit() {
  const { href } = await ask("/api/edit", { book: chosen.name });
  location.href = `${href}#${owner}`;
}

async function begin() {
  const players = Object.fromEntries(found.sides.map(s => [s.side, document.querySelector(`[name="player-${CSS.escape(s.side)}"]`).value]));
  const made = await ask("/api/tables", { book: chosen.name, overlays: [...chosen.ticks], scenario: document.querySelector("[name=scenario]").value, players });
  await games(made.id);
  document.querySelector(".game.new a")?.focus();
}

async function games(fresh) {
  const all = await ask("/api/tables");
  if (!all.length) { fill($("games"), el("p", { className: "soft" }, "None yet.")); return; }
  fill($("games"), all.map(game => {
    const hot = game.links.some(x => x.kind === "hot seat");
    const links = game.links.map(x => el("a", { href: x.href, target: "_blank", className: x.kind === "hot seat" || (!hot && x.kind === "seat") ? "hot" : "" }, x.kind === "seat" ? `sit as ${x.sides[0]}` : x.kind === "hot seat" ? "play all seats" : "look on"));
    const copy = game.links.filter(x => x.kind === "seat").map(x => el("button", { type: "button", className: "small", onclick: guarded(async () => { await navigator.clipboard.writeText(new URL(x.href, location.href).href); say(`The link of ${x.sides[0]} is copied: send it to whoever plays that side.`); }) }, `copy link of ${x.sides[0]}`));
    const others = Object.entries(game.players).filter(([, p]) => p !== "person").map(([s, p]) => `${s}: ${playing(p)}`).join(", ");
    return el("article", { className: `game${game.id === fresh ? " new" : ""}` }, el("h3", {}, game.title || game.scenario, " ", el("span", { className: "soft" }, game.rules)),
      el("p", { className: "soft" }, [new Date(game.begun * 1000).toLocaleString(), game.state, others, game.here ? `${game.here} here now` : ""].filter(Boolean).join(" · ")),
      el("div", { className: "seats" }, links, copy,
        el("button", { type: "button", className: "small", onclick: guarded(async () => { if (confirm("Make new links? The old ones open nothing any more.")) { await ask(`/api/tables/${game.id}/links`, {}); await games(game.id); } }) }, "new links"),
        el("button", { type: "button", className: "small", onclick: guarded(async () => { if (confirm("Put this game away for good?")) { await ask(`/api/tables/${game.id}`, null, "DELETE"); await games(); } }) }, "put away")));
  }));
}

guarded(async () => {
  books = await ask("/api/books");
  list();
  await games();
  document.body.dataset.ready = "yes";
})();
