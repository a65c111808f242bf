// Who plays which side, and what the engine says when it has thought.

export const sitters = [
  ["person", "a person"],
  ["random", "chance"],
  ...Array.from({ length: 10 }, (_, i) => [`level:${i + 1}`, `level ${i + 1}${i === 0 ? " (a beginner)" : i === 9 ? " (its best)" : ""}`]),
];

export function thoughtText(thought, player) {
  const proven = { win: `a win for ${player}, proven`, loss: `a loss for ${player}, proven`, draw: "a draw, proven" }[thought.proof];
  const value = proven ?? `${(thought.value * 100).toFixed(0)} % for ${player}`;
  const line = thought.line.slice(0, 6).join(" ");
  const nodes = thought.nodes.toLocaleString("en");
  return `${value}, ${nodes} positions${line ? `: ${line}` : ""}`;
}
