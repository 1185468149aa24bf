"use strict";
// Starts `rulewright lsp` and hands the editor's questions to it.

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The command of the settings; a relative path is looked up in the workspace folders first. */
function command() {
  const chosen = vscode.workspace.getConfiguration("rulewright").get("command") || "rulewright";
  if (path.isAbsolute(chosen)) return chosen;
  for (const folder of vscode.workspace.workspaceFolders || []) {
    const found = path.join(folder.uri.fsPath, chosen);
    if (/[\\/]/.test(chosen) && fs.existsSync(found)) return found;
  }
  return chosen;
}

async function start() {
  const folders = vscode.workspace.workspaceFolders || [];
  const options = folders.length ? { cwd: folders[0].uri.fsPath } : {};
  const server = { command: command(), args: ["lsp"], options };
  client = new LanguageClient("rulewright", "Rulewright", server, {
    documentSelector: [{ language: "rules" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.rules") },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Rulewright does not start (${server.command} lsp): ${error.message}. ` +
        "Install it with: pip install 'rulewright[lsp]', or set rulewright.command."
    );
  }
}

async function stop() {
  if (client && client.isRunning()) await client.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulewright.restart", async () => {
      await stop();
      await start();
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
