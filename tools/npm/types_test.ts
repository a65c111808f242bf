// What a program in TypeScript may write: this is compiled, and not run.
import { BoardwrightError, start, type Diagnostic, type Game, type Loaded, type Rules } from "boardwright";
import { BoardwrightBoard } from "boardwright/element";

const boardwright = await start({ wasm: new URL("engine.wasm", import.meta.url) });
const version: string = boardwright.version;

function rulesOf(loaded: Loaded): Rules {
  if (loaded.ok) return loaded.rules;
  const errors: Diagnostic[] = loaded.errors;
  throw new Error(`${errors[0]?.line ?? 0}: ${loaded.text}`);
}

const rules = rulesOf(boardwright.load("game: Small", { name: "small.yaml", options: { size: 5, swap: false } }));
const family: string | undefined = boardwright.games()[0]?.family;
const range: [number, number] | undefined = rules.options[0]?.range;
const game: Game = rules.newGame({ position: { to_move: "White", cells: { a1: "w" } }, moves: new Set(["a1-a2"]) });
game.play(game.moves({ most: 1, seconds: 2 })[0] ?? "pass").undo().roll({ seed: 2 }).clone().close();
const cells: string[] = game.movesWithCells({ as: "White" }).flatMap((one) => one.cells);
const winners: string[] = game.outcome?.winners ?? [];
const mover: string = game.toMove ?? "nobody";
const fen: string | null = game.fen();
const dark: string[] | undefined = game.seen("White")?.dark;
const middle: number = game.cells({ flipped: true, as: "White" })[0]?.x ?? 0;
const texts: string[] = [game.svg(), game.board(), game.why("a1"), game.record({ rules: "hex" }), game.pgn() ?? "", version];
const { game: read, stopped } = rules.readGame("a1-a2");
read.history.filter((one) => one.rolled && one.player !== stopped);

const player = rules.player("level:3", { seed: 2 });
const value: number = player.think(game, { seconds: 1, nodes: 100 }).value;
const move: string = player.choose(game);
const [plies, games]: [number, number] = rules.playouts(10, { seed: 3 }).lengths[0] ?? [0, 0];
const aim: string = rules.inWords().aim;
try {
  game.play(move);
} catch (problem) {
  if (problem instanceof BoardwrightError) console.log(problem.diagnostics[0]?.column, value, plies, games, aim);
}
console.log(family, range, cells, winners, mover, fen, dark, middle, texts);

const board: BoardwrightBoard = document.createElement("boardwright-board");
board.text = "game: Small";
const played: boolean = await board.play("a1-a2");
board.addEventListener("boardwright-move", ({ detail }) => console.log(detail.move.length, detail.rolled, played));
board.addEventListener("boardwright-end", ({ detail }) => console.log(detail.winners[0]));
board.addEventListener("boardwright-error", ({ detail }) => console.log(detail.errors[0]?.endLine));
