// The rules of ridge.rules as a boardgame.io game, with random players that choose as Rulewright's do.
// Use: node ridge.js FOLDER SECONDS [SEED], FOLDER holding node_modules; prints games, choices and seconds as JSON.
const path = require("path");
const [folder, seconds, seed] = [process.argv[2], Number(process.argv[3] || 2), Number(process.argv[4] || 1)];
const bgio = (name) => require(path.join(folder, "node_modules", "boardgame.io", "dist", "cjs", name));
const { InitializeGame, CreateGameReducer } = bgio("internal.js");
const { INVALID_MOVE } = bgio("core.js");

const COLUMNS = 9, ROWS = 7;
const at = (r, c) => r * COLUMNS + c;
const WOODS = new Set([at(1, 2), at(1, 3), at(2, 5), at(3, 1), at(3, 4), at(4, 5), at(5, 2), at(5, 6)]);
const ALDER = at(3, 5);
const UNITS = [
  [0, 4, 3, at(1, 0)], [0, 4, 3, at(2, 0)], [0, 4, 3, at(4, 0)], [0, 6, 4, at(3, 0)], [0, 2, 5, at(5, 0)],
  [1, 3, 3, at(3, 5)], [1, 3, 3, at(4, 6)], [1, 3, 3, at(1, 7)], [1, 5, 4, at(2, 7)],
];
const SIDE = UNITS.map((u) => u[0]), STRENGTH = UNITS.map((u) => u[1]), MOVEMENT = UNITS.map((u) => u[2]);
const RESULTS = [
  null, ["AE", "AE", "NE", "NE"], ["AE", "NE", "NE", "DE"], ["AE", "NE", "NE", "DE"],
  ["NE", "NE", "DE", "DE"], ["NE", "NE", "DE", "DE"], ["NE", "DE", "DE", "DE"],
];
const NEAR = [], PRICE = [], COVER = [];
for (let r = 0; r < ROWS; r++)
  for (let c = 0; c < COLUMNS; c++) {
    const shift = r % 2 === 0 ? [0, 1] : [-1, 0];
    const found = [[r, c - 1], [r, c + 1]];
    for (const d of [-1, 1]) for (const s of shift) found.push([r + d, c + s]);
    NEAR.push(found.filter(([y, x]) => y >= 0 && y < ROWS && x >= 0 && x < COLUMNS).map(([y, x]) => at(y, x)).sort((a, b) => a - b));
    PRICE.push(WOODS.has(at(r, c)) ? 2 : 1);
    COVER.push(WOODS.has(at(r, c)) || at(r, c) === ALDER ? 1 : 0);
  }

const unitsOf = (G, side) => UNITS.map((_, u) => u).filter((u) => G.at[u] !== null && SIDE[u] === side);
const here = (G, place) => UNITS.map((_, u) => u).filter((u) => G.at[u] === place);

function marches(G, u) {
  const start = G.at[u], limit = MOVEMENT[u];
  const enemies = new Set(), zones = new Set();
  G.at.forEach((p, v) => {
    if (p !== null && SIDE[v] !== SIDE[u]) { enemies.add(p); NEAR[p].forEach((n) => zones.add(n)); }
  });
  const cost = new Map([[start, 0]]), last = new Map([[start, -1]]);
  const buckets = Array.from({ length: limit + 1 }, () => []);
  buckets[0].push(start);
  for (let spent = 0; spent <= limit; spent++)
    for (const h of buckets[spent].sort((a, b) => a - b)) {
      if (zones.has(h) && h !== start) continue;
      for (const t of NEAR[h]) {
        const total = spent + PRICE[t];
        if (total > limit || cost.has(t) || enemies.has(t)) continue;
        cost.set(t, total); last.set(t, h); buckets[total].push(t);
      }
    }
  const paths = [];
  for (const place of [...cost.keys()].sort((a, b) => a - b)) {
    if (place === start) continue;
    const way = [place];
    while (way[way.length - 1] !== start) way.push(last.get(way[way.length - 1]));
    paths.push(way.reverse());
  }
  return paths;
}

function odds(G, a, h) {
  const theirs = here(G, h).reduce((sum, u) => sum + STRENGTH[u] + COVER[h], 0), ours = STRENGTH[a];
  return ours >= 3 * theirs ? 3 : ours >= 2 * theirs ? 2 : ours >= theirs ? 1 : 2 * ours >= theirs ? 0 : -1;
}

