// The workbench: an editor with the language server behind a socket, the example under the cursor, a game under the text.

import { EditorState, EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection, defaultKeymap, history, historyKeymap, indentWithTab, StreamLanguage, HighlightStyle, syntaxHighlighting, indentUnit, search, searchKeymap, lintGutter, tags, LSPClient, languageServerExtensions } from "./editor.js";

const $ = id => document.getElementById(id);
const owner = location.hash.slice(1) || sessionStorage.getItem("owner") || "";
if (owner) sessionStorage.setItem("owner", owner);
const at = location.pathname.replace(/\/$/, "");
const nonce = document.querySelector("meta[name=nonce]").content;
const make = (tag, text, kind) => { const made = document.createElement(tag); if (text !== undefined) made.textContent = text; if (kind) made.className = kind; return made; };
const say = (text, bad) => { $("say").textContent = text; $("say").classList.toggle("bad", Boolean(bad)); };

async function ask(path, body) {
  const how = { headers: { authorization: `Bearer ${owner}` }, method: body ? "POST" : "GET", body: body ? JSON.stringify(body) : undefined };
  const answer = await fetch(`${at}/api/${path}`, how);
  if (answer.status === 403) throw new Error("This page needs the whole link that the server printed.");
  const told = await answer.json().catch(() => ({}));
  if (told.refused) throw Object.assign(new Error(told.refused.join("; ")), { reasons: told.refused });
  if (!answer.ok) throw new Error("That did not work.");
  return told;
}

// One thing at a time: a button waits until its work is done, and says what it does.
const guarded = (button, doing, work) => async event => {
  button.disabled = true;
  say(doing);
  try { await work(event); } catch (error) { say(error.message, true); } finally { button.disabled = false; }
};

// ---------------------------------------------------------------- the language

const desk = await ask("state").catch(error => { say(error.message, true); throw error; });
$("book").textContent = desk.name;
document.title = `${desk.name} · Workbench`;
const keywords = new Set(desk.keywords);
const rules = StreamLanguage.define({
  name: "rules",
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^@[\w/]+/)) return "atom";
    if (stream.match(/^\d+d\d+|^\d+(?:[:.]\d+)*/)) return "number";
    if (stream.match(/^[A-Za-z_]\w*/)) return keywords.has(stream.current()) ? "keyword" : "variableName";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
});
const colors = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--word)" }, { tag: tags.string, color: "var(--text)" }, { tag: tags.number, color: "var(--number)" },
  { tag: tags.atom, color: "var(--number)" }, { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);
const look = EditorView.theme({
  "&": { fontSize: "14px", backgroundColor: "var(--card)", color: "var(--ink)" }, ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--tint)", color: "var(--soft)", border: "0" }, ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--tint) 60%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" }, ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "40rem" },
  ".cm-panels": { backgroundColor: "var(--tint)", color: "var(--ink)" }, ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--link) 28%, transparent)" },
});

// ---------------------------------------------------------------- the language server

