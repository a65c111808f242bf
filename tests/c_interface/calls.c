/* What each function answers, to good calls and to hostile ones. */
#include "check.h"

#include <math.h>

static const char* const kDice = "game: Dice\n"
                                 "players: [White, Black]\n"
                                 "board: { squares: 2 by 2 }\n"
                                 "pieces: { man: w b }\n"
                                 "state: { total: 0 }\n"
                                 "turn: roll n in 1 .. 3 by n, set total = total + n\n"
                                 "end: [draw when total > 8]\n";

static bw_rules* load(const char* name) {
  bw_rules* rules = NULL;
  WORKS(bw_load(name, NULL, 0, &rules, &error));
  return rules;
}

static bw_state* state_of(const bw_rules* rules, const char* position) {
  bw_state* state = NULL;
  WORKS(bw_state_new(rules, position, &state, &error));
  return state;
}

static void loads(void) {
  const char *size[] = {"columns=5", "rows=6"}, *unknown[] = {"colour=red"}, *bad[] = {"columns"},
             *none[] = {NULL};
  bw_rules* rules = (bw_rules*)&rules;
  REFUSED(BW_INVALID, "NULL", bw_load(NULL, NULL, 0, &rules, &error));
  CHECK(rules == NULL);
  REFUSED(BW_INVALID, "NULL", bw_load("hex", NULL, 0, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_load("hex", NULL, 1, &rules, &error));
  REFUSED(BW_INVALID, "name=value", bw_load("hex", bad, 1, &rules, &error));
  REFUSED(BW_INVALID, "name=value", bw_load("hex", none, 1, &rules, &error));
  REFUSED(BW_INVALID, "colour", bw_load("hex", unknown, 1, &rules, &error));
  REFUSED(BW_NOT_FOUND, "no such game", bw_load("no such game", NULL, 0, &rules, &error));
  REFUSED(BW_RULES, "small.yaml:1", bw_load_text("small.yaml", "game: [", NULL, 0, &rules, &error));
  REFUSED(BW_RULES, "", bw_load_text("x", "", NULL, 0, &rules, &error));
  REFUSED(BW_RULES, "", bw_load_text("x", "\xff\xfe\x80", NULL, 0, &rules, &error));
  REFUSED(BW_INVALID, "NULL", bw_load_text("x", NULL, NULL, 0, &rules, &error));
  CHECK(bw_load(NULL, NULL, 0, NULL, NULL) == BW_INVALID);
  WORKS(bw_load("breakthrough", size, 2, &rules, &error));
  CHECK(strcmp(bw_rules_name(rules), "Breakthrough") == 0);
  CHECK(bw_rules_player_count(rules) == 2);
  CHECK(strcmp(bw_rules_player_name(rules, 1), "Black") == 0);
  CHECK(bw_rules_player_name(rules, 2) == NULL && bw_rules_player_name(NULL, 0) == NULL);
  CHECK(bw_rules_option_count(rules) >= 2 && bw_rules_option_name(rules, 99) == NULL);
  for (size_t i = 0; i < bw_rules_option_count(rules); ++i)
    if (strcmp(bw_rules_option_name(rules, i), "rows") == 0)
      CHECK(strcmp(bw_rules_option_value(rules, i), "6") == 0);
  CHECK(bw_rules_has_chance(rules) == 0 && bw_rules_hides(rules) == 0);
  CHECK(strlen(bw_rules_fingerprint(rules)) > 0);
  bw_rules_free(rules);
  bw_rules_free(NULL);
  CHECK(bw_rules_name(NULL) == NULL && bw_rules_player_count(NULL) == 0 &&
        bw_rules_option_value(NULL, 0) == NULL);
}

static void plays(void) {
  bw_rules* rules = load("breakthrough");
  bw_state *state = state_of(rules, NULL), *copy = NULL;
  size_t count = 0, move = 0;
  int player = 9, over = 9;
  double shares[2], chance = 0;
  char* text = NULL;
  uint64_t key = 0, other = 0;
  bw_rules_free(rules);
  WORKS(bw_state_moves(state, &count, &error));
  CHECK(count == 22);
  WORKS(bw_state_move_text(state, 21, &text, &error));
  WORKS(bw_state_find(state, text, &move, &error));
  CHECK(move == 21);
  bw_free(text);
  REFUSED(BW_INVALID, "no move of this number", bw_state_move_text(state, 22, &text, &error));
  CHECK(text == NULL);
  REFUSED(BW_ILLEGAL, "no move of this number", bw_state_play(state, 22, &error));
  REFUSED(BW_ILLEGAL, "no move of this number", bw_state_play(state, (size_t)-1, &error));
  REFUSED(BW_ILLEGAL, "a2-a8", bw_state_play_text(state, "a2-a8", &error));
  REFUSED(BW_ILLEGAL, "", bw_state_find(state, "\xff", &move, &error));
  REFUSED(BW_ILLEGAL, "take back", bw_state_undo(state, &error));
  WORKS(bw_state_copy(state, &copy, &error));
  WORKS(bw_state_key(state, &key, &error));
  WORKS(bw_state_play_text(state, "a2-a3", &error));
  WORKS(bw_state_key(state, &other, &error));
  CHECK(key != other && bw_state_length(state) == 1 && bw_state_length(copy) == 0);
  WORKS(bw_state_player(state, &player, &error));
  CHECK(player == 1);
  WORKS(bw_state_undo(state, &error));
  WORKS(bw_state_key(state, &other, &error));
  CHECK(key == other && bw_state_repetitions(state) == 0);
  WORKS(bw_state_chance(state, 0, &chance, &error));
  CHECK(fabs(chance - 1.0 / 22) < 1e-12);
  REFUSED(BW_INVALID, "number", bw_state_chance(state, 22, &chance, &error));
  WORKS(bw_state_result(state, &over, shares, 2, &error));
  CHECK(over == 0 && shares[0] == 0 && shares[1] == 0);
  REFUSED(BW_INVALID, "no room", bw_state_result(state, &over, shares, 1, &error));
  WORKS(bw_state_result_text(state, &text, &error));
  CHECK(text == NULL);
  bw_state_free(copy);
  bw_state_free(state);
  bw_state_free(NULL);
}

static void positions(void) {
  bw_rules* rules = load("breakthrough");
  bw_state *state = state_of(rules, "{ to_move: White, cells: { a7: w, h2: b } }"), *again = NULL;
  char *json = NULL, *fen = NULL, *text = NULL;
  double shares[2];
  int over = 0, player = 0;
  uint64_t key = 0, other = 0, seed = 1;
  size_t count = 1, move = 0;
  WORKS(bw_state_json(state, &json, &error));
  WORKS(bw_state_fen(state, &fen, &error));
  WORKS(bw_state_board(state, &text, &error));
  CHECK(strstr(text, "7  w . .") != NULL);
  bw_free(text);
  WORKS(bw_state_key(state, &key, &error));
  again = state_of(rules, json);
  WORKS(bw_state_key(again, &other, &error));
  CHECK(key == other);
  bw_state_free(again);
  again = state_of(rules, fen);
  WORKS(bw_state_key(again, &other, &error));
  CHECK(key == other);
  bw_state_free(again);
  bw_free(json);
  bw_free(fen);
  WORKS(bw_state_play_text(state, "a7-a8", &error));
  WORKS(bw_state_player(state, &player, &error));
  WORKS(bw_state_result(state, &over, shares, 2, &error));
  CHECK(player == BW_OVER && over == 1 && shares[0] == 1 && shares[1] == 0);
  WORKS(bw_state_result_text(state, &text, &error));
  CHECK(strstr(text, "White wins") != NULL);
  bw_free(text);
  WORKS(bw_state_moves(state, &count, &error));
  CHECK(count == 0);
  REFUSED(BW_ILLEGAL, "over", bw_state_draw(state, &seed, &move, &error));
  REFUSED(BW_POSITION, "", bw_state_new(rules, "nonsense of a position", &again, &error));
  REFUSED(BW_POSITION, "", bw_state_new(rules, "", &again, &error));
  CHECK(again == NULL);
  bw_state_free(state);
  bw_rules_free(rules);
}

/* A position of so many bytes, most of them a comment. */
static bw_status begin_with_bytes(const bw_rules* rules, size_t bytes, bw_state** state, char** error) {
  static const char begin[] = "{ to_move: White, cells: { a7: w, h2: b } } # ";
  char* text = malloc(bytes + 1);
  bw_status status;
  memset(text, 'x', bytes);
  memcpy(text, begin, strlen(begin));
  text[bytes] = 0;
  status = bw_state_new(rules, text, state, error);
  free(text);
  return status;
}

static void limits(void) {
  bw_rules* rules = load("breakthrough");
  bw_state* state = NULL;
  WORKS(begin_with_bytes(rules, BW_MAX_POSITION_BYTES, &state, &error));
  bw_state_free(state);
  REFUSED(BW_POSITION, "longer", begin_with_bytes(rules, BW_MAX_POSITION_BYTES + 1, &state, &error));
  bw_rules_free(rules);
}

static void chances(void) {
  bw_rules* rules = NULL;
  bw_state* state = NULL;
  int player = 0;
  double chance = 0;
  uint64_t seed = 1;
  size_t move = 9, drawn[3] = {0, 0, 0};
  WORKS(bw_load_text("dice.yaml", kDice, NULL, 0, &rules, &error));
  CHECK(bw_rules_has_chance(rules) == 1);
  state = state_of(rules, NULL);
  WORKS(bw_state_player(state, &player, &error));
  CHECK(player == BW_NATURE);
  WORKS(bw_state_chance(state, 2, &chance, &error));
  CHECK(fabs(chance - 0.5) < 1e-12);
  for (int i = 0; i < 1000; ++i) {
    WORKS(bw_state_draw(state, &seed, &move, &error));
    if (move < 3) ++drawn[move];
  }
  CHECK(drawn[2] > 400 && drawn[2] < 600 && drawn[0] > 100 && drawn[1] > 250);
  bw_state_free(state);
  bw_rules_free(rules);
}

static void counts(void) {
  bw_rules* rules = load("breakthrough");
  bw_state* state = state_of(rules, NULL);
  bw_stop* stop = NULL;
  bw_playouts one, two;
  uint64_t leaves = 1, wins[2], others[2];
  WORKS(bw_state_perft(state, 0, NULL, &leaves, &error));
  CHECK(leaves == 1);
  WORKS(bw_state_perft(state, 3, NULL, &leaves, &error));
  CHECK(leaves == 11132);
  REFUSED(BW_INVALID, "depth", bw_state_perft(state, -1, NULL, &leaves, &error));
  WORKS(bw_stop_new(&stop, &error));
  bw_stop_set(stop);
  REFUSED(BW_FAULT, "stopped", bw_state_perft(state, 12, stop, &leaves, &error));
  CHECK(leaves == 0);
  WORKS(bw_state_playouts(state, UINT64_MAX, 1, 1, stop, &one, NULL, 0, &error));
  bw_stop_clear(stop);
  WORKS(bw_state_playouts(state, 500, 1, 1, stop, &one, wins, 2, &error));
  WORKS(bw_state_playouts(state, 500, 1, 2, NULL, &two, others, 2, &error));
  CHECK(one.games == 500 && wins[0] + wins[1] == 500 && one.draws == 0 && one.unfinished == 0);
  CHECK(memcmp(&one, &two, sizeof one) == 0 && memcmp(wins, others, sizeof wins) == 0);
  REFUSED(BW_INVALID, "no room", bw_state_playouts(state, 5, 1, 1, NULL, &one, wins, 1, &error));
  REFUSED(BW_INVALID, "threads", bw_state_playouts(state, 5, 1, 0, NULL, &one, NULL, 0, &error));
  REFUSED(BW_INVALID, "threads", bw_state_playouts(state, 5, 1, 1025, NULL, &one, NULL, 0, &error));
  WORKS(bw_state_playouts(state, 5, 1, 1024, NULL, &one, NULL, 0, &error));
  bw_stop_free(stop);
  bw_stop_free(NULL);
  bw_stop_set(NULL);
  bw_stop_clear(NULL);
  bw_state_free(state);
  bw_rules_free(rules);
}

static void thinks(void) {
  bw_rules *rules = load("tictactoe"), *others = load("breakthrough");
  bw_state *state = state_of(rules, "play: a1 b1 a2 b2"), *other = state_of(others, NULL);
  bw_player* player = NULL;
  size_t move = 0, right = 1;
  double value = 0;
  char* json = NULL;
  WORKS(bw_state_find(state, "a3", &right, &error));
  REFUSED(BW_INVALID, "there is no player", bw_player_new(rules, "wizard", 1, NULL, &player, &error));
  REFUSED(BW_INVALID, "", bw_player_new(rules, "", 1, NULL, &player, &error));
  REFUSED(BW_INVALID, "", bw_player_new(rules, "level:11", 1, NULL, &player, &error));
  REFUSED(BW_NOT_FOUND, "nowhere", bw_player_new(rules, "auto", 1, "nowhere.weights.yaml", &player, &error));
  REFUSED(BW_INVALID, "NULL", bw_player_new(rules, NULL, 1, NULL, &player, &error));
  CHECK(player == NULL);
  WORKS(bw_player_new(rules, "auto", 1, NULL, &player, &error));
  WORKS(bw_player_think(player, state, 0, 2000, NULL, &move, &value, &error));
  CHECK(move == right && value == 1);
  WORKS(bw_player_analyse(player, state, 2, 0, 2000, NULL, &json, &error));
  CHECK(strstr(json, "[{\"move\":\"a3\",\"value\":1.0,\"proof\":\"win\"") == json);
  bw_free(json);
  REFUSED(BW_INVALID, "lines", bw_player_analyse(player, state, 0, 0, 100, NULL, &json, &error));
  REFUSED(BW_INVALID, "lines", bw_player_analyse(player, state, 257, 0, 100, NULL, &json, &error));
  WORKS(bw_player_analyse(player, state, 256, 0, 100, NULL, &json, &error));
  bw_free(json);
  REFUSED(BW_INVALID, "other rules", bw_player_think(player, other, 0, 10, NULL, &move, NULL, &error));
  REFUSED(BW_INVALID, "seconds", bw_player_think(player, state, -1, 10, NULL, &move, NULL, &error));
  REFUSED(BW_INVALID, "seconds", bw_player_think(player, state, NAN, 10, NULL, &move, NULL, &error));
  WORKS(bw_player_think(player, state, INFINITY, 10, NULL, &move, NULL, &error));
  WORKS(bw_state_play_text(state, "a3", &error));
  REFUSED(BW_ILLEGAL, "over", bw_player_think(player, state, 0, 10, NULL, &move, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_player_think(NULL, state, 0, 10, NULL, &move, NULL, &error));
  bw_rules_free(rules);
  bw_player_free(player);
  bw_player_free(NULL);
  bw_state_free(state);
  bw_state_free(other);
  bw_rules_free(others);
}

/* NULL wherever a pointer may be. */
static void nothing(void) {
  bw_rules* rules = load("breakthrough");
  bw_state *state = state_of(rules, NULL), *made;
  char* text;
  int number;
  size_t size;
  uint64_t wide;
  double real;
  REFUSED(BW_INVALID, "NULL", bw_state_new(NULL, NULL, &made, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_new(rules, NULL, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_copy(NULL, &made, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_player(NULL, &number, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_player(state, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_result(NULL, NULL, NULL, 0, &error));
  WORKS(bw_state_result(state, NULL, NULL, 0, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_result_text(state, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_moves(NULL, &size, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_move_text(NULL, 0, &text, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_find(state, NULL, &size, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_chance(state, 0, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_draw(state, NULL, &size, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_draw(state, &wide, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_play(NULL, 0, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_play_text(state, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_undo(NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_key(NULL, &wide, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_json(NULL, &text, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_fen(state, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_board(NULL, &text, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_perft(state, 1, NULL, NULL, &error));
  REFUSED(BW_INVALID, "NULL", bw_state_playouts(state, 1, 1, 1, NULL, NULL, NULL, 0, &error));
  REFUSED(BW_INVALID, "NULL", bw_player_analyse(NULL, state, 1, 0, 1, NULL, &text, &error));
  REFUSED(BW_INVALID, "NULL", bw_stop_new(NULL, &error));
  CHECK(bw_state_length(NULL) == 0 && bw_state_repetitions(NULL) == 0);
  real = 1;
  CHECK(bw_state_chance(NULL, 0, &real, NULL) == BW_INVALID && real == 0);
  bw_free(NULL);
  bw_state_free(state);
  bw_rules_free(rules);
}

int main(void) {
  CHECK(strcmp(bw_version(), BOARDWRIGHT_VERSION) == 0);
  loads();
  plays();
  positions();
  limits();
  chances();
  counts();
  thinks();
  nothing();
  return failures > 0;
}
