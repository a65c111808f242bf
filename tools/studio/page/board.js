// The board: the engine's picture, and over it a cell each that can be clicked, dragged from and reached by keys.
import { make } from "./dom.js";
import { nextCells } from "./moves.js";
import { Zoom } from "./zoom.js";

const svgSpace = "http://www.w3.org/2000/svg";

function element(name, attributes) {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function shapeOf(cell, hexes) {
  const { x, y, width, height } = cell;
  if (!hexes)
    return element("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 3, class: "area" });
  const upright = width > height; // it lies on a side, and is as wide as from corner to corner
  const radius = upright ? width / 2 : width / Math.sqrt(3);
  const corners = [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * (upright ? i + 0.5 : i);
    return `${x + radius * Math.sin(angle)},${y - radius * Math.cos(angle)}`;
  });
  return element("polygon", { points: corners.join(" "), class: "area" });
}

export class Board {
  // `onCell(cell)` is told of each click; `onEscape()` of Escape; `onZoom(zoomed)` when another part of it is shown.
  constructor(root, { onCell, onEscape, onZoom = () => {} }) {
    this.root = root;
    this.zoom = new Zoom(root, { onChange: onZoom });
    this.onCell = onCell;
    this.onEscape = onEscape;
    this.cells = [];
    this.focused = 0;
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.drag(event));
    root.addEventListener("pointerup", (event) => this.release(event));
    root.addEventListener("pointercancel", () => this.dropGhost());
  }

  show(view, hexes) {
    this.cells = view.cells;
    const hadFocus = this.root.contains(this.home.activeElement);
    this.view = view;
    this.root.innerHTML = view.svg;
    const picture = this.root.querySelector("svg");
    picture.setAttribute("aria-hidden", "true");
    picture.classList.add("picture");
    const box = picture.getAttribute("viewBox");
    this.overlay = element("svg", { viewBox: box, class: "overlay", role: "group", "aria-label": "board" });
    this.groups = this.cells.map((cell, i) => {
      const group = element("g", { class: "cell", role: "button", tabindex: -1, "data-cell": cell.cell, "data-name": cell.name });
      group.append(shapeOf(cell, hexes), element("circle", { cx: cell.x, cy: cell.y, r: Math.min(cell.width, cell.height) * 0.16, class: "dot" }));
      group.addEventListener("focus", () => this.moveTab(i));
      this.overlay.append(group);
      return group;
    });
    this.root.append(this.overlay);
    const [, , width, height] = box.split(" ").map(Number);
    this.root.style.setProperty("--ratio", width / height);
    this.root.style.setProperty("--wide", `${width * 1.5}px`);
    this.zoom.begin(box);
    this.moveTab(Math.min(this.focused, this.cells.length - 1));
    if (hadFocus) this.groups[this.focused]?.focus();
  }

  // The document, or the shadow tree that the board is in.
  get home() {
    return this.root.getRootNode();
  }

  // Nothing is to be seen.
  clear() {
    this.root.replaceChildren();
    Object.assign(this, { cells: [], groups: [], view: null });
  }

  nameOf(number) {
    return this.cells.find((one) => one.cell === number)?.name ?? "?";
  }

  // Shows how the board would be; null shows it as it is.
  preview(view) {
    this.root.querySelector(".previewed")?.remove();
    this.root.classList.toggle("previewing", Boolean(view));
    if (!view) return;
    const shown = make("div", { class: "previewed", "aria-hidden": "true" });
    shown.innerHTML = view.svg;
    this.overlay.before(shown);
    this.zoom.show();
  }

  // The part of a picture in which cells hold something else than now, with some room around it.
  partThatDiffers(view, chosen) {
    const now = new Map(this.cells.map((cell) => [cell.cell, cell.holds]));
    const differ = view.cells.filter((cell) => now.get(cell.cell) !== cell.holds || chosen.includes(cell.cell));
    const box = view.svg.match(/viewBox="([^"]+)"/)?.[1] ?? "0 0 1 1";
    const [left, top, wide, high] = box.split(" ").map(Number);
    if (differ.length === 0) return box;
    const side = Math.max(...differ.map((cell) => Math.max(cell.width, cell.height)));
    const from = { x: Math.min(...differ.map((cell) => cell.x)) - 1.5 * side, y: Math.min(...differ.map((cell) => cell.y)) - 1.5 * side };
    const to = { x: Math.max(...differ.map((cell) => cell.x)) + 1.5 * side, y: Math.max(...differ.map((cell) => cell.y)) + 1.5 * side };
    const x = Math.max(left, from.x);
    const y = Math.max(top, from.y);
    return `${x} ${y} ${Math.min(left + wide, to.x) - x} ${Math.min(top + high, to.y) - y}`;
  }

  // A move that is only talked of.
  arrow(path) {
    const cells = path.map((number) => this.cells.find((one) => one.cell === number)).filter(Boolean);
    this.overlay.querySelector(".arrow")?.remove();
    if (cells.length === 0) return;
    const made = element("g", { class: "arrow" });
    const end = cells[cells.length - 1];
    made.append(element("polyline", { points: cells.map((cell) => `${cell.x},${cell.y}`).join(" ") }), element("circle", { cx: end.x, cy: end.y, r: Math.min(end.width, end.height) * 0.3 }));
    this.overlay.append(made);
  }

  // Marks where moves begin or go on.
  mark(moves, chosen) {
    this.overlay?.querySelector(".arrow")?.remove();
    const { next, last } = nextCells(moves, chosen);
    const picked = new Set(chosen);
    this.cells.forEach((cell, i) => {
      const can = next.has(cell.cell);
      const { classList } = this.groups[i];
      classList.toggle("chosen", picked.has(cell.cell));
      classList.toggle("source", can && chosen.length === 0);
      classList.toggle("target", (can || last.has(cell.cell)) && chosen.length > 0);
      const told = [cell.name, cell.holds || "empty"];
      if (picked.has(cell.cell)) told.push("chosen");
      if (can) told.push(chosen.length === 0 ? "can be chosen" : "can be reached");
      this.groups[i].setAttribute("aria-label", told.join(", "));
    });
    this.marked = { next, last };
  }

  // Larger or smaller, around the cell that has the keys.
  closer(factor) {
    const cell = this.cells[this.focused];
    if (cell) this.zoom.to(this.zoom.times * factor, [cell.x, cell.y]);
  }

  // How large the smallest cell is on the screen.
  get smallestCell() {
    const [, , width] = this.zoom.part ?? this.zoom.whole;
    const scale = this.root.getBoundingClientRect().width / width;
    return scale * Math.min(...this.cells.map((cell) => Math.min(cell.width, cell.height)));
  }

  moveTab(i) {
    this.groups?.[this.focused]?.setAttribute("tabindex", -1);
    this.focused = Math.max(0, i);
    this.groups?.[this.focused]?.setAttribute("tabindex", 0);
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Escape") this.onEscape();
    else if (event.key === "Enter" || event.key === " ") this.onCell(this.cells[this.focused].cell);
    else if (ways[event.key]) this.step(ways[event.key]);
    else if (event.key === "+" || event.key === "-") this.closer(event.key === "+" ? 1.5 : 1 / 1.5);
    else if (event.key === "0") this.zoom.reset();
    else return;
    event.preventDefault();
  }

  // To the nearest cell in a direction; what lies aside counts as farther away.
  step([dx, dy]) {
    const here = this.cells[this.focused];
    let best = -1;
    let least = Infinity;
    this.cells.forEach((cell, i) => {
      const ahead = (cell.x - here.x) * dx + (cell.y - here.y) * dy;
      const aside = Math.abs((cell.x - here.x) * dy) + Math.abs((cell.y - here.y) * dx);
      if (ahead < 1 || aside > ahead * 1.8) return;
      const far = ahead + 2 * aside;
      if (far < least) [least, best] = [far, i];
    });
    if (best < 0) return;
    if (this.zoom.zoomed) this.zoom.to(this.zoom.times, [this.cells[best].x, this.cells[best].y]);
    this.groups[best].focus();
  }

  cellAt(event) {
    const group = this.home.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");
    return group ? Number(group.dataset.cell) : null;
  }

  press(event) {
    if (event.button !== 0 || this.cells.length === 0) return;
    this.dropGhost();
    if (this.zoom.fingers.size > 1) return;
    const touch = event.pointerType === "touch";
    if (touch && this.zoom.magnifies({ x: event.clientX, y: event.clientY }, this.smallestCell)) return event.preventDefault();
    const cell = this.cellAt(event);
    if (cell === null) return this.zoom.chosen();
    this.pressed = { cell, x: event.clientX, y: event.clientY };
    if (this.marked?.next.has(cell)) event.preventDefault(); // a finger drags the piece, not the page
  }

  drag(event) {
    if (!this.pressed) return;
    if (this.zoom.gesture && !this.ghost) return this.dropGhost();
    const far = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y);
    if (!this.ghost && far > 6 && this.marked?.next.has(this.pressed.cell)) this.lift(this.pressed.cell);
    if (this.ghost) this.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  }

  // The piece under the pointer: the same picture, cut to its cell.
  lift(number) {
    this.zoom.pan = null;
    const cell = this.cells.find((one) => one.cell === number);
    const picture = this.root.querySelector(".picture").cloneNode(true);
    const side = Math.max(cell.width, cell.height);
    picture.setAttribute("viewBox", `${cell.x - side / 2} ${cell.y - side / 2} ${side} ${side}`);
    picture.removeAttribute("class");
    const shown = this.groups[0].querySelector(".area").getBoundingClientRect().width;
    picture.setAttribute("width", shown);
    picture.setAttribute("height", shown);
    this.ghost = document.createElement("div");
    this.ghost.className = "ghost";
    this.ghost.append(picture);
    (this.home.body ?? this.home).append(this.ghost);
    if (!this.groups[this.cells.indexOf(cell)].classList.contains("chosen")) this.onCell(number);
  }

  release(event) {
    const pressed = this.pressed;
    this.pressed = null;
    if (!pressed) return;
    const dragged = Boolean(this.ghost);
    this.dropGhost();
    const cell = this.cellAt(event);
    if (dragged && cell !== null && cell !== pressed.cell) this.onCell(cell);
    if (dragged || cell !== pressed.cell || this.zoom.gestured) return;
    this.zoom.chosen();
    this.moveTab(this.cells.findIndex((one) => one.cell === cell));
    this.onCell(cell);
  }

  dropGhost() {
    this.pressed = null;
    this.ghost?.remove();
    this.ghost = null;
  }
}
