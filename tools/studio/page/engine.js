// An engine in a worker of its own. Requests are answered in their order; README.md lists them.
import { assetBytes, assetText } from "./assets.js";

let compiled = null; // both workers share what was compiled
let script = null;

async function startWorker() {
  compiled ??= assetBytes("engine.wasm").then((bytes) => WebAssembly.compile(bytes));
  script ??= assetText("worker.js").then((text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const worker = new Worker(await script);
  worker.postMessage({ module: await compiled });
  return worker;
}

export class Engine {
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.lives = 0; // how often it has begun: what it was told before is forgotten
    this.start();
  }

  start() {
    ++this.lives;
    const starting = startWorker().then(
      (worker) =>
        new Promise((resolve) => {
          worker.onmessage = ({ data }) => (data.ready ? resolve(worker) : this.receive(data));
        }),
    );
    this.worker = starting;
    starting.catch((problem) => this.fail(String(problem)));
  }

  async ask(request) {
    const id = this.next++;
    const answered = new Promise((resolve) => this.waiting.set(id, resolve));
    const worker = await this.worker;
    worker.postMessage({ id, request });
    return answered;
  }

  receive({ id, answer, broken }) {
    this.waiting.get(id)?.(broken ? { error: `the engine stopped: ${broken}`, broken: true } : answer);
    this.waiting.delete(id);
    if (broken) this.restart();
  }

  // Not needed any more.
  end() {
    this.worker.then((worker) => worker.terminate());
  }

  fail(what) {
    for (const resolve of this.waiting.values()) resolve({ error: what, broken: true });
    this.waiting.clear();
  }

  // Stops whatever is being worked out; what was loaded is forgotten.
  restart() {
    this.worker.then((worker) => worker.terminate());
    this.fail("stopped");
    this.start();
  }
}
