// Moves made by hand: clicks on the board, and buttons for what these leave open. Nothing is played before it is clear
// which move is meant; where not all of its cells were clicked the board shows it first.
import { button, make } from "./dom.js";
import { choicesOf, click, withoutCells } from "./moves.js";

export class Hand {
  // `after(texts)` answers pictures of the board after these moves; `onPlay(text)` plays one, `onRefused(text)` tells
  // why one is none, `onStep()` is told that what was refused before is of no interest any more.
  // `read(text)` answers a move as its player reads it.
  constructor(board, { after, read = (text) => text, onPlay, onRefused, onStep }) {
    Object.assign(this, { board, after, read, onPlay, onRefused, onStep, moves: [], chosen: [], turn: 0 });
    this.root = make("div", { class: "choices", role: "group", "aria-label": "moves to choose from" });
    this.told = make("p", { class: "choices-told", role: "status", "aria-live": "polite" });
    this.root.append(this.told);
  }

  // The moves that may be made now; none where it is somebody else's turn.
  begin(moves) {
    this.moves = moves;
    this.choose([]);
  }

  // Nobody moves, and there is no board.
  leave() {
    Object.assign(this, { moves: [], chosen: [] });
    ++this.turn;
    this.offer([], { pictures: false });
  }

  choose(cells, texts = null) {
    this.chosen = cells;
    ++this.turn;
    this.board.preview(null);
    this.board.mark(this.moves, cells);
    const offered = texts ?? (cells.length === 0 ? withoutCells(this.moves).map((move) => move.text) : []);
    this.offer(offered, { pictures: cells.length > 0 });
  }

  // One of these moves is meant.
  offer(texts, { pictures, back = null, given = 0 } = {}) {
    const choices = texts.length > 0 ? choicesOf(texts, given) : [];
    const made = choices.map((choice) =>
      button(this.read(choice.label), () => (choice.texts.length === 1 ? this.onPlay(choice.texts[0]) : this.offer(choice.texts, { pictures, back: () => this.offer(texts, { pictures, back, given }) })), {
        class: "choice",
        title: choice.texts.length === 1 ? this.read(choice.texts[0]) : `${choice.texts.length} moves`,
      }),
    );
    if (back) made.push(button("Back", back, { class: "quiet" }));
    this.told.textContent = pictures && choices.length > 0 ? "Which of these?" : "";
    this.root.replaceChildren(this.told, ...made);
    if (pictures && choices.every((choice) => choice.texts.length === 1)) this.draw(choices, made);
  }

  // What each would do, as a picture of the part of the board that changes.
  async draw(choices, buttons) {
    const turn = this.turn;
    const views = await this.after(choices.map((choice) => choice.texts[0]));
    if (turn !== this.turn || !views) return;
    views.forEach((view, i) => {
      const picture = make("span", { class: "outcome", "aria-hidden": "true" });
      picture.innerHTML = view.svg;
      picture.firstChild.setAttribute("viewBox", this.board.partThatDiffers(view, this.chosen));
      buttons[i]?.prepend(picture);
    });
  }

  // Shows what a move would do, and asks.
  async show(cells, text) {
    this.choose(cells);
    const turn = this.turn;
    const views = await this.after([text]);
    if (turn !== this.turn) return;
    // Where something is hidden there is no picture of what comes of a move.
    if (views) this.board.preview(views[0]);
    const read = this.read(text);
    this.told.textContent = views ? "This is what the move does:" : `This is ${read}:`;
    const play = button(`Play ${read.length <= 24 ? read : "it"}`, () => this.onPlay(text), { class: "choice", title: read });
    this.root.replaceChildren(this.told, play, button("Not this one", () => this.choose([]), { class: "quiet" }));
    this.meant = { turn, cell: cells[cells.length - 1], text };
  }

  clicked(cell) {
    if (this.meant?.turn === this.turn && this.meant.cell === cell) return this.onPlay(this.meant.text);
    const meant = click(this.moves, this.chosen, cell, (number) => this.board.nameOf(number));
    this.onStep();
    if (meant.play !== undefined) return this.onPlay(meant.play);
    if (meant.preview !== undefined) return this.show(meant.chosen, meant.preview);
    this.choose(meant.chosen, meant.choices.length > 0 || meant.chosen.length > 0 ? meant.choices : null);
    if (meant.refused) this.onRefused(meant.refused);
  }
}
