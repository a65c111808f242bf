// The moves of a game as a tree: what was played, and what was tried instead. A node is where the game is after a move;
// the first child of a node is its main line. Nothing here knows of pages.

function nodeOf(parent, move, by, rolled) {
  return { parent, move, by, rolled, children: [] };
}

// Rounded: nobody sees more of it.
function worthOf({ value, best }) {
  if (value === undefined) return [];
  return [value === null ? null : Math.round(value * 1000) / 1000, ...(best === undefined ? [] : [best])];
}

function takeWorth(node, [value, best]) {
  if (value === null || typeof value === "number") node.value = value;
  if (typeof best === "string") node.best = best;
}

export class MoveTree {
  constructor() {
    this.root = nodeOf(null, "", -1, false);
    this.here = this.root;
  }

  // The moves from the beginning to a node.
  path(node = this.here) {
    const nodes = [];
    for (let one = node; one.parent; one = one.parent) nodes.unshift(one);
    return nodes;
  }
  moves(node = this.here) {
    return this.path(node).map((one) => one.move);
  }

  // Where a node leads on by its main line.
  tip(node = this.here) {
    let last = node;
    while (last.children.length > 0) last = last.children[0];
    return last;
  }
  get atTip() {
    return this.here.children.length === 0;
  }

  // After a move from here, known or new.
  play(move, by, rolled) {
    let next = this.here.children.find((one) => one.move === move);
    if (!next) this.here.children.push((next = nodeOf(this.here, move, by, rolled)));
    this.here = next;
    return next;
  }

  // Goes where the engine is: it has played these moves. What was known stays.
  follow(moves, by) {
    this.here = this.root;
    moves.forEach((move, i) => this.play(move, by[i] < 0 ? -1 - by[i] : by[i], by[i] < 0));
  }

  // Of the moves on the way to a node only so many can be played any more: the next one goes, with what follows it.
  cut(node, playable) {
    const bad = this.path(node)[playable];
    if (bad) bad.parent.children.splice(bad.parent.children.indexOf(bad), 1);
  }

  // A line becomes the main one at each place where it leaves it.
  promote(node = this.here) {
    for (let one = node; one.parent; one = one.parent) {
      const { children } = one.parent;
      children.unshift(...children.splice(children.indexOf(one), 1));
    }
  }

  // Other rules: nothing is known of what the places are worth.
  forgetValues() {
    const open = [this.root];
    while (open.length > 0) {
      const node = open.pop();
      delete node.value;
      delete node.best;
      open.push(...node.children);
    }
  }

  // For keeping: each node as [number of the one before it, move, by, rolled], 0 being the beginning; and where the
  // game is. Where a game was looked over its places have their worth and the move that was thought best, too.
  written() {
    const numbers = new Map([[this.root, 0]]);
    const nodes = [];
    const open = [...this.root.children].reverse();
    while (open.length > 0) {
      const node = open.pop();
      nodes.push([numbers.get(node.parent), node.move, node.by, node.rolled ? 1 : 0, ...worthOf(node)]);
      numbers.set(node, nodes.length);
      open.push(...[...node.children].reverse());
    }
    return { nodes, here: numbers.get(this.here), root: worthOf(this.root) };
  }

  static read(kept) {
    const tree = new MoveTree();
    const nodes = [tree.root];
    takeWorth(tree.root, kept?.root ?? []);
    for (const [before, move, by, rolled, ...worth] of kept?.nodes ?? []) {
      const parent = nodes[before] ?? tree.root;
      const node = nodeOf(parent, String(move), Number(by), Boolean(rolled));
      takeWorth(node, worth);
      parent.children.push(node);
      nodes.push(node);
    }
    tree.here = nodes[kept?.here] ?? tree.root;
    return tree;
  }
}
