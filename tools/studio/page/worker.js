// A worker with an engine: a message `{id, request}` comes in, `{id, answer}` goes out.
import { startEngine } from "./start.js";

let ask = null;

function answer({ id, request }) {
  try {
    postMessage({ id, answer: ask(request) });
  } catch (problem) {
    // The engine can't be trusted after this: whoever asked starts another one.
    postMessage({ id, broken: String(problem) });
  }
}

self.onmessage = async ({ data }) => {
  if (!data.module) return answer(data);
  ask = await startEngine(data.module);
  postMessage({ ready: true });
};
