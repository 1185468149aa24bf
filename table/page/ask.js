// The question and its list: all that the map offers stands here too, as text.

import { $, el, fill } from "./dom.js";

const DONE = { some: "OK", order: "OK", shares: "OK", plan: "OK" };
const LONG = 14;

export class Ask {
  constructor(table) {
    this.table = table; this.filter = "";
    $("ask").addEventListener("keydown", e => {
      if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
      const lines = [...$("ask").querySelectorAll(".line:not([hidden]) .pick")];
      const at = lines.indexOf(document.activeElement);
      const next = lines[at + (e.key === "ArrowDown" ? 1 : -1)];
      if (next) { e.preventDefault(); next.focus(); }
    });
  }

  draw(frame) {
    const { ask } = frame, had = document.activeElement?.dataset?.key, inside = $("ask").contains(document.activeElement);
    if (frame.n !== this.n) this.filter = "";
    this.n = frame.n; this.frame = frame;
    fill($("ask"), ask ? this.question(frame) : this.nothing(frame));
    if (inside) {
      const again = had ? $("ask").querySelector(`[data-key="${CSS.escape(had)}"]`) : null;
      (again || $("ask").querySelector(".line .pick:not([disabled])") || $("ask")).focus({ preventScroll: true });
    }
  }

  nothing(frame) {
    if (frame.over) return [el("h2", {}, frame.ending || "The game is over"), this.that(frame)];
    const names = frame.deciding.map(s => this.table.board.data.sides[s]).join(", ");
    const text = frame.side ? (names ? `${names} to decide` : "The game goes on …") : (names ? `${names} to decide` : "The game goes on …");
    return [el("h2", { className: "calm" }, text), frame.busy ? el("p", { className: "soft busy" }, "players that need no person are at it") : null, this.auto(frame), this.undo(frame), this.that(frame)];
  }

  question(frame) {
    const { ask } = frame, { board } = this.table;
    const crumbs = ask.title.split(" › ");
    const head = el("div", { className: "question" },
      ask.about.length ? el("div", { className: "about" }, ask.about.map(([, face]) => board.picture(face, 44))) : null,
      el("div", {}, el("h2", {}, ask.sort === "kinds" ? ask.title : crumbs.map((x, i) => el("span", { className: i < crumbs.length - 1 ? "crumb" : "" }, i ? " › " : "", x))),
        ask.case ? el("p", { className: "case" }, this.table.caseLink(ask.case[0], `${ask.case[0]} ${ask.case[1]}`.trim())) : null));
    const ways = frame.ways.length && !(ask.sort === "kinds") ? this.ways(frame) : null;
    return [head, ways, el("p", { className: "hint" }, this.hint(ask)), ask.items.length > LONG ? this.find() : null, this.list(ask), this.foot(frame), this.auto(frame), this.undo(frame), this.that(frame)];
  }

  hint(ask) {
    const words = { some: `Pick ${ask.least === ask.most ? ask.least : `${ask.least} to ${ask.most}`}, then OK.`, order: "Pick them in order, then OK.", shares: `Share out ${ask.most}: each pick gives one more.`, plan: "Pick one to change where it goes; OK when it stands." };
    const said = words[ask.sort] || (ask.waiting ? "Others decide now; you may step in, or pass." : ask.sort === "one" ? ask.hint : "");
    return ask.state ? `${said} ${ask.state.replace("; ok closes it", "").replace(": ok closes it", "")}` : said;
  }

  ways(frame) {
    const name = frame.ask.title.split(" › ")[0];
    return el("div", { className: "ways", role: "group", "aria-label": "Kinds of action" }, frame.ways.map((way, i) => el("button", {
      type: "button", className: "way", "data-key": `way${i}`, "aria-pressed": way.t === name ? "true" : "false", disabled: Boolean(way.shut), title: way.shut || way.note || "",
      onclick: () => this.table.send({ do: "way", i }),
    }, way.word ? (way.t === "done" ? "Done" : way.t) : way.t)));
  }

  find() {
    return el("input", { id: "filter", type: "search", placeholder: "Filter  ( / )", "aria-label": "Filter the list", value: this.filter, oninput: e => { this.filter = e.target.value; this.narrow(); } });
  }

  narrow() {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    for (const line of $("ask").querySelectorAll(".line")) line.hidden = !words.every(w => line.textContent.toLowerCase().includes(w));
  }

