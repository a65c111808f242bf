// Who plays which side, and what the engine says when it has thought.

const words = ["Beginner", "Novice", "Easy", "Casual", "Medium", "Able", "Good", "Strong", "Very strong", "Strongest"];

export const sitters = [
  ["person", "a person"],
  ...words.map((word, i) => [`level:${i + 1}`, `${word} (level ${i + 1})`]),
  ["random", "random moves"],
];

// Who sits where when a game begins: whoever moves first is a person, the others what was chosen last, at first a
// beginner. Alone one plays oneself.
const chosen = "boardwright-opponent";
const known = new Set(sitters.map(([who]) => who));

export function seatsAtFirst(players, first) {
  let other = null;
  try {
    other = localStorage.getItem(chosen);
  } catch {
    // nothing is kept here
  }
  return players.map((_, i) => (i === first ? "person" : known.has(other) ? other : "level:1"));
}

export function rememberSeats(seats) {
  const others = seats.filter((seat) => seat !== "person");
  try {
    localStorage.setItem(chosen, others[0] ?? "person");
  } catch {
    // nothing is kept here
  }
}

// "somewhat better for White", by its share of the point.
function inWords(value, player) {
  if (value >= 0.92) return `${player} is winning`;
  if (value >= 0.75) return `much better for ${player}`;
  if (value > 0.6) return `somewhat better for ${player}`;
  if (value >= 0.4) return "about even";
  if (value > 0.25) return `somewhat worse for ${player}`;
  if (value > 0.08) return `much worse for ${player}`;
  return `${player} is losing`;
}

export function thoughtText(thought, player) {
  const proven = { win: `a win for ${player}, proven`, loss: `a loss for ${player}, proven`, draw: "a draw, proven" }[thought.proof];
  const value = proven ?? `${inWords(thought.value, player)} (${(thought.value * 100).toFixed(0)} %)`;
  const line = thought.line.slice(0, 6).join(" ");
  return `${value}${line ? `: ${line}` : ""}`;
}
