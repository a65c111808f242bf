// Time to think: so many minutes each, and so many seconds more for each move. Nothing here knows of pages.

// minutes, and seconds for a move
export const times = [
  ["", "none"],
  ["1+0", "1 minute"],
  ["3+2", "3 minutes + 2 s a move"],
  ["5+0", "5 minutes"],
  ["10+5", "10 minutes + 5 s a move"],
  ["15+10", "15 minutes + 10 s a move"],
  ["30+0", "30 minutes"],
  ["60+30", "60 minutes + 30 s a move"],
];

const known = (time) => /^\d+(\.\d+)?\+\d+$/.test(time);

export class Clock {
  // `kept`: what `kept()` told.
  constructor(kept = null) {
    this.time = known(kept?.time ?? "") ? kept.time : "";
    this.left = this.time && Array.isArray(kept.left) ? kept.left.map(Number) : []; // milliseconds of each
    this.running = null; // whose time runs, and since when
  }

  get on() {
    return this.time !== "";
  }

  // All have their whole time again.
  begin(players, time = this.time) {
    this.time = known(time) ? time : "";
    this.left = this.on ? Array.from({ length: players }, () => Number(this.time.split("+")[0]) * 60000) : [];
    this.running = null;
  }

  // It is this player's time now; null: nobody's.
  run(player, now = Date.now()) {
    this.stop(now);
    if (this.on && player !== null && !this.out) this.running = { player, since: now };
  }

  stop(now = Date.now()) {
    if (this.running) this.left[this.running.player] = this.leftOf(this.running.player, now);
    this.running = null;
  }

  // A player has moved.
  moved(player, now = Date.now()) {
    if (!this.on || this.out) return;
    this.stop(now);
    if (this.left[player] > 0) this.left[player] += Number(this.time.split("+")[1]) * 1000;
  }

  leftOf(player, now = Date.now()) {
    const gone = this.running?.player === player ? now - this.running.since : 0;
    return Math.max(0, this.left[player] - gone);
  }

  // The player who has no time left; -1: nobody.
  get outOf() {
    return this.left.findIndex((_, player) => this.leftOf(player) <= 0);
  }
  get out() {
    return this.on && this.outOf >= 0;
  }

  kept() {
    return this.on ? { time: this.time, left: this.left.map((_, player) => this.leftOf(player)) } : null;
  }
}

// "12:05", "0:09.3"
export function timeText(milliseconds) {
  const tenths = Math.ceil(milliseconds / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = (tenths % 600) / 10;
  if (minutes === 0 && seconds < 20) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  const whole = Math.ceil(seconds);
  return whole === 60 ? `${minutes + 1}:00` : `${minutes}:${String(whole).padStart(2, "0")}`;
}
