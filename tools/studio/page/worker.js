// A worker with an engine: a message `{id, request}` comes in, `{id, answer}` goes out.
import createEngine from "engine-glue";

let engine = null;

function answer({ id, request }) {
  try {
    postMessage({ id, answer: JSON.parse(engine.ccall("boardwright_ask", "string", ["string"], [JSON.stringify(request)])) });
  } catch (problem) {
    // The engine can't be trusted after this: whoever asked starts another one.
    postMessage({ id, broken: String(problem) });
  }
}

self.onmessage = async ({ data }) => {
  if (data.module) {
    engine = await createEngine({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(data.module, imports).then((instance) => done(instance));
        return {};
      },
      print: () => {},
      printErr: () => {},
    });
    postMessage({ ready: true });
    return;
  }
  answer(data);
};
