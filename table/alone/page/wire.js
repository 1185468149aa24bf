// In the place of a socket: a worker with Python in it. The table's page knows no difference.

const book = await (await fetch("book.json")).json();
const KEY = `alone ${book.rules}`;
let map = "";
const named = name => (name ? `-${name}` : "");
export const where = () => ({ board: `board${named(map)}.json`, map: `map${named(map)}.svg`, rule: () => null });

export class Wire {
  constructor(id, token, on) {
    this.on = on;
    const kept = JSON.parse(localStorage.getItem(KEY) || "null"), given = new URLSearchParams(token);
    this.settings = token === "kept" && kept ? kept : { scenario: given.get("scenario") ?? book.scenarios[0][0], players: (given.get("players") ?? "").split(","), seed: Number(given.get("seed") ?? 0) };
    this.keeping = token === "kept" || !given.has("unkept");
    if (this.settings.players.length !== book.sides.length) { on({ gone: "This link names no players; begin from the first page." }); return; }
    map = book.scenarios.find(([name]) => name === this.settings.scenario)?.[2] || book.maps[0];
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = event => on({ gone: `Python did not start: ${event.message || "is Pyodide in the folder pyodide?"}` });
    this.worker.postMessage({ begin: this.settings });
  }
  hear(told) {
    if (told.state) this.keep(told.state);
    else this.on(told);
  }
  // A person's game stays in this browser until another one begins; a reload goes on with it.
  keep(state) {
    window.alone = state;
    if (!this.keeping || !this.settings.players.includes("person")) return;
    const { scenario, players, seed } = this.settings;
    try {
      localStorage.setItem(KEY, JSON.stringify({ scenario, players, seed, hash: book.hash, made: state.made, choices: state.choices }));
      if (location.hash !== "#kept") history.replaceState(null, "", "#kept");
    } catch { /* no room in this browser: the game goes on, and is gone with the page */ }
  }
  send(message) {
    this.worker.postMessage({ message });
    return true;
  }
}
