// Python in the browser: the compiled book, the runtime and the seat, as they run on a desk.

let seat = null, busy = Promise.resolve(), choices = -1;
const tell = text => postMessage({ loading: text });

async function begin(settings) {
  tell("starting Python");
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const python = await loadPyodide({ indexURL: new URL("pyodide/", self.location.href).href });
  tell("unpacking the rules");
  const packed = await (await fetch("game.zip")).arrayBuffer();
  python.unpackArchive(packed, "zip", { extractDir: "/game" });
  python.globals.set("settings", JSON.stringify(settings));
  python.globals.set("tell", tell);
  tell("setting up the pieces");
  seat = python.runPython(`
import sys, types
if "sqlite3" not in sys.modules:  # nothing is kept on a disk here
    sqlite3 = sys.modules["sqlite3"] = types.ModuleType("sqlite3")
    sqlite3.Error = sqlite3.DatabaseError = Exception
sys.path.insert(0, "/game")
from rulewright.table.alone.room import begin
begin("/game", settings, tell)
`);
  await goOn();
}

// What is to be sent goes out; the game is handed over to be kept when a choice has been made.
function send(texts) {
  for (const told of JSON.parse(texts)) postMessage(told);
  const state = JSON.parse(seat.state());
  if (state.choices !== choices) { choices = state.choices; postMessage({ state }); }
}

async function goOn() {
  while (!seat.go_on()) {
    send(seat.told());
    await new Promise(go => setTimeout(go, 0));
  }
  send(seat.told());
}

self.onmessage = ({ data }) => {
  busy = busy.then(async () => {
    try {
      if (data.begin) await begin(data.begin);
      else if (seat) { send(seat.hear(JSON.stringify(data.message))); await goOn(); }
    } catch (error) {
      const lines = String(error.message || error).trim().split("\n");
      postMessage(seat ? { say: lines.at(-1) } : { gone: `The game did not begin: ${lines.at(-1)}` });
    }
  });
};
