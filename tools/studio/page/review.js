// What a strong player thinks of each place of a game, and which moves gave something away. Nothing here knows of pages.

// So much of a point given away, and its sign.
const grades = [
  [0.3, "??", "a blunder"],
  [0.18, "?", "a mistake"],
  [0.09, "?!", "doubtful"],
];

// What an outcome is worth to the first player.
export function worth(outcome, players) {
  if (players.length < 2) return outcome.winners.length > 0 ? 1 : 0;
  if (outcome.winners.length === 0) return 0.5;
  return outcome.winners.includes(players[0]) ? 1 / outcome.winners.length : 0;
}

// Of a move, by what the place before it and the one behind it are worth to the first player; null where all is well.
export function gradeOf(node) {
  const before = node.parent?.value;
  const value = node.value;
  if (node.rolled || before === undefined || value === undefined || before === null || value === null) return null;
  const lost = node.by === 0 ? before - value : value - before;
  const grade = grades.find(([least]) => lost >= least);
  if (!grade || node.parent.best === node.move) return null;
  return { sign: grade[1], word: grade[2], lost, best: node.parent.best };
}

// "White: 1 blunder, 2 mistakes. Black: nothing that stands out."
export function summary(nodes, players) {
  const told = players.map((player, i) => {
    const counts = new Map();
    for (const node of nodes) {
      const grade = node.by === i ? gradeOf(node) : null;
      if (grade) counts.set(grade.sign, (counts.get(grade.sign) ?? 0) + 1);
    }
    const words = { "??": ["blunder", "blunders"], "?": ["mistake", "mistakes"], "?!": ["doubtful move", "doubtful moves"] };
    const parts = grades.map(([, sign]) => [sign, counts.get(sign)]).filter(([, count]) => count).map(([sign, count]) => `${count} ${words[sign][count === 1 ? 0 : 1]}`);
    return `${players.length > 1 ? player : "You"}: ${parts.join(", ") || "nothing that stands out"}.`;
  });
  return told.join(" ");
}
