// What stands beside the question: log, boxes off the map, history, answers of why and chances.

import { $, el, fill } from "./dom.js";

export class Aside {
  constructor(table) {
    this.table = table; this.lines = []; this.news = null;
    const tabs = ["log", "trays", "history"];
    const turn = name => {
      for (const x of tabs) {
        const on = x === name;
        $(`tab-${x}`).setAttribute("aria-selected", on); $(`tab-${x}`).tabIndex = on ? 0 : -1; $(x).hidden = !on;
      }
      if (name === "log") this.toEnd();
    };
    tabs.forEach((name, i) => {
      $(`tab-${name}`).onclick = () => turn(name);
      $(`tab-${name}`).onkeydown = e => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
        if (by) { const next = tabs[(i + by + 3) % 3]; turn(next); $(`tab-${next}`).focus(); }
      };
    });
  }

  // ---------------------------------------------------------------- the log

  key(frame) { return `seen:${this.table.id}:${frame.side || "-"}`; }

  log(frame) {
    const { from, lines } = frame.log, log = $("log");
    if (from === 0) {
      log.replaceChildren(); this.lines = []; this.day = null;
      if (this.side !== frame.side || this.news === null) {
        this.side = frame.side; this.news = Number(localStorage.getItem(this.key(frame)) ?? -1);
      }
    }
    lines.forEach(([parts, moment], i) => {
      const at = from + i;
      if (at === this.news && at > 0) log.append(el("p", { className: "since" }, "since you last looked"));
      const text = parts.map(p => p[0]).join("");
      const line = el("p", { className: text.startsWith("—") ? "phase" : text.startsWith("    ") ? "more" : text.startsWith("***") ? "won" : "said" }, this.pieces(parts));
      const places = parts.filter(p => p[1] === "place").map(p => p[2]);
      if (places.length) { line.onmouseenter = () => this.table.board.point(places, "told"); line.onmouseleave = () => this.table.board.point([]); }
      line.dataset.moment = moment;
      log.append(line);
    });
    this.count = from + lines.length;
    if (lines.length) this.toEnd();
    if (document.visibilityState === "visible" && document.hasFocus()) localStorage.setItem(this.key(frame), this.count);
    this.latest = from > 0 && lines.length ? lines.flatMap(([parts]) => parts.filter(p => p[1] === "place").map(p => p[2])) : [];
  }

  toEnd() { $("log").scrollTop = $("log").scrollHeight; }

  // A line: its places show themselves on the map, its cases open in the reference.
  pieces(parts) {
    return parts.map(([text, kind, value]) => {
      if (kind === "case") return this.table.caseLink(value, text);
      if (kind === "place") return el("button", { type: "button", className: "spot", onclick: () => { this.table.board.show(value, true); this.table.board.point([value], "told"); } }, text);
      return text;
    });
  }

  // ---------------------------------------------------------------- boxes off the map

  trays(frame) {
    const { board } = this.table, boxes = board.data.boxes, held = new Map();
    for (const [unit, place, face] of frame.units) if (place in boxes) { if (!held.has(place)) held.set(place, []); held.get(place).push([unit, face]); }
    for (const [place, many] of frame.hidden) if (!held.has(place)) held.set(place, many);
    const pickable = new Map();
    (frame.ask?.items || []).forEach((item, i) => { if (item.u !== undefined && !item.shut) pickable.set(item.u, { do: "pick", i }); });
    for (const [i, j, unit] of frame.lit || []) if (unit !== null && !pickable.has(unit)) pickable.set(unit, { do: "way", i, j });
    const made = [...held].sort((a, b) => a[0] - b[0]).map(([place, units]) => el("section", { className: "tray" }, el("h3", {}, capital(boxes[place]), " ", el("span", { className: "soft" }, Array.isArray(units) ? units.length : `${units} unseen`)),
      Array.isArray(units) ? el("div", { className: "row" }, units.map(([unit, face]) => {
        const [name, text] = board.data.units[unit], act = pickable.get(unit);
        return el("button", { type: "button", className: `piece${act ? " may" : ""}`, title: `${name} ${text}`, "aria-label": `${name}, ${text}`, disabled: !act, onclick: () => this.table.send(act) }, board.picture(face, 38));
      })) : null));
    fill($("trays"), made.length ? made : el("p", { className: "soft" }, "Nothing lies off the map."));
    $("tab-trays").textContent = `Off the map${held.size ? ` (${held.size})` : ""}`;
  }

  // ---------------------------------------------------------------- history

  history(frame, past) {
    const last = frame.moments, at = past ? past.at : last, { table } = this;
    const go = to => (to >= last ? table.now() : table.send({ do: "look", at: Math.max(0, to) }));
    const held = $("history").contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill($("history"),
      el("p", {}, past ? `After choice ${at} of ${last}` : `Now, after ${last} choice${last === 1 ? "" : "s"}`),
      el("input", { type: "range", min: 0, max: last, value: at, "data-key": "range", "aria-label": "Moment", onchange: e => go(Number(e.target.value)) }),
      el("div", { className: "foot" }, [["⏮", "first", 0], ["◀", "back", at - 1], ["▶", "on", at + 1], ["⏭", "now", last]].map(([sign, key, to]) => el("button", { type: "button", "data-key": `go-${key}`, "aria-label": { first: "To the beginning", back: "One choice back", on: "One choice on", now: "To now" }[key], disabled: (to < 0) || (to > last) || (!past && to >= last), onclick: () => go(to) }, sign))));
    if (held) $("history").querySelector(`[data-key="${held}"]`)?.focus();
    for (const line of $("log").querySelectorAll("[data-moment]")) line.classList.toggle("later", Boolean(past) && Number(line.dataset.moment) > at);
  }

  // ---------------------------------------------------------------- answers

  answer(title, ...content) {
    const close = el("button", { type: "button", className: "small", "aria-label": "Close", onclick: () => this.clear() }, "×");
    fill($("answer"), el("header", {}, el("h3", {}, title), close), ...content);
    $("answer").hidden = false;
    $("answer").scrollIntoView({ block: "nearest" });
  }

  clear() { $("answer").hidden = true; $("answer").replaceChildren(); }

  why({ title, lines, that }) {
    this.answer(title || "Why", el("div", { className: "whys" }, lines.map(parts => {
      const depth = (parts[0]?.[0].match(/^ */)?.[0].length ?? 0) / 2;
      const trimmed = parts.map((p, k) => (k ? p : [p[0].trimStart(), ...p.slice(1)]));
      return el("p", { className: `depth${Math.min(4, Math.floor(depth))}` }, this.pieces(trimmed));
    })), that === undefined ? null : el("div", { className: "foot" }, [["The one before", that + 1], ["The one after", that - 1]].map(([text, back]) => el("button", { type: "button", disabled: back < 0, onclick: () => this.table.send({ do: "that", back }) }, text))));
  }

  chances(told) {
    const groups = told.groups || [];
    this.answer(`Chances: ${told.text}`, told.said ? el("p", { className: "soft" }, told.said) : null, this.nest(groups, 0));
  }

  // Questions on the way, one within the other: each answer opens to what follows from it.
  nest(groups, depth) {
    if (!groups.length || groups[0].answers.length <= depth) return groups.map(group => (group.rows.length ? this.rows(group.rows) : el("p", { className: "soft" }, `No die is rolled. ${group.asked ? `Then is asked: ${group.asked}` : ""}`)));
    const by = new Map();
    for (const group of groups) { const key = group.answers[depth]?.[1] ?? ""; if (!by.has(key)) by.set(key, []); by.get(key).push(group); }
    return [el("p", { className: "asks" }, groups[0].answers[depth][0]), ...[...by].map(([answer, found]) => el("details", { className: "answered" }, el("summary", {}, `${answer}: `, found.length === 1 && found[0].answers.length === depth + 1 ? el("span", { className: "soft bars" }, found[0].rows.map(r => r.percent).join(" · ")) : null), this.nest(found, depth + 1)))];
  }

  rows(rows) {
    return el("table", { className: "chances" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Chance"), el("th", { scope: "col" }, "Dice"), el("th", { scope: "col" }, "What comes of it"))),
      el("tbody", {}, rows.map(row => el("tr", {}, el("td", { className: "share" }, el("meter", { min: 0, max: 1, value: row.share, "aria-label": row.chance }), el("span", {}, row.percent), el("span", { className: "soft" }, row.chance)), el("td", {}, row.dice), el("td", {}, row.lines.map(parts => el("p", {}, this.pieces(parts))))))));
  }
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
