// The map: a picture of the paper, and over it what changes. One CSS transform moves and magnifies both.

import { $, svg, drawing, fill } from "./dom.js";
import { where } from "./wire.js";

const FAN = 4, SHOWN = 4;

export class Board {
  constructor(data, id, on) {
    this.data = data; this.on = on; this.view = $("view"); this.sheet = $("sheet");
    this.x = 0; this.y = 0; this.scale = 1; this.cursor = null; this.stacks = new Map(); this.faces = new Map();
    const picture = new Image();
    picture.src = where(id).map; picture.alt = ""; picture.draggable = false;
    picture.width = data.width; picture.height = data.height;
    this.live = svg("svg", { viewBox: `0 0 ${data.width} ${data.height}`, width: data.width, height: data.height, "aria-hidden": "true", focusable: "false", class: "live" });
    this.defs = svg("defs");
    data.symbols.forEach(x => this.defs.append(...drawing(x)));
    this.layers = {};
    for (const name of ["held", "marks", "goals", "units", "way", "front"]) this.layers[name] = svg("g", { class: name });
    this.live.append(this.defs, ...Object.values(this.layers));
    fill(this.sheet, picture, this.live);
    this.sheet.style.width = `${data.width}px`; this.sheet.style.height = `${data.height}px`;
    this.listen();
    this.fit();
    new ResizeObserver(() => { if (!this.moved) this.fit(); }).observe(this.view);
  }

  // ---------------------------------------------------------------- where one looks

  place() {
    this.sheet.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    if (this.scale !== this.sharp) { clearTimeout(this.sharper); this.sharper = setTimeout(() => this.sharpen(), 160); }
    this.on.moved();
  }

  // What will change is painted once and then only moved, the paper apart from what lies on it: without it each frame
  // would paint the whole map anew (0.5 s for the largest one). What is painted keeps its scale, so after zooming it is
  // let go of for a moment.
  sharpen() {
    this.sharp = this.scale;
    const layers = [this.sheet, ...this.sheet.children];
    for (const x of layers) x.style.willChange = "auto";
    requestAnimationFrame(() => requestAnimationFrame(() => { for (const x of layers) x.style.willChange = "transform"; }));
  }

  fit() {
    const { clientWidth: w, clientHeight: h } = this.view;
    this.scale = Math.min(w / this.data.width, h / this.data.height) || 1;
    if (this.scale < 0.45) this.scale = Math.max(this.scale, Math.min(w / this.data.width, 0.45));
    this.x = (w - this.data.width * this.scale) / 2; this.y = (h - this.data.height * this.scale) / 2;
    if (this.y < 0 && this.data.height * this.scale > h) this.y = 0;
    this.place();
  }

  zoom(by, at) {
    const { left, top, width, height } = this.view.getBoundingClientRect();
    const px = at ? at.clientX - left : width / 2, py = at ? at.clientY - top : height / 2;
    const to = Math.max(0.15, Math.min(5, this.scale * by));
    this.x = px - (px - this.x) * to / this.scale; this.y = py - (py - this.y) * to / this.scale;
    this.scale = to; this.moved = true; this.place();
  }

  spot(place) { const at = this.data.places[place]; return at ? [Number(at[2]), Number(at[3])] : null; }

  onScreen(place) {
    const [x, y] = this.spot(place);
    return [this.x + x * this.scale, this.y + y * this.scale];
  }

  // Brings a place into view, if it is not.
  show(place, always = false) {
    const at = this.spot(place);
    if (!at) return;
    const { clientWidth: w, clientHeight: h } = this.view;
    const [sx, sy] = this.onScreen(place);
    const rim = Math.min(70, w / 5, h / 5);
    if (!always && sx > rim && sy > rim && sx < w - rim && sy < h - rim) return;
    if (this.scale < 0.7 && always) this.scale = 0.9;
    this.x = w / 2 - at[0] * this.scale; this.y = h / 2 - at[1] * this.scale; this.moved = true; this.place();
  }

