/* Boardwright for C, and for whatever calls C: rules, games, players.
 *
 *   bw_rules *rules;
 *   char *error;
 *   if (bw_load("game.yaml", NULL, 0, &rules, &error) != BW_OK) {
 *     fputs(error ? error : "no memory", stderr);
 *     bw_free(error);
 *   }
 *
 * Handles. What a function gives as a handle is its caller's, who frees it with the function of its kind.
 * They may be freed in any order: a state keeps its rules. To free NULL does nothing.
 *
 * Errors. A function that can fail answers with a bw_status, and takes `char **error` last: NULL, or the
 * place of a text for people, which is NULL where all went well and is freed by bw_free. A function that
 * fails has changed nothing, and has set what it would have given to NULL or 0. NULL for a handle, a text or
 * the place of an answer is BW_INVALID, where nothing else is said below. No call ends the process, writes to
 * a stream, or changes what is common to the process (locale, signals, working folder).
 *
 * Texts are UTF-8 that ends with a zero. `const char *` is owned by the handle that was asked, and good as
 * long as it; `char **` gives a text that the caller frees by bw_free.
 *
 * Threads. There is no global state. Rules never change: any number of threads may use them at once. A state,
 * and a player, is used by one thread at a time. A bw_stop may be set by any thread, at any time.
 */
#ifndef BOARDWRIGHT_H
#define BOARDWRIGHT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers stay; a later version may add others. */
typedef enum bw_status {
  BW_OK = 0,
  BW_INVALID = 1,   /* an argument is NULL, out of range, or of other rules */
  BW_NOT_FOUND = 2, /* there is no such file or game */
  BW_RULES = 3,     /* the rules can't be played; the text is what `boardwright check` says */
  BW_POSITION = 4,  /* the position can't be read */
  BW_ILLEGAL = 5,   /* the move isn't legal, or there is none to take back */
  BW_FAULT = 6,     /* a rule went wrong, or took too long, while it was carried out */
  BW_NO_MEMORY = 7
} bw_status;

typedef struct bw_rules bw_rules;   /* rules that games are played by */
typedef struct bw_state bw_state;   /* a game under way: a position and the moves before it */
typedef struct bw_player bw_player; /* somebody who thinks about moves */
typedef struct bw_stop bw_stop;     /* a flag by which another thread ends what takes long */

/* The version of the library: "0.1.0". Lasts for ever. */
const char* bw_version(void);

/* Frees a text that one of these functions has given. */
void bw_free(char* text);

/* ---- Rules ------------------------------------------------------------------------------------------- */

/* Loads a file (a path with `/` or `.yaml`), or by its name a game that is bundled, or in a folder of the
 * environment's BOARDWRIGHT_PATH. `options` are `count` texts of the form "size=9"; NULL where count is 0.
 * Takes some seconds at the most, whatever the file is. BW_NOT_FOUND, BW_RULES. */
bw_status bw_load(const char* reference, const char* const* options, size_t count, bw_rules** rules,
                  char** error);

/* Loads rules from the text of a rule file; `name` is what messages call it. */
bw_status bw_load_text(const char* name, const char* text, const char* const* options, size_t count,
                       bw_rules** rules, char** error);

void bw_rules_free(bw_rules* rules);

/* Of NULL, and of an index out of range, these give NULL or 0. They cost nothing. */
const char* bw_rules_name(const bw_rules* rules);        /* as the file has it */
const char* bw_rules_fingerprint(const bw_rules* rules); /* the same for rules with the same moves */
size_t bw_rules_player_count(const bw_rules* rules);
const char* bw_rules_player_name(const bw_rules* rules, size_t player);
size_t bw_rules_option_count(const bw_rules* rules); /* what the file lets one set */
const char* bw_rules_option_name(const bw_rules* rules, size_t option);
const char* bw_rules_option_value(const bw_rules* rules, size_t option);
int bw_rules_has_chance(const bw_rules* rules); /* 1: in some positions nature moves */
int bw_rules_hides(const bw_rules* rules); /* 1: players know less than everything, states have all of it */

/* ---- States ------------------------------------------------------------------------------------------ */

/* A position's text is not longer than this. */
#define BW_MAX_POSITION_BYTES ((size_t)1 << 20)

/* A game from the set-up (`position` is NULL), or from a position: JSON as bw_state_json writes it, a FEN,
 * YAML, or "play: e2-e4 e7-e5". BW_POSITION. */
bw_status bw_state_new(const bw_rules* rules, const char* position, bw_state** state, char** error);
/* A game of its own, with the same past. */
bw_status bw_state_copy(const bw_state* state, bw_state** copy, char** error);
void bw_state_free(bw_state* state);

#define BW_NATURE (-1) /* what is rolled or drawn decides: the moves are its outcomes */
#define BW_OVER (-2)   /* the game is over */

/* Who is to move: a number below bw_rules_player_count, BW_NATURE or BW_OVER. Costs as much as to find a
 * move. */
bw_status bw_state_player(bw_state* state, int* player, char** error);

/* Whether the game is over (1), and what each player has of the point then: 1 and 0, halves in a draw of two.
 * `shares` has room for `count` players, all of them; it is all 0 while the game goes on. NULL: nobody asks.
 */
bw_status bw_state_result(bw_state* state, int* over, double* shares, size_t count, char** error);
/* "Black wins: no move"; NULL, and BW_OK, while the game goes on. */
bw_status bw_state_result_text(bw_state* state, char** text, char** error);

