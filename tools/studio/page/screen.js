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
  // `open`: the game has been to its end, and all was shown.
  constructor(open = false) {
    Object.assign(this, { open, hides: false, before: null });
  }

  // Another game of the same rules.
  begin() {
    Object.assign(this, { open: false, before: null });
  }

  get closed() {
    return this.hides && !this.open;
  }

  // For whom is drawn: a player, nobody, or null, who may see everything. Alone before the screen a person needn't
  // take it; where no person plays there is nobody to hide something from.
  viewer(seats) {
    if (!this.closed) return null;
    const people = seats.flatMap((seat, i) => (seat === "person" ? [i] : []));
    if (people.length < 2) return people[0] ?? null;
    return people.includes(this.before) ? this.before : nobody;
  }

  // Must the screen be handed over before a person can move?
  waitsFor({ to_move, outcome, chance }, seats) {
    const viewer = this.viewer(seats);
    return viewer !== null && !outcome && !chance && seats[to_move] === "person" && viewer !== to_move;
  }
}
