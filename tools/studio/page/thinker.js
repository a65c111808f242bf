// An engine that thinks, in a worker of its own beside the one that answers the page.
import { Engine } from "./engine.js";

export class Thinker {
  // The engine, brought to where a game is: `{ name, text, settings, begin, moves }`.
  async at({ name, text, settings, begin, moves }) {
    this.engine ??= new Engine();
    const { engine } = this;
    // What was loaded is known from the moment it is asked for: an engine that is stopped meanwhile forgets it again.
    const key = JSON.stringify([engine.lives, text, settings]);
    const request = this.has === key ? { do: "go_to" } : { do: "load", name, text, settings };
    this.has = key;
    await engine.ask({ ...request, begin, moves });
    return engine;
  }

  // What it is thinking of is of no use any more.
  stop() {
    this.engine?.restart();
  }

  end() {
    this.engine?.end();
    this.engine = this.has = null; // the next one has been told nothing
  }
}