  // Brings all these places into view, larger than before if there is room.
  showAll(places) {
    const spots = places.map(p => this.spot(p)).filter(Boolean);
    if (!spots.length) return;
    const { clientWidth: w, clientHeight: h } = this.view;
    const inside = places.filter(p => this.spot(p)).every(p => {
      const [x, y] = this.onScreen(p); return x > 20 && y > 20 && x < w - 20 && y < h - 20;
    });
    if (inside && this.moved) return;
    const xs = spots.map(s => s[0]), ys = spots.map(s => s[1]);
    const left = Math.min(...xs) - 70, right = Math.max(...xs) + 70, top = Math.min(...ys) - 70, bottom = Math.max(...ys) + 70;
    this.scale = Math.max(0.45, Math.min(this.moved ? this.scale : 1.25, w / (right - left), h / (bottom - top)));
    this.x = w / 2 - (left + right) / 2 * this.scale; this.y = h / 2 - (top + bottom) / 2 * this.scale;
    this.moved = true; this.place();
  }

  // ---------------------------------------------------------------- what lies on it

  hexagon(place, kind) {
    const [x, y] = this.spot(place);
    const at = { class: kind, transform: `translate(${x} ${y})` };
    return this.data.hex ? svg("polygon", { points: this.data.hex, ...at }) : svg("circle", { r: this.data.point * 1.4, ...at });
  }

  learn(faces) {
    for (const [id, text] of Object.entries(faces)) if (!this.faces.has(Number(id))) this.faces.set(Number(id), drawing(text)[0]);
  }

  face(id) { return this.faces.get(id)?.cloneNode(true) ?? svg("g"); }

  // A counter alone, for lists and trays.
  picture(face, size = 40) {
    const made = svg("svg", { viewBox: "-16 -16 32 32", width: size, height: size, "aria-hidden": "true", focusable: "false", class: "counter" });
    made.append(this.face(face));
    return made;
  }

  draw(scene) {
    const lies = JSON.stringify([scene.units, scene.held, scene.marks]);
    if (lies === this.lies) return;
    this.lies = lies;
    this.stacks = new Map();
    for (const [unit, place, face] of scene.units) {
      if (!this.spot(place)) continue;
      if (!this.stacks.has(place)) this.stacks.set(place, []);
      this.stacks.get(place).push({ unit, face });
    }
    fill(this.layers.held, scene.held.map(([place, side]) => {
      const [x, y] = this.spot(place);
      return svg("path", { transform: `translate(${x + 9} ${y - 15})`, d: "M0 0V12M0 0H9V6H0", class: "flag", fill: this.data.colors[side] || "#888" });
    }));
    fill(this.layers.marks, scene.marks.map(([place, text]) => {
      const [x, y] = this.spot(place), g = svg("g", { transform: `translate(${x} ${y})` });
      g.append(...drawing(text));
      return g;
    }));
    fill(this.layers.units, [...this.stacks].map(([place, units]) => this.stack(place, units)));
  }

  stack(place, units) {
    const [x, y] = this.spot(place), g = svg("g", { transform: `translate(${x} ${y})` });
    const shown = units.slice(0, SHOWN), fan = FAN * (shown.length - 1) / 2;
    for (let k = shown.length - 1; k >= 0; k--) {
      const one = svg("g", { transform: `translate(${-fan + FAN * k} ${fan - FAN * k})` });
      one.append(this.face(shown[k].face));
      g.append(one);
    }
    if (units.length > SHOWN) {
      const at = 14.5 + fan - 2, text = svg("text", { x: at, y: -at + 2.6, class: "many" });
      text.textContent = units.length;
      g.append(svg("circle", { cx: at, cy: -at, r: 6, class: "many-disc" }), text);
    }
    return g;
  }

  // What may be picked on the map: places by kind, with a word in each (a cost).
  light(goals) {
    const made = [];
    for (const { place, kind, text } of goals) {
      if (!this.spot(place)) continue;
      made.push(this.hexagon(place, `lit ${kind}`));
      if (text && !this.stacks.has(place)) {
        const [x, y] = this.spot(place), label = svg("text", { x, y: y + 5, class: "cost" });
        label.textContent = text;
        made.push(label);
      }
    }
    fill(this.layers.goals, made);
  }

  way(path, bends = []) {
    const points = path.map(p => this.spot(p)).filter(Boolean);
    const made = points.length > 1 ? [svg("polyline", { points: points.map(p => p.join(",")).join(" "), class: "way-under" }), svg("polyline", { points: points.map(p => p.join(",")).join(" "), class: "way-over" })] : [];
    fill(this.layers.way, made, bends.map(p => { const [cx, cy] = this.spot(p); return svg("circle", { cx, cy, r: 5, class: "bend" }); }));
  }

