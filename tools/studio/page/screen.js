// Who is before the screen of a game in which something is hidden, and what of it he reads. Nothing here knows of
// pages.

export const nobody = -1; // as the engine has it: only what all know may be shown

// What is written between these signs is read by its mover alone.
const secretPart = /<([^<>]*)>/g;

// A move as a player reads it, or nobody in particular.
export function readBy(move, mover, reader) {
  return move.replace(secretPart, mover === reader ? "$1" : "?");
}

// The same for its mover, also of a part of one.
export const withoutSigns = (text) => text.replace(/[<>]/g, "");

export class Screen {
  // `open`: all was shown, at the end of the game or because somebody asked for it, and stays so. `looked`: a person has
  // seen what is his; `before` is who sat there last, null between two people.
  constructor({ open = false, looked = false, before = null } = {}) {
    Object.assign(this, { open, looked, before, hides: false });
  }

  // Another game of the same rules.
  begin() {
    Object.assign(this, { open: false, looked: false, before: null });
  }

  // What is to be kept: who sits here alone needn't take the screen again; of several each must.
  kept(seats) {
    const { open, looked, before } = this;
    return { open, looked, before: peopleOf(seats).length === 1 ? before : null };
  }

  get closed() {
    return this.hides && !this.open;
  }

  // For whom is drawn: a player, nobody, or null, who may see everything. Who is alone before the screen from the
  // beginning needn't take it, and where no person has played there is nobody to hide something from. Afterwards a side
  // that is somebody else's from now on shows nobody more than he has seen.
  viewer(seats) {
    if (!this.closed) return null;
    const people = peopleOf(seats);
    if (!this.looked && people.length < 2) return people[0] ?? null;
    return people.includes(this.before) ? this.before : nobody;
  }

  // This player has the screen now.
  take(player) {
    Object.assign(this, { before: player, looked: true });
  }

  // What is shown now, of a game that has `begun`, has been seen by whoever it was shown to.
  shown(seats, begun) {
    const viewer = this.viewer(seats);
    if (viewer === null && this.closed && begun) this.open = true;
    else if (viewer !== null && viewer !== nobody) this.take(viewer);
  }

  // Must the screen be handed over before a person can move?
  waitsFor({ to_move, outcome, chance }, seats) {
    const viewer = this.viewer(seats);
    return viewer !== null && !outcome && !chance && seats[to_move] === "person" && viewer !== to_move;
  }

  // Those who played here have left, and machines play on: nothing is shown before somebody asks for it.
  isLeft(seats) {
    return this.viewer(seats) === nobody && peopleOf(seats).length === 0;
  }
}

function peopleOf(seats) {
  return seats.flatMap((seat, i) => (seat === "person" ? [i] : []));
}