let client = null;
const findings = new Map();
function connect() {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${at}/language`);
  const heard = new Set(), waiting = [];
  const transport = {
    send: text => { socket.readyState === WebSocket.OPEN ? socket.send(text) : waiting.push(text); },
    subscribe: on => heard.add(on), unsubscribe: on => heard.delete(on),
  };
  socket.onopen = () => { socket.send(owner); waiting.splice(0).forEach(text => socket.send(text)); };
  socket.onmessage = event => {
    const told = JSON.parse(event.data);
    if (told.method === "textDocument/publishDiagnostics") { findings.set(told.params.uri, told.params.diagnostics); list(); }
    heard.forEach(on => on(event.data));
  };
  socket.onclose = () => { $("count").textContent = "the language server has ended; load the page again"; $("count").className = "pill bad"; };
  client = new LSPClient({ rootUri: desk.root, timeout: 60000, extensions: languageServerExtensions() }).connect(transport);
}

const uri = name => `${desk.root}/${name.split("/").map(encodeURIComponent).join("/")}`;
const named = address => decodeURIComponent(address.slice(desk.root.length + 1));
function list() {
  const all = [...findings].filter(([address]) => address.startsWith(desk.root)).flatMap(([address, told]) => told.map(d => [named(address), d]));
  const wrong = all.filter(([, d]) => d.severity <= 2);
  $("count").textContent = wrong.length ? String(wrong.length) : "none";
  $("count").className = `pill ${wrong.length ? "bad" : "good"}`;
  $("found").replaceChildren(...wrong.slice(0, 60).map(([name, d]) => {
    const item = make("li", undefined, d.severity === 1 ? "error" : ""), button = make("button", `${d.message.split("\n")[0]}`);
    button.type = "button";
    button.onclick = () => open(name, d.range.start.line + 1);
    item.append(button, make("div", `${name}:${d.range.start.line + 1} ${d.code ?? ""}`, "soft"));
    return item;
  }));
}

// ---------------------------------------------------------------- files and the editor

let view = null, file = "", kept = "", keeping = 0, looking = 0, asked = 0, texts = Promise.resolve();
function files(changed) {
  if (changed) desk.changed = changed;
  const wanted = $("filter").value.trim().toLowerCase();
  $("files").replaceChildren(...desk.files.filter(x => x.toLowerCase().includes(wanted)).map(name => {
    const item = make("li", undefined, `${desk.changed.includes(name) ? "changed" : ""} ${name.includes("/") ? "below" : ""}`), button = make("button", name.replace(/\.rules$/, ""));
    button.type = "button";
    if (name === file) button.setAttribute("aria-current", "true");
    if (desk.changed.includes(name)) button.title = "changed";
    button.onclick = () => open(name);
    item.append(button);
    return item;
  }));
}

async function open(name, line = 1) {
  await keep();
  if (name !== file) {
    const { text } = await ask(`text?file=${encodeURIComponent(name)}`);
    file = name; kept = text;
    if (view) view.destroy();
    view = new EditorView({
      parent: $("editor"),
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce), lineNumbers(), history(), drawSelection(), highlightActiveLine(), indentUnit.of("  "), search(), lintGutter(),
          rules, syntaxHighlighting(colors), look, EditorView.contentAttributes.of({ "aria-label": `The rules of ${name}` }),
          keymap.of([{ key: "Mod-s", run: () => { keep(); return true; } }, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
          client.plugin(uri(name), "rules"),
          EditorView.updateListener.of(update => { if (update.docChanged) typed(); if (update.docChanged || update.selectionSet) moved(); }),
        ],
      }),
    });
    view.scrollDOM.tabIndex = 0;
    $("file").textContent = name;
    files();
    moved();
  }
  const at = view.state.doc.line(Math.min(line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
  view.focus();
}

function typed() {
  if ($("verdict").textContent) { asked++; $("verdict").textContent = "…"; $("verdict").className = "pill"; $("example-box").className = ""; }
  $("state").textContent = "typing"; clearTimeout(keeping);
  keeping = setTimeout(keep, 600);
}
function keep() {
  clearTimeout(keeping);
  const text = view?.state.doc.toString();
  if (!view || text === kept) return texts;
  const name = file;
  texts = texts.then(async () => {
    const { changed } = await ask("text", { file: name, text });
    if (name === file) { kept = text; $("state").textContent = "kept"; }
    files(changed);
    moved();
  }).catch(error => say(error.message, true));
  return texts;
}

// ---------------------------------------------------------------- the example under the cursor

const inExample = () => {
  const { doc, selection } = view.state;
  let line = doc.lineAt(selection.main.head);
  const here = line.number;
  for (let n = here; n >= Math.max(1, here - 60); n--) {
    line = doc.line(n);
    if (/^\s*(house\s+)?example\s/.test(line.text)) return here;
    if (/^\s{0,2}\S/.test(line.text) && n < here && !/^\s*example/.test(line.text) && /^(case|  (define|action|route|procedure|note|except|table|mark|words|forbid|require))/.test(line.text)) return 0;
  }
  return 0;
};
// The example that was looked at last is asked again when the text has changed: what is shown is never of an older text.
let shown = null;
const again = () => {
  if (!shown || shown.file !== file) return 0;
  const at = view.state.doc.toString().indexOf(`example ${JSON.stringify(shown.title)}`);
  return at < 0 ? 0 : view.state.doc.lineAt(at).number;
};
function moved() { clearTimeout(looking); looking = setTimeout(example, 700); }
async function example() {
  if (!view || view.state.doc.toString() !== kept) return;
  const line = inExample() || (shown?.text !== kept ? again() : 0);
  if (!line) return;
  const mine = ++asked;
  $("verdict").textContent = "…"; $("verdict").className = "pill";
  const told = await ask("example", { file, line }).catch(error => ({ wrong: error.message }));
  if (mine !== asked) return;
  const box = $("example-box");
  box.className = "";
  $("failures").replaceChildren();
  if (told.none) { $("verdict").textContent = ""; return; }
  shown = { file, title: told.title ?? shown?.title, text: kept };
  if (told.wrong) { $("verdict").textContent = "does not compile"; $("verdict").className = "pill bad"; $("example-title").textContent = told.wrong; $("picture").replaceChildren(); return; }
  $("verdict").textContent = told.holds ? "holds" : "fails";
  $("verdict").className = `pill ${told.holds ? "good" : "bad"}`;
  box.className = told.holds ? "good" : "bad";
  $("example-title").textContent = `${told.title} · case ${told.case}`;
  $("failures").replaceChildren(...told.failures.map(([at, text]) => make("li", `line ${at}: ${text}`)));
  if (told.picture) {
    const image = make("img");
    image.src = URL.createObjectURL(new Blob([told.picture], { type: "image/svg+xml" }));
    image.alt = `The position of the example: ${told.title}`;
    $("picture").replaceChildren(image);
  } else $("picture").replaceChildren();
}

// ---------------------------------------------------------------- try it, what did I change, save as variant

let playing = desk.playing, mix = null;
async function choices() {
  await keep();
  mix = await ask("mix", {});
  $("scenario").replaceChildren(...mix.scenarios.map(s => Object.assign(make("option", s.title), { value: s.scenario })));
  $("who").replaceChildren(...mix.sides.map((s, i) => {
    const label = make("label", s.name), select = make("select");
    select.append(...s.players.map((p, k) => Object.assign(make("option", p === "person" ? "a person" : p.replace(":", ", ")), { value: p, selected: k === (i ? 1 : 0) })));
    select.name = s.side;
    label.append(select);
    return label;
  }));
}
const chosen = () => ({ scenario: $("scenario").value, players: Object.fromEntries([...$("who").querySelectorAll("select")].map(x => [x.name, x.value])) });
const answered = dialog => new Promise(done => { dialog.onclose = () => done(dialog.returnValue === "go"); dialog.returnValue = ""; dialog.showModal(); });
function tell(title, parts, href, link) {
  $("told-title").textContent = title;
  $("told-text").replaceChildren(...parts);
  $("told-link").hidden = !href;
  if (href) { $("told-link").href = href; $("told-link").textContent = link; }
  $("told").showModal();
}

$("try").onclick = guarded($("try"), "Putting the rules together …", async () => {
  await choices();
  say("");
  $("going-on").hidden = $("anew-box").hidden = !playing;
  if (!await answered($("trying"))) return;
  say("The rules are compiled and the pieces are set up …");
  const told = await ask("try", { ...chosen(), anew: !playing || $("anew").checked });
  playing = true;
  say("");
  const why = (told.reasons || []).map(x => make("p", x));
  if (why.length) why.unshift(make("p", "The game could not go on from its position, so a new one was begun:"));
  tell(told.went_on ? "The game goes on under the changed rules" : "A game under the changed rules", why, told.href, "To the table");
});
$("changes").onclick = guarded($("changes"), "The changes are read, and positions searched that show them …", async () => {
  await keep();
  const told = await ask("changes", {});
  say("");
  tell("What did I change?", [make("p", "Case by case: what it was, what it is, what that does to play, with positions that show it.")], told.href, "To the changes");
});
$("save").onclick = guarded($("save"), "Putting the rules together …", async () => {
  await choices();
  say("");
  if (!await answered($("saving"))) return;
  say("The changes are written as a variant …");
  const told = await ask("variant", { name: $("name").value, title: $("title").value, ...chosen() });
  say("");
  tell("The variant is saved", [make("p", `It lies in ${told.file}. On the command line: rulewright play BOOK+${told.file}, with the name of the book in the place of BOOK.`), make("pre", told.text)], told.href, "Play it");
});
$("title").oninput = () => { $("name").value = $("title").value.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^[_0-9]+|_+$/g, ""); };
$("filter").oninput = () => files();

window.bench = { view: () => view, open };
connect();
await open(desk.files.find(x => !/book|components/.test(x)) ?? desk.files[0]);
document.body.dataset.ready = "yes";
