// Short sounds for moves and the end of a game, made by the browser. Off until somebody wants them.

const chosen = "boardwright-sounds";

// What is heard: pitch in hertz, when it begins and how long it is, in seconds.
const scores = {
  move: [[320, 0, 0.07]],
  capture: [[210, 0, 0.09], [160, 0.03, 0.09]],
  roll: [[520, 0, 0.03], [430, 0.05, 0.03], [480, 0.1, 0.04]],
  end: [[392, 0, 0.16], [523, 0.15, 0.3]],
  clock: [[660, 0, 0.08]],
};

export class Sounds {
  constructor() {
    this.context = null;
    try {
      this.on = localStorage.getItem(chosen) === "on";
    } catch {
      this.on = false;
    }
  }

  set(on) {
    this.on = on;
    try {
      localStorage.setItem(chosen, on ? "on" : "off");
    } catch {
      // nothing is kept here
    }
    if (on) this.play("move");
  }

  play(name) {
    if (!this.on || !("AudioContext" in globalThis)) return;
    this.context ??= new AudioContext();
    this.context.resume?.().catch(() => {});
    for (const [pitch, from, length] of scores[name]) this.tone(pitch, from, length);
    document.body.dataset.sound = name;
  }

  tone(pitch, from, length) {
    const begin = this.context.currentTime + from;
    const voice = this.context.createOscillator();
    const loudness = this.context.createGain();
    voice.type = "triangle";
    voice.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.25, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + length);
    voice.connect(loudness).connect(this.context.destination);
    voice.start(begin);
    voice.stop(begin + length);
  }
}

// What is heard of a move that led from one view of the game to the next.
export function soundOf(before, now, rolled) {
  if (now.outcome) return "end";
  if (rolled) return "roll";
  const pieces = (view) => view?.cells.filter((cell) => cell.holds).length ?? 0;
  return pieces(now) < pieces(before) ? "capture" : "move";
}
