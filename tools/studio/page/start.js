// An engine in this thread, of what was compiled: answers a function from requests to answers. What it throws says that
// the engine has stopped, and can't be trusted any more.
import createEngine from "engine-glue";

export async function startEngine(module) {
  const engine = await createEngine({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance));
      return {};
    },
    print: () => {},
    printErr: () => {},
  });
  return (request) => JSON.parse(engine.ccall("boardwright_ask", "string", ["string"], [JSON.stringify(request)]));
}