const mayAttack = (G, side, a, h) => {
  const there = here(G, h);
  return there.length > 0 && SIDE[there[0]] !== side && odds(G, a, h) >= 0;
};

const game = {
  name: "ridge",
  setup: () => ({ at: UNITS.map((u) => u[3]), moved: UNITS.map(() => false), fought: UNITS.map(() => false), segment: "movement", out: null }),
  moves: {
    move: ({ G, ctx }, u, way) => {
      if (G.segment !== "movement" || SIDE[u] !== Number(ctx.currentPlayer) || G.moved[u]) return INVALID_MOVE;
      if (here(G, way[way.length - 1]).length >= 2) return INVALID_MOVE;
      if (!marches(G, u).some((p) => p.length === way.length && p.every((x, i) => x === way[i]))) return INVALID_MOVE;
      G.at[u] = way[way.length - 1];
      G.moved[u] = true;
    },
    attack: ({ G, ctx, random }, a, h) => {
      const side = Number(ctx.currentPlayer);
      if (G.segment !== "combat" || SIDE[a] !== side || G.fought[a] || !NEAR[G.at[a]].includes(h)) return INVALID_MOVE;
      if (!mayAttack(G, side, a, h)) return INVALID_MOVE;
      G.fought[a] = true;
      const result = RESULTS[random.D6()][odds(G, a, h)];
      if (result === "AE") G.at[a] = null;
      if (result === "DE") for (const u of here(G, h)) G.at[u] = null;
    },
    done: ({ G, ctx, events }) => {
      if (G.segment === "movement") { G.segment = "combat"; return; }
      const side = Number(ctx.currentPlayer);
      if (unitsOf(G, 1 - side).length === 0) events.endGame({ winner: side });
      else if (unitsOf(G, side).length === 0) events.endGame({ winner: 1 - side });
      else if (ctx.turn === 16) events.endGame({ winner: here(G, ALDER).some((u) => SIDE[u] === 0) ? 0 : 1 });
      else {
        G.segment = "movement"; G.moved.fill(false); G.fought.fill(false);
        events.endTurn();
      }
    },
  },
};

let state32 = seed >>> 0; // a small random source of its own for the players
const random = () => {
  state32 = (state32 + 0x6d2b79f5) >>> 0;
  let t = state32;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const shuffled = (list) => {
  const found = [...list];
  for (let i = found.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [found[i], found[j]] = [found[j], found[i]];
  }
  return found;
};

const few = (list) => shuffled(list).slice(0, Math.floor(random() * (list.length + 1))); // from none to all of them

function choose(G, ctx) {
  const side = Number(ctx.currentPlayer);
  if (G.segment === "movement") {
    for (const u of few(unitsOf(G, side).filter((x) => !G.moved[x])))
      for (const way of shuffled(marches(G, u))) if (here(G, way[way.length - 1]).length < 2) return ["move", [u, way]];
  } else {
    for (const a of few(unitsOf(G, side).filter((x) => !G.fought[x])))
      for (const h of shuffled(NEAR[G.at[a]])) if (mayAttack(G, side, a, h)) return ["attack", [a, h]];
  }
  return ["done", []];
}

const reducer = CreateGameReducer({ game });
let choices = 0;
function playout(n) {
  let state = InitializeGame({ game: { ...game, seed: `${seed}:${n}` }, numPlayers: 2 });
  while (state.ctx.gameover === undefined) {
    const [type, args] = choose(state.G, state.ctx);
    state = reducer(state, { type: "MAKE_MOVE", payload: { type, args, playerID: state.ctx.currentPlayer } });
    choices++;
  }
  return state.ctx.gameover.winner;
}

for (let n = 0; n < 50; n++) playout(-1 - n);
choices = 0;
const wins = [0, 0], began = process.cpuUsage();
let games = 0, spent = 0;
while (spent < seconds) {
  for (let i = 0; i < 20; i++) wins[playout(games++)]++;
  const used = process.cpuUsage(began);
  spent = (used.user + used.system) / 1e6;
}
console.log(JSON.stringify({ games, choices, seconds: spent, wins }));