/* How many moves are legal: 0 when the game is over. They are numbered 0, 1, … in an order that depends on
 * the position alone. The list is made once for a position. */
bw_status bw_state_moves(bw_state* state, size_t* count, char** error);
/* How a move is written: "e2-e4". Costs as much as to play it. BW_INVALID: there is no such move. */
bw_status bw_state_move_text(bw_state* state, size_t move, char** text, char** error);
/* The move that is written so; case and blanks are forgiven where nothing is lost. BW_ILLEGAL if there is
 * none. */
bw_status bw_state_find(bw_state* state, const char* text, size_t* move, char** error);
/* How likely a move is where nature moves; 1 divided by their number elsewhere. */
bw_status bw_state_chance(bw_state* state, size_t move, double* probability, char** error);
/* A move drawn by these chances. `*seed` is any number, and another one afterwards: keep it for the next
 * draw. BW_ILLEGAL if there is none. */
bw_status bw_state_draw(bw_state* state, uint64_t* seed, size_t* move, char** error);

/* BW_ILLEGAL if there is no such move; then nothing has happened. */
bw_status bw_state_play(bw_state* state, size_t move, char** error);
bw_status bw_state_play_text(bw_state* state, const char* text, char** error);
/* Takes the last move back. BW_ILLEGAL if there is none. */
bw_status bw_state_undo(bw_state* state, char** error);
/* Moves played since the beginning, or since the position that was given. 0 of NULL. */
size_t bw_state_length(const bw_state* state);
/* How often the position has come about before. 0 of NULL. */
size_t bw_state_repetitions(const bw_state* state);
/* The position as a number, by which tables find it: board, hands, state, who is to move. */
bw_status bw_state_key(const bw_state* state, uint64_t* key, char** error);

/* The position as JSON on one line, which bw_state_new reads: {"to_move": "White", "cells": {"b3": "w"}, …}.
 */
bw_status bw_state_json(const bw_state* state, char** text, char** error);
/* As a FEN; NULL, and BW_OK, where a FEN can't tell it. */
bw_status bw_state_fen(const bw_state* state, char** text, char** error);
/* A drawing of letters and dots, in lines. */
bw_status bw_state_board(const bw_state* state, char** text, char** error);

/* ---- What takes long --------------------------------------------------------------------------------- */

/* Where a function takes a bw_stop it may be NULL: nobody will want to end it. Once set, what it ends ends
 * within some hundredths of a second. Free it when nothing is under way that has it. */
bw_status bw_stop_new(bw_stop** stop, char** error);
void bw_stop_set(bw_stop* stop);
void bw_stop_clear(bw_stop* stop);
void bw_stop_free(bw_stop* stop);

/* The number of sequences of `depth` moves, from 0. BW_FAULT if it was stopped. */
bw_status bw_state_perft(bw_state* state, int depth, const bw_stop* stop, uint64_t* leaves, char** error);

/* How random games went; `wins` of a player are alone or shared. */
typedef struct bw_playouts {
  uint64_t games;      /* as many as were asked for, fewer if they were stopped */
  uint64_t draws;      /* nobody won, or all did */
  uint64_t unfinished; /* not over after 2000 moves */
  uint64_t plies;      /* moves played in all */
} bw_playouts;

/* `games` random games from here, in `threads` threads, which change nothing. `wins` has room for `count`
 * players, all of them; NULL: nobody asks. */
bw_status bw_state_playouts(const bw_state* state, uint64_t games, uint64_t seed, int threads,
                            const bw_stop* stop, bw_playouts* result, uint64_t* wins, size_t count,
                            char** error);

/* ---- Players ----------------------------------------------------------------------------------------- */

/* Somebody by a description: "auto", "level:5" (1 to 10), "mcts:threads=2", "random". `weights` is a file
 * that `boardwright train` has written; NULL: what the library knows of the game, if anything. BW_INVALID:
 * there is no such player, and the text says which there are; BW_NOT_FOUND, BW_RULES: of the file of weights.
 */
bw_status bw_player_new(const bw_rules* rules, const char* description, uint64_t seed, const char* weights,
                        bw_player** player, char** error);
void bw_player_free(bw_player* player);

/* Thinks until the time is up, so many positions were looked at, it is told to stop, or it knows the result.
 * A limit of 0 is none; without any limit, and without a bw_stop, it thinks for a second. `*move` is the
 * number of the best move; `*value` what it expects for who is to move, from 0 (lost) to 1 (won), and may be
 * NULL. The state stays as it is. BW_ILLEGAL: the game is over. */
bw_status bw_player_think(bw_player* player, const bw_state* state, double seconds, uint64_t nodes,
                          const bw_stop* stop, size_t* move, double* value, char** error);

/* Likewise, of the best `lines` moves (1 to 256), as JSON on one line, the best first:
 * [{"move": "e2-e4", "value": 0.55, "proof": null, "depth": 9, "nodes": 40000, "line": ["e2-e4", …]}, …].
 * `proof` is "win", "draw" or "loss" where that is certain. */
bw_status bw_player_analyse(bw_player* player, const bw_state* state, size_t lines, double seconds,
                            uint64_t nodes, const bw_stop* stop, char** json, char** error);

#ifdef __cplusplus
}
#endif

#endif
