// Rules of board games as text: loaded, played, drawn, and played against.

/** What the engine says of a text: the place, where there is one, and the name to look it up by. */
export interface Diagnostic {
  severity: "error" | "warning" | "note";
  /** `unknown-name`, `type` … */
  code: string;
  message: string;
  file?: string;
  /** Lines and columns count from 1; `endColumn` is behind the last character. */
  line?: number;
  column?: number;
  endLine?: number;
  endColumn?: number;
  expected?: string;
  help?: string;
  position?: string;
}

/** What can't be answered: a move that isn't legal, a position that is none, an engine that has stopped. */
export class BoardwrightError extends Error {
  constructor(message: string, diagnostics?: Diagnostic[]);
  diagnostics: Diagnostic[];
}

export interface StartOptions {
  /** The engine, where it isn't `engine.wasm` beside the module. */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module;
}

/** The engine, once it is ready. It is compiled at the first call; later ones get the same, unless it has stopped. */
export function start(options?: StartOptions): Promise<Boardwright>;

export interface LoadOptions {
  /** What messages call the text. */
  name?: string;
  /** Values of the options that the rules have, in place of their own. */
  options?: Record<string, string | number | boolean>;
}

export type Loaded =
  | { ok: true; rules: Rules; warnings: Diagnostic[] }
  | {
      ok: false;
      rules: null;
      errors: Diagnostic[];
      /** All of them for people, each with its line and a mark below it. */
      text: string;
    };

export interface Boardwright {
  readonly version: string;
  /** Has something gone wrong that the engine can't go on after? `start` begins another one. */
  readonly stopped: boolean;
  /** The games of the library. */
  games(): { name: string; family: string }[];
  /** The rules of one of them, or of a vocabulary (`std`). */
  source(name: string): string;
  load(text: string, options?: LoadOptions): Loaded;
  /** A game of the library. */
  loadGame(name: string, options?: Omit<LoadOptions, "name">): Loaded;
}

export interface GameOption {
  name: string;
  value: string;
  help: string;
  /** What it may be; empty where that is a range, or anything. */
  values: string[];
  range?: [number, number];
}

/** A position as `position:` of a test has it. What is left out is as in the set-up. */
export interface Position {
  to_move?: string;
  cells?: Record<string, string>;
  hands?: Record<string, Record<string, number>>;
  state?: Record<string, unknown>;
  ply?: number;
  turns?: Record<string, number>;
  out?: string[];
  play?: string;
}

export interface Playouts {
  games: number;
  wins: Record<string, number>;
  draws: number;
  unfinished: number;
  plies: number;
  moves: number;
  seconds: number;
  /** Numbers of plies, each with its number of games. */
  lengths: [number, number][];
  endings: { by: string; rule: string; games: number; wins: number[]; draws: number }[];
  shared?: { text: string; games: number }[];
}

/** How the game is played, in sentences for players. */
export interface RulesInWords {
  made_by: string;
  players: string;
  board: string;
  summary: string;
  aim: string;
  kinds: { name: string; letters: string; text: string; examples: string[]; svg: string }[];
  moving: string[];
  endings: string[];
  options: string[];
}

interface Closable {
  /** Gives its memory back at once; else that is done when nothing refers to it any more. */
  close(): void;
}

export interface Rules extends Closable {
  readonly title: string;
  readonly players: string[];
  /** In words. */
  readonly board: string;
  readonly hexes: boolean;
  /** Is something hidden from players? */
  readonly hides: boolean;
  readonly options: GameOption[];
  readonly about: Record<string, unknown>;
  readonly endings: string[];
  readonly cellNames: string[];

  newGame(from?: { position?: string | Position | null; moves?: Iterable<string> }): Game;
  /** From a record, PGN, or moves with blanks between them; `stopped` says which move can't be played. */
  readGame(text: string): { game: Game; stopped: string | null };
  /** `level:1` to `level:10`, `auto`, `mcts`, `alphabeta`, `random`. */
  player(description?: string, options?: { seed?: number }): Player;
  /** Random games from the set-up: the same ones by the same seed. */
  playouts(count?: number, options?: { seed?: number }): Playouts;
  inWords(): RulesInWords;
}

export interface Outcome {
  /** For people. */
  text: string;
  /** Which rule has ended it. */
  why: string;
  /** None: a draw. */
  winners: string[];
  shares?: Record<string, number>;
}

export interface MoveLimits {
  most?: number;
  seconds?: number;
  /** The moves that this player may know. */
  as?: string;
}

export interface Cell {
  name: string;
  /** The middle, in the picture. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** In words; empty where there is nothing. */
  holds: string;
  kind: string;
}

export interface Drawn {
  flipped?: boolean;
  /** As this player sees it. */
  as?: string;
}

export interface Seen {
  text: string;
  cells: Record<string, string>;
  dark?: string[];
  covered?: string[];
}

export interface Game extends Closable {
  readonly rules: Rules;
  /** Null when it is over. */
  readonly toMove: string | null;
  /** Is something to be rolled, or drawn, for whoever is to move? Then `moves` are what may come. */
  readonly isChance: boolean;
  /** Null while it goes on. */
  readonly outcome: Outcome | null;
  readonly history: { move: string; player: string; rolled: boolean }[];

  /** All legal moves, as `play` takes them, or as many as the limits allow. */
  moves(limits?: MoveLimits): string[];
  /** The same, each with the names of the cells that it goes through or names. */
  movesWithCells(limits?: MoveLimits): { move: string; cells: string[] }[];
  play(move: string): this;
  undo(count?: number): this;
  /** Nature's move, by its weights. */
  roll(options?: { seed?: number }): this;
  clone(): Game;

  position(): Position;
  /** Null where the board can't be written so (stacks). */
  fen(): string | null;
  /** Drawn with letters. */
  board(options?: { as?: string }): string;
  /** What a player sees, of a game that hides something and isn't over; else null. */
  seen(as: string): Seen | null;
  svg(options?: Drawn): string;
  /** Where each cell is in that picture, and what it holds. */
  cells(options?: Drawn): Cell[];

  /** What stands in the way of a move. */
  why(move: string): string;
  record(options?: { rules?: string }): string;
  /** Null where there aren't two players. */
  pgn(): string | null;
}

export interface Limits {
  seconds?: number;
  /** Positions to look at: with the same seed the same answer each time. */
  nodes?: number;
}

export interface Thought {
  move: string | null;
  /** What the mover may expect, from 0 to 1. */
  value: number;
  depth: number;
  nodes: number;
  /** What is expected, this move first. */
  line: string[];
  remark: string;
  proof: "unknown" | "win" | "draw" | "loss";
  candidates: { move: string; value: number }[];
}

export interface Player extends Closable {
  readonly description: string;
  readonly seed: number;
  /** For one second where there is no limit; the thread waits. */
  think(game: Game, limits?: Limits): Thought;
  choose(game: Game, limits?: Limits): string;
}
