// The table: what the server sends is drawn, what is clicked is sent as the number of a line. No rule is known here.

import { $, el, fill } from "./dom.js";
import { Aside } from "./aside.js";
import { Ask } from "./ask.js";
import { Board } from "./map.js";
import { Notice } from "./notice.js";
import { Wire, where } from "./wire.js";

class Table {
  constructor() {
    this.id = location.pathname.split("/")[2]; this.token = location.hash.slice(1);
    this.frame = null; this.past = null; this.bends = []; this.dropped = null; this.sent = 0;
    this.aside = new Aside(this); this.ask = new Ask(this); this.notice = new Notice();
    this.passes = new Map();
    this.since = Date.now();
    addEventListener("hashchange", () => location.reload());
    addEventListener("focus", () => { if (this.frame?.log) localStorage.setItem(this.aside.key(this.frame), this.aside.count); });
    document.addEventListener("keydown", e => this.key(e));
    $("help-open").onclick = () => $("help").showModal();
    $("cover-lift").onclick = () => this.send({ do: "lift" });
    if (!this.token) { this.cover("This link has no seat in it. Ask for the whole link."); return; }
    this.wire = new Wire(this.id, this.token, told => this.hear(told));
  }

  // ---------------------------------------------------------------- what comes

  async hear(told) {
    if (told.lost) { $("say").textContent = "The line is broken; trying again …"; document.body.classList.add("lost"); return; }
    document.body.classList.remove("lost");
    if (told.loading) { this.cover(`${told.loading} …`); return; }
    if (told.gone) { this.cover(told.gone); return; }
    if (told.say !== undefined) { $("say").textContent = told.say; if (told.stale) this.dropped = null; return; }
    if (told.why) { this.aside.why(told.why); return; }
    if (told.chances) { this.aside.chances(told.chances); return; }
    if (told.told !== undefined) { this.inspect(told.place, told.told); return; }
    if (told.past) { this.past = told.past; this.looking(); return; }
    this.coming = (this.coming || Promise.resolve()).then(() => this.show(told));
  }

  async show(frame) {
    if (!this.board) await this.begin();
    if (frame.curtain) {
      this.frame = null; this.board.draw({ units: [], held: [], marks: [] }); this.board.light([]); fill($("ask")); fill($("log")); fill($("turns")); fill($("panel")); fill($("trays")); this.aside.clear();
      this.cover(`It is for ${frame.name} to decide, and not all of it is for others to see.`, `I play ${frame.name}`);
      this.notice.turn(true, frame.name);
      document.body.dataset.n = "curtain";
      return;
    }
    this.cover(null);
    const before = this.frame;
    this.board.learn(frame.faces);
    this.frame = frame; this.bends = [];
    if (before && before.side !== frame.side) { this.past = null; }
    this.faces = new Map(frame.units.map(([u, , face]) => [u, face]));
    for (const [u, face] of frame.ask?.about || []) if (!this.faces.has(u)) this.faces.set(u, face);
    if (!before || before.n !== frame.n) { $("say").textContent = ""; if (before?.n !== frame.n && !this.keepAnswer) this.aside.clear(); }
    if (!this.past) this.draw();
    this.head(frame);
    this.ask.draw(frame); this.aside.log(frame); this.aside.trays(frame); this.aside.history(frame, this.past);
    this.request(frame);
    const mine = Boolean(frame.ask) && !frame.ask.waiting;
    this.notice.turn(mine, frame.ask?.title || "");
    if (!before) this.look();
    else if (this.lifted) { /* a counter is in the air: the map stays where it is */ }
    else if (mine && frame.ask.sort !== "kinds" && !this.past) this.board.showAll(this.goals().filter(g => g.kind !== "begin").map(g => g.place).slice(0, 400));
    else if (!mine && this.aside.latest.length) this.board.show(this.aside.latest.at(-1));
    if (this.aside.latest.length) this.board.point(this.aside.latest.slice(-12), "told");
    this.land();
    this.pass(frame);
    document.body.dataset.n = frame.n;
  }

  async begin() {
    const data = await (await fetch(where(this.id).board)).json();
    this.board = new Board(data, this.id, {
      moved: () => { $("chooser").hidden = true; }, grab: p => this.startOf(p).length > 0 && !this.past, hover: (p, dragging) => this.hover(p, dragging),
      lift: p => { this.lifted = true; this.click(p); }, drop: (to, from) => this.drop(to, from), click: (p, e) => this.click(p, e), why: p => this.why(p), first: () => this.firstPlace(),
    });
    $("title").textContent = data.title;
    this.notice.name(data.title);
    for (const [side, color] of Object.entries(data.colors)) document.documentElement.style.setProperty(`--side-${side}`, color);
  }