  list(ask) {
    const marked = ask.sort !== "one" && ask.sort !== "kinds";
    return el("ul", { className: `lines ${ask.sort}`, "aria-label": "What may be picked" }, ask.items.map((item, i) => {
      const { table } = this, { board } = table, face = item.u !== undefined ? table.faceOf(item.u) : null;
      const on = marked && item.mark && item.mark !== "[ ]" && item.mark !== "[0]" && item.mark !== "[idle]";
      const mark = marked ? el("span", { className: "mark" }, (item.mark || "").replace("[x]", "✓").replace(/[[\]]/g, "")) : null;
      const pick = el("button", {
        type: "button", className: `pick${on ? " on" : ""}`, disabled: Boolean(item.shut), "data-key": `item${i}`, "data-i": i,
        "aria-pressed": ask.sort === "some" ? String(Boolean(on)) : null,
        onclick: () => table.send({ do: "pick", i }), onmouseenter: () => table.point(item), onfocus: () => table.point(item), onmouseleave: () => table.point(null),
      }, mark, face !== null ? board.picture(face, 30) : null, el("span", { className: "words" }, el("span", { className: "t" }, this.nameOf(ask, item)), el("span", { className: "note" }, item.shut ? `not yet: ${item.shut}` : this.note(item))),
      item.cost ? el("span", { className: "cost", title: "cost of the way" }, item.cost) : null);
      const less = ask.sort === "shares" && on ? el("button", { type: "button", className: "small", "aria-label": `none for ${item.t}`, onclick: () => table.send({ do: "pick", i, times: 0 }) }, "×") : null;
      const why = el("button", { type: "button", className: "small why", "aria-label": `why ${item.t}`, title: "Why?", "data-key": `why${i}`, onclick: () => table.send({ do: "why", i }) }, "?");
      const odds = ask.whole && ask.sort === "one" ? el("button", { type: "button", className: "small odds", "aria-label": `chances of ${item.t}`, title: "The chances", "data-key": `odds${i}`, onclick: () => table.send({ do: "chances", i }) }, "⚄") : null;
      return el("li", { className: "line" }, pick, less, odds, why);
    }));
  }

  nameOf(ask, item) { return ask.sort === "kinds" && item.t === "done" ? "Done with this step" : item.t; }

  note(item) { return item.path ? (item.note || "").replace(/^\d+ steps?: /, "via ").replaceAll(">", " › ") : item.note || ""; }

  foot(frame) {
    const { ask } = frame, { table } = this, made = [];
    const button = (text, key, message, more = {}) => el("button", { type: "button", "data-key": key, onclick: () => table.send(message), ...more }, text);
    if (DONE[ask.sort]) {
      made.push(button("OK", "ok", { do: "ok" }, { className: "main", disabled: ask.ready === false }));
      if (ask.sort !== "plan") made.push(button("All", "all", { do: "fill", every: true }), button("None", "none", { do: "fill", every: false }));
      if (ask.ready) made.push(button("Chances", "odds", { do: "chances" }));
      if (ask.sort === "plan" || ask.taken) made.push(button("Why?", "why", { do: "why", i: 0 }));
    }
    if (ask.waiting) made.push(button("Let them go on", "pass", { do: "pass" }, { className: "main" }));
    if (ask.depth > 1) made.push(button("Back", "back", { do: "back" }));
    if (table.bends.length) made.push(el("button", { type: "button", onclick: () => table.straighten() }, "Without bends"));
    return made.length ? el("div", { className: "foot" }, made) : null;
  }

  // Being done with the same step each time, for steps that come again and again.
  auto(frame) {
    const { table } = this, key = table.passKey(frame);
    const words = frame.ways.filter(w => !w.shut && w.t !== "done").map(w => w.t).join(", ") || "this step";
    const tick = key && frame.ask.depth < 2 ? el("label", { className: "soft" }, el("input", { type: "checkbox", "data-key": "auto", onchange: () => { table.passes.set(key, words); table.pass(table.frame); table.ask.draw(table.frame); }, checked: table.passes.has(key) }), ` Be done with this each time (${words})`) : null;
    const kept = [...table.passes].filter(([k]) => k !== key).map(([k, w]) => el("button", { type: "button", className: "small", title: "ask me again", onclick: () => { table.passes.delete(k); table.ask.draw(table.frame); } }, `done by itself: ${w} ×`));
    return tick || kept.length ? el("div", { className: "undo" }, tick, kept) : null;
  }

  that(frame) {
    if (!frame.who.thinking || !frame.moments) return null;
    return el("div", { className: "undo" }, el("button", { type: "button", "data-key": "that", title: "why the opponent chose as it did (Y)", onclick: () => this.table.send({ do: "that", back: 0 }) }, "Why did you do that?"));
  }

  undo(frame) {
    const { own, phase, ask } = frame.undo || {}, { table } = this;
    if (!ask) return null;
    const button = (text, how, on, title) => el("button", { type: "button", "data-key": `undo-${how}`, disabled: !on, title, onclick: () => table.send({ do: "undo", how }) }, text);
    return el("div", { className: "undo", role: "group", "aria-label": "Take back" }, el("span", { className: "soft" }, "Take back my"),
      button("choice", "own", own, "until a die or a secret has been shown"), button("phase", "phase", phase, "to the start of the phase"), button("last one, by agreement", "ask", true, "the last choice of all; other persons are asked, and dice fall the same again"));
  }
}
