// A part of the board, shown larger: by two fingers, by Ctrl and the wheel, by + and -; and a magnifier, which comes by
// itself where a finger touches cells that are too small for it, and goes when one of them was chosen.

const most = 8; // times as large
const smallest = 24; // pixels of a cell that a finger hits
const magnified = 44; // and of one under the magnifier
const still = 8; // pixels that a finger trembles

export class Zoom {
  // `onChange(zoomed)` is told whenever another part is shown.
  constructor(root, { onChange = () => {} } = {}) {
    Object.assign(this, { root, onChange, whole: null, part: null, lens: false, fingers: new Map() });
    root.addEventListener("pointerdown", (event) => this.down(event), true);
    root.addEventListener("pointermove", (event) => this.move(event), true);
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, (event) => this.up(event), true);
    root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get zoomed() {
    return this.part !== null;
  }

  // A picture of a board of this size, "left top width height", has come. The part stays while the board does.
  begin(box) {
    if (this.box !== box) Object.assign(this, { box, whole: box.split(" ").map(Number), part: null, lens: false });
    this.show();
  }

  show() {
    const box = (this.part ?? this.whole)?.join(" ");
    if (!box) return;
    for (const picture of this.root.querySelectorAll(":scope > svg, .previewed > svg")) picture.setAttribute("viewBox", box);
    this.root.classList.toggle("zoomed", this.zoomed);
    this.onChange(this.zoomed);
  }

  reset() {
    Object.assign(this, { part: null, lens: false });
    this.show();
  }

  // The part that is `times` as large as the whole, with a point of the board where `at` (shares of the picture) is.
  to(times, [x, y], [atX, atY] = [0.5, 0.5]) {
    const [left, top, width, height] = this.whole;
    const scale = Math.min(most, Math.max(1, times));
    if (scale < 1.02) return this.reset();
    const [wide, high] = [width / scale, height / scale];
    const within = (wanted, from, size, all) => Math.max(from, Math.min(from + all - size, wanted));
    this.part = [within(x - atX * wide, left, wide, width), within(y - atY * high, top, high, height), wide, high];
    this.show();
  }

  get times() {
    return this.part ? this.whole[2] / this.part[2] : 1;
  }

  // Larger or smaller by a factor, around a point of the screen, or the middle.
  by(factor, screen = null) {
    const at = screen ? this.shares(screen) : [0.5, 0.5];
    this.lens = false;
    this.to(this.times * factor, this.pointAt(at), at);
  }

  // Where a point of the screen is in the picture, as shares of it; and which point of the board that is.
  shares({ x, y }) {
    const box = this.root.getBoundingClientRect();
    return [(x - box.left) / box.width, (y - box.top) / box.height];
  }
  pointAt([atX, atY]) {
    const [left, top, width, height] = this.part ?? this.whole;
    return [left + atX * width, top + atY * height];
  }

  // --- the magnifier

  // A finger touched the board where its cells are so small (in pixels): is the board shown closer instead?
  magnifies(screen, size) {
    if (this.zoomed || size >= smallest) return false;
    const at = this.shares(screen);
    this.to(magnified / size, this.pointAt(at), at);
    this.lens = true;
    return true;
  }

  // A cell was chosen under it.
  chosen() {
    if (this.lens) this.reset();
  }

  // --- fingers

  down(event) {
    if (event.pointerType !== "touch") return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 2) this.pinch = this.grip();
    else if (this.fingers.size === 1 && this.zoomed) this.pan = { from: this.pointAt(this.shares(this.fingers.get(event.pointerId))), x: event.clientX, y: event.clientY, far: false };
  }

  // Two fingers: how far apart they are, and what is between them.
  grip() {
    const [one, other] = [...this.fingers.values()];
    const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
    return { apart: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)), middle, point: this.whole && this.pointAt(this.shares(middle)), times: this.times };
  }

  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger || !this.whole) return;
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 2 && this.pinch) {
      const { apart, middle } = this.grip();
      this.lens = false;
      this.to((this.pinch.times * apart) / this.pinch.apart, this.pinch.point, this.shares(middle));
    } else if (this.pan && this.zoomed) {
      this.pan.far ||= Math.hypot(event.clientX - this.pan.x, event.clientY - this.pan.y) > still;
      if (this.pan.far) this.to(this.times, this.pan.from, this.shares(finger));
    }
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    if (this.fingers.size > 0) return;
    // The finger that is lifted last chooses nothing.
    this.gestured = Boolean(this.pinch || this.pan?.far);
    this.pinch = this.pan = null;
  }

  // Is more than one cell meant by what the fingers do?
  get gesture() {
    return Boolean(this.pinch || this.pan?.far);
  }

  wheel(event) {
    if (!event.ctrlKey || !this.whole) return;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
  }
}