  head(frame) {
    $("phase").textContent = frame.phases.join(" › ");
    fill($("turns"), frame.turns.map(([name, when]) => el("li", { className: when < 0 ? "turn-was" : when ? "" : "turn-now", "aria-current": when ? null : "step" }, name)));
    fill($("panel"), frame.panel.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    const side = frame.side, seat = $("seat");
    seat.textContent = side ? this.board.data.sides[side] : "Looking on";
    seat.style.setProperty("--color", side ? this.board.data.colors[side] : "transparent");
    const others = frame.who.sides.length > 1 ? "all seats" : "";
    seat.title = [others, `here: ${frame.who.present.map(s => this.board.data.sides[s]).join(", ") || "nobody"}`, frame.who.watching ? `${frame.who.watching} looking on` : ""].filter(Boolean).join(" · ");
  }

  request(frame) {
    const { asked } = frame;
    $("request").hidden = !asked;
    if (asked) fill($("request"), el("p", {}, asked.text), asked.mine ? el("p", { className: "soft" }, "waiting for the others") : null, frame.side ? el("div", { className: "foot" }, asked.mine ? null : el("button", { type: "button", className: "main", onclick: () => this.send({ do: "agree", yes: true }) }, "Agree"), el("button", { type: "button", onclick: () => this.send({ do: "agree", yes: false }) }, asked.mine ? "Never mind" : "No")) : null);
  }

  cover(text, lift = "") {
    $("cover").hidden = text === null;
    if (text === null) { clearInterval(this.ticking); this.ticking = 0; return; }
    const said = () => { const s = Math.round((Date.now() - this.since) / 1000); $("cover-text").textContent = text + (text.endsWith("…") && s > 1 ? ` (${s} s)` : ""); };
    clearInterval(this.ticking); this.ticking = setInterval(said, 1000); said();
    $("cover-lift").hidden = !lift; $("cover-lift").textContent = lift;
    if (lift) $("cover-lift").focus();
  }

  // ---------------------------------------------------------------- drawing

  draw() { const seen = this.past || this.frame; this.board.draw(seen); this.board.light(this.past ? [] : this.goals()); this.board.way([]); this.board.point([]); }

  // What is lit: goals of the open list, and the counters and hexes with which actions begin.
  goals() {
    const { frame } = this, found = new Map();
    if (!frame?.ask) return [];
    for (const [, , , place] of frame.lit) if (place !== null) found.set(place, { place, kind: "begin" });
    frame.ask.items.forEach(item => {
      if (item.p === undefined || item.shut) return;
      const on = item.mark && !["[ ]", "[0]", "[idle]"].includes(item.mark);
      const kind = on ? "taken" : item.u !== undefined ? "begin" : "goal", had = found.get(item.p);
      if (!had || had.kind === "begin") found.set(item.p, { place: item.p, kind, text: item.cost || "" });
      else if (kind === "taken") had.kind = kind;
    });
    const moving = frame.ask.items.find(x => x.path)?.path[0];
    if (moving !== undefined) found.set(moving, { place: moving, kind: "taken" });
    return [...found.values()];
  }

  faceOf(unit) { return this.faces?.get(unit) ?? null; }

  caseLink(id, text) { const href = where(this.id).rule(id); return href === null ? el("span", {}, text) : el("a", { href, target: "_blank", rel: "noopener", className: "case-link" }, text); }

  point(item) {
    if (!item || this.past) { this.board.way([]); this.board.point([]); return; }
    this.board.way(item.path || []);
    this.board.point(item.p !== undefined ? [item.p] : []);
    if (item.p !== undefined) this.board.show(item.p);
  }

  // Begins where the question is: its goals, or what may act.
  look() {
    const places = this.goals().map(g => g.place);
    if (places.length) this.board.showAll(places); else if (this.board.stacks.size) this.board.showAll([...this.board.stacks.keys()]); else this.board.fit();
  }

  looking() {
    const { past } = this;
    if (past) this.board.learn(past.faces);
    $("past").hidden = !past;
    if (past) fill($("past"), el("span", {}, `You look at choice ${past.at} of ${past.of}`), el("button", { type: "button", onclick: () => this.now() }, "Back to now"));
    if (this.frame) { this.draw(); this.aside.history(this.frame, past); }
  }

  now() { this.past = null; this.looking(); }

  // ---------------------------------------------------------------- what goes

  send(message) {
    if (!message) return;
    if (message.do !== "look" && this.past) this.now();
    if (message.do === "undo") this.passes.clear();
    const whole = ["lift", "agree", "look", "told", "that"].includes(message.do) ? message : { ...message, n: this.frame?.n ?? 0 };
    this.keepAnswer = false;
    if (!this.wire.send(whole)) $("say").textContent = "The line is broken; nothing was sent.";
  }

  // What a click on a place could mean: lines of the open list, else beginnings of actions.
  meant(place) {
    const { frame } = this;
    if (!frame?.ask) return [];
    const here = frame.ask.items.map((item, i) => ({ item, i })).filter(({ item }) => item.p === place && !item.shut);
    if (here.length) return here.map(({ item, i }) => ({ message: { do: "pick", i }, item }));
    return this.startOf(place);
  }

  startOf(place) {
    const { frame } = this;
    if (!frame?.ask || place === null) return [];
    const inList = frame.ask.items.map((item, i) => ({ item, i })).filter(({ item }) => item.u !== undefined && item.p === place && !item.shut && frame.ask.sort === "one").map(({ item, i }) => ({ message: { do: "pick", i }, item }));
    const lit = frame.lit.filter(([, , , p]) => p === place).map(([i, j, u]) => ({ message: { do: "way", i, j }, item: { t: u !== null ? this.board.data.units[u][0] : this.board.data.places[place][0], u: u ?? undefined, way: frame.ways[i]?.t } }));
    return inList.length ? inList : lit;
  }

  click(place, event) {
    if (place === null || this.past) { $("chooser").hidden = true; return; }
    this.board.cursor = place;
    const path = this.frame?.ask?.items.some(x => x.path);
    if (event?.shiftKey && path) { this.bend(place); return; }
    if (this.bends.length) { this.send({ do: "via", places: [...this.bends, place] }); return; }
    const meant = this.meant(place);
    if (meant.length === 1) { this.lastPicked = meant[0].item; this.send(meant[0].message); } else if (meant.length) this.choose(place, meant);
    else { $("chooser").hidden = true; if (path && place in this.board.data.places) this.send({ do: "why", place }); else this.send({ do: "told", place }); }
  }

  bend(place) { this.bends.push(place); this.board.way([this.frame.ask.items.find(x => x.path).path[0], ...this.bends], this.bends); this.ask.draw(this.frame); $("say").textContent = `The way bends at ${this.bends.map(p => this.board.data.places[p][0]).join(", ")}; click where it ends.`; }

  straighten() { this.bends = []; this.board.way([]); this.ask.draw(this.frame); }

  // Several things lie there: they are fanned out beside it.
  choose(place, meant) {
    const box = $("chooser"), [x, y] = this.board.onScreen(place);
    const kinds = new Set(meant.map(m => m.item.way).filter(Boolean));
    fill(box, meant.map(({ message, item }) => el("button", { type: "button", className: "piece may", onclick: () => { box.hidden = true; this.send(message); }, onmouseenter: () => item.path && this.board.way(item.path) },
      item.u !== undefined && this.faceOf(item.u) !== null ? this.board.picture(this.faceOf(item.u), 42) : null, el("span", {}, item.t, kinds.size > 1 ? el("small", {}, ` ${item.way}`) : null, item.path ? el("small", {}, ` ${(item.note || "").replaceAll(">", " › ")}`) : null))));
    box.hidden = false;
    const { clientWidth: w, clientHeight: h } = this.board.view;
    box.style.left = `${Math.max(8, Math.min(x + 24, w - box.offsetWidth - 8))}px`; box.style.top = `${Math.max(8, Math.min(y - 20, h - box.offsetHeight - 8))}px`;
    box.querySelector("button").focus();
  }

  drop(to, from) {
    this.lifted = false;
    if (to === null || to === from) return;
    const goal = this.meant(to).filter(m => m.item.path || m.item.u === undefined);
    if (goal.length === 1 && goal[0].message.do === "pick") this.send(goal[0].message); else this.dropped = { to, at: Date.now() };
  }

  // A counter was dropped before its goals were known.
  land() {
    const { dropped } = this;
    if (!dropped || Date.now() - dropped.at > 4000) { this.dropped = null; return; }
    const goal = (this.frame?.ask?.items || []).map((item, i) => ({ item, i })).filter(({ item }) => item.p === dropped.to && item.u === undefined);
    if (goal.length) { this.dropped = null; if (goal.length === 1) this.send({ do: "pick", i: goal[0].i }); else this.choose(dropped.to, goal.map(({ item, i }) => ({ message: { do: "pick", i }, item }))); }
  }

  why(place) {
    if (!this.frame?.ask || this.past) { this.send({ do: "told", place }); return; }
    this.send({ do: "why", place });
  }

  hover(place) {
    if (!this.frame || this.past) return;
    if (place === this.hovered) return;
    this.hovered = place;
    if (place === null) { this.inspect(null, ""); this.board.way([]); return; }
    const [id, name] = this.board.data.places[place], stack = this.board.stacks.get(place) || [];
    const item = this.frame.ask?.items.find(x => x.p === place && !x.shut), lies = this.board.data.lies[place];
    this.inspect(place, [[id, name].filter(Boolean).join(" "), lies, item?.cost ? `cost ${item.cost}` : "", this.meant(place).length ? "may be picked" : ""].filter(Boolean).join(" · "));
    if (!this.bends.length) this.board.way(item?.path || []);
  }

  // What lies in a place, each counter large with its name and values: those of a stack cover each other on the map.
  inspect(place, text) {
    const stack = (place !== null && this.board.stacks.get(place)) || [];
    if (place !== null && this.board.spot(place)) {
      const [x, y] = this.board.onScreen(place), { clientWidth: w, clientHeight: h } = this.board.view;
      $("here").classList.toggle("up", y > h * 0.55 && x < w * 0.75);
    }
    fill($("here"), stack.length ? el("span", { className: "stack" }, stack.map(({ unit, face }) => el("span", { className: "one" }, this.board.picture(face, 46), el("span", {}, this.board.data.units[unit][0]), el("small", {}, ` ${this.board.data.units[unit][1]}`)))) : null, el("span", {}, text));
  }

  firstPlace() {
    const lit = this.goals().find(g => g.kind !== "taken") || this.goals()[0];
    return lit ? lit.place : Number(Object.keys(this.board.data.places)[0]);
  }

  // ---------------------------------------------------------------- keys

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || !this.board) return;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && !["range", "checkbox"].includes(e.target.type);
    if (e.key === "Escape") {
      if ($("help").open) return;
      if (!$("chooser").hidden) { $("chooser").hidden = true; $("view").focus(); } else if (typing) { e.target.blur(); $("ask").focus(); } else if (this.past) this.now(); else if (this.bends.length) this.straighten(); else if (this.frame?.ask?.depth > 1) this.send({ do: "back" });
      return;
    }
    if (typing) { if (e.key === "Enter") { const one = $("ask").querySelector(".line:not([hidden]) .pick:not([disabled])"); if (one) one.click(); } return; }
    const onMap = document.activeElement === $("view"), way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[e.key];
    if (onMap && way) { e.preventDefault(); this.board.step(...way); return; }
    if (onMap && e.key === "Enter") { e.preventDefault(); if (this.board.cursor === null) this.board.step(0, 0); else this.click(this.board.cursor, e); return; }
    const focused = document.activeElement?.dataset?.i;
    const acts = {
      w: () => (onMap && this.board.cursor !== null ? this.why(this.board.cursor) : focused !== undefined ? this.send({ do: "why", i: Number(focused) }) : null),
      c: () => (focused !== undefined && this.frame.ask.whole ? this.send({ do: "chances", i: Number(focused) }) : null),
      o: () => $("ask").querySelector("[data-key=ok]:not([disabled])")?.click(),
      u: () => $("ask").querySelector("[data-key=undo-own]:not([disabled])")?.click(),
      d: () => this.done(),
      y: () => $("ask").querySelector("[data-key=that]")?.click(),
      m: () => $("view").focus(),
      l: () => ($("ask").querySelector(".pick:not([disabled])") || $("ask")).focus(),
      "/": () => $("filter")?.focus(),
      "+": () => this.board.zoom(1.3), "-": () => this.board.zoom(1 / 1.3), "0": () => $("zoom-fit").click(),
      "?": () => $("help").showModal(),
    };
    const act = acts[e.key];
    if (act) { e.preventDefault(); act(); }
  }

  // What a side is asked with, where it may be done: the same kinds of action give the same key.
  passKey(frame) {
    const open = (frame.ask ? frame.ways : []).filter(w => !w.shut).map(w => w.t);
    return open.includes("done") && !frame.ask.waiting ? [frame.side, ...open].join(" · ") : null;
  }

  // Steps that the player has said to be done with each time; a kind of action more, and the step is asked again.
  pass(frame) {
    const words = this.passes.get(this.passKey(frame));
    if (!words || this.past) return;
    setTimeout(() => {
      if (this.frame.n !== frame.n || !this.passes.size) return;
      this.done();
      $("say").textContent = `Done by itself: ${words}.`;
    }, 200);
  }

  done() {
    const i = this.frame?.ways.findIndex(w => w.word && w.t === "done" && !w.shut);
    if (i >= 0) this.send({ do: "way", i });
  }
}

window.rulewright = new Table();
