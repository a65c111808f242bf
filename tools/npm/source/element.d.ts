// `<boardwright-board>`: to import this defines it.
import type { Diagnostic, Outcome } from "./index.js";

export class BoardwrightBoard extends HTMLElement {
  /** The rules, where a script gives them. */
  text: string | null;
  /** Who sits where: `person`, `level:3` … */
  readonly seats: string[];
  /** What is shown: null until there are rules. */
  readonly view: { to_move: number; chance: boolean; played: string[]; outcome: Outcome | null } | null;
  /** A person's move; answers whether it was played. */
  play(move: string): Promise<boolean>;
  undo(): Promise<void>;
  restart(): Promise<void>;
}

export interface BoardwrightEvents {
  "boardwright-ready": CustomEvent<{ title: string; players: string[] }>;
  "boardwright-move": CustomEvent<{ move: string; player: string; rolled: boolean; position: string | null }>;
  "boardwright-end": CustomEvent<Outcome>;
  "boardwright-error": CustomEvent<{ text: string; errors: Diagnostic[] }>;
}

declare global {
  interface HTMLElementTagNameMap {
    "boardwright-board": BoardwrightBoard;
  }
  interface HTMLElementEventMap extends BoardwrightEvents {}
}
