// Starts `boardwright lsp`, and shows files of the library that are inside the program.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate(context) {
  const command = vscode.workspace.getConfiguration("boardwright").get("program");
  client = new LanguageClient(
    "boardwright",
    "Boardwright",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "boardwright" }] },
  );
  const library = {
    provideTextDocumentContent: async (uri) =>
      (await client.sendRequest("boardwright/text", { uri: uri.toString() })).text,
  };
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider("boardwright", library));
  await client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