  point(places, kind = "pointed") { fill(this.layers.front, places.filter(p => this.spot(p)).map(p => this.hexagon(p, kind)), this.cursor !== null && this.focused ? [this.hexagon(this.cursor, "cursor")] : []); this.pointed = places; }

  // ---------------------------------------------------------------- mouse and keys

  at(event) {
    const { left, top } = this.view.getBoundingClientRect();
    const x = (event.clientX - left - this.x) / this.scale, y = (event.clientY - top - this.y) / this.scale;
    let best = null, near = this.data.hex ? 28 : 26;
    for (const [place, at] of Object.entries(this.data.places)) {
      const far = Math.hypot(at[2] - x, at[3] - y);
      if (far < near) { near = far; best = Number(place); }
    }
    return best;
  }

  listen() {
    let down = null;
    const fingers = new Map();
    this.view.addEventListener("pointerdown", e => {
      if (e.button > 0 || e.target.closest("button")) return;
      fingers.set(e.pointerId, e);
      const place = this.at(e);
      down = { x: e.clientX, y: e.clientY, sx: this.x, sy: this.y, place, unit: this.on.grab(place), moved: false, id: e.pointerId };
      this.view.setPointerCapture(e.pointerId);
    });
    this.view.addEventListener("pointermove", e => {
      if (fingers.size === 2 && fingers.has(e.pointerId)) {
        const [a, b] = [...fingers.values()], before = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        fingers.set(e.pointerId, e);
        const [c, d] = [...fingers.values()], now = Math.hypot(c.clientX - d.clientX, c.clientY - d.clientY);
        this.zoom(now / before, { clientX: (c.clientX + d.clientX) / 2, clientY: (c.clientY + d.clientY) / 2 });
        if (down) down.moved = true;
        return;
      }
      if (!down) { this.on.hover(this.at(e)); return; }
      const dx = e.clientX - down.x, dy = e.clientY - down.y;
      if (!down.moved && Math.hypot(dx, dy) > 6) { down.moved = true; if (down.unit) this.on.lift(down.place); }
      if (down.moved && down.unit) this.on.hover(this.at(e), true);
      else if (down.moved) { this.x = down.sx + dx; this.y = down.sy + dy; this.moved = true; this.place(); }
    });
    const up = e => {
      fingers.delete(e.pointerId);
      if (!down || down.id !== e.pointerId) return;
      const was = down; down = null;
      if (e.type === "pointercancel") return;
      if (was.moved) { if (was.unit) this.on.drop(this.at(e), was.place); } else this.on.click(was.place, e);
    };
    this.view.addEventListener("pointerup", up);
    this.view.addEventListener("pointercancel", up);
    this.view.addEventListener("contextmenu", e => { e.preventDefault(); const place = this.at(e); if (place !== null) this.on.why(place); });
    this.view.addEventListener("wheel", e => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY / 500), e); }, { passive: false });
    this.view.addEventListener("focus", () => { this.focused = true; if (this.cursor !== null) this.point(this.pointed || []); });
    this.view.addEventListener("blur", () => { this.focused = false; this.point(this.pointed || []); });
    $("zoom-in").onclick = () => this.zoom(1.3);
    $("zoom-out").onclick = () => this.zoom(1 / 1.3);
    $("zoom-fit").onclick = () => { this.moved = false; this.fit(); };
    $("hide-counters").onclick = e => {
      const hide = e.currentTarget.getAttribute("aria-pressed") !== "true";
      e.currentTarget.setAttribute("aria-pressed", hide);
      this.layers.units.classList.toggle("hide", hide);
    };
  }

  // One step of the cursor: to the neighbour that lies most in that direction.
  step(dx, dy) {
    if (this.cursor === null) { this.cursor = this.on.first(); } else {
      const [x, y] = this.spot(this.cursor);
      let best = null, most = 0.3;
      for (const p of this.data.near[this.cursor] || []) {
        const [px, py] = this.spot(p), far = Math.hypot(px - x, py - y), along = ((px - x) * dx + (py - y) * dy) / far;
        if (along > most) { most = along; best = p; }
      }
      if (best !== null) this.cursor = best;
    }
    if (this.cursor !== null) { this.show(this.cursor); this.point(this.pointed || []); this.on.hover(this.cursor); }
  }
}
