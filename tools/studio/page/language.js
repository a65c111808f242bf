// The client of the language server that is inside the engine.

export class Language {
  constructor(engine, uri) {
    this.engine = engine;
    this.uri = uri;
    this.version = 0;
    this.id = 0;
    this.onDiagnostics = () => {};
    this.sent = null;
  }

  async send(message) {
    const { answers = [] } = await this.engine.ask({ do: "lsp", message: JSON.stringify({ jsonrpc: "2.0", ...message }) });
    const all = answers.map((text) => JSON.parse(text));
    for (const { method, params } of all)
      if (method === "textDocument/publishDiagnostics" && params.uri === this.uri) this.onDiagnostics(params.diagnostics);
    return all;
  }

  async request(method, params) {
    const id = ++this.id;
    const answers = await this.send({ id, method, params: { textDocument: { uri: this.uri }, ...params } });
    return answers.find((answer) => answer.id === id)?.result ?? null;
  }

  async open(text) {
    await this.request("initialize", { capabilities: {}, processId: null, rootUri: null });
    await this.send({ method: "initialized", params: {} });
    this.sent = text;
    await this.send({ method: "textDocument/didOpen", params: { textDocument: { uri: this.uri, languageId: "boardwright", version: ++this.version, text } } });
  }

  async change(text) {
    if (text === this.sent) return;
    this.sent = text;
    await this.send({ method: "textDocument/didChange", params: { textDocument: { uri: this.uri, version: ++this.version }, contentChanges: [{ text }] } });
  }
}
