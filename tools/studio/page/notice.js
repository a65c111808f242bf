// A line above everything: something happened that a person should know, with what can be done about it.
import { button, make } from "./dom.js";

export class Notice {
  constructor(root) {
    this.root = root;
  }

  // `actions`: [text, what to do]; any of them, or the cross, ends it.
  show(text, actions = []) {
    const made = actions.map(([name, act]) =>
      button(name, () => {
        this.hide();
        act();
      }),
    );
    this.root.replaceChildren(make("span", {}, text), ...made, button("✕", () => this.hide(), { "aria-label": "close this notice", class: "quiet" }));
    this.root.hidden = false;
  }

  hide() {
    this.root.hidden = true;
    this.root.replaceChildren();
  }
}
