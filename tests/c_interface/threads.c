/* Rules that two threads use at once, and a thread that ends what another one does. */
#include "check.h"

#include <pthread.h>

typedef struct Task {
  const bw_rules* rules;
  const bw_stop* stop;
  uint64_t leaves;
  bw_status status;
} Task;

/* States and players of a thread's own, of rules that both share. */
static void* use(void* argument) {
  Task* const task = argument;
  for (int round = 0; round < 20 && task->status == BW_OK; ++round) {
    bw_state* state = NULL;
    bw_player* player = NULL;
    char* text = NULL;
    size_t move = 0;
    uint64_t seed = 5;
    int over = 0;
    task->status = bw_state_new(task->rules, NULL, &state, NULL);
    if (task->status == BW_OK) task->status = bw_state_perft(state, 2, NULL, &task->leaves, NULL);
    if (task->status == BW_OK) task->status = bw_player_new(task->rules, "auto", 1, NULL, &player, NULL);
    if (task->status == BW_OK) task->status = bw_player_think(player, state, 0, 50, NULL, &move, NULL, NULL);
    while (task->status == BW_OK && !over) {
      task->status = bw_state_draw(state, &seed, &move, NULL);
      if (task->status == BW_OK) task->status = bw_state_play(state, move, NULL);
      if (task->status == BW_OK) task->status = bw_state_result(state, &over, NULL, 0, NULL);
    }
    if (task->status == BW_OK) task->status = bw_state_result_text(state, &text, NULL);
    bw_free(text);
    bw_player_free(player);
    bw_state_free(state);
  }
  return NULL;
}

static void* think_for_ever(void* argument) {
  Task* const task = argument;
  bw_state* state = NULL;
  bw_player* player = NULL;
  size_t move = 0;
  task->status = bw_state_new(task->rules, NULL, &state, NULL);
  if (task->status == BW_OK) task->status = bw_player_new(task->rules, "mcts", 1, NULL, &player, NULL);
  if (task->status == BW_OK)
    task->status = bw_player_think(player, state, 0, 0, task->stop, &move, NULL, NULL);
  bw_player_free(player);
  bw_state_free(state);
  return NULL;
}

int main(void) {
  bw_rules* rules = NULL;
  bw_stop* stop = NULL;
  pthread_t threads[2];
  Task tasks[2] = {{NULL, NULL, 0, BW_OK}, {NULL, NULL, 0, BW_OK}};
  WORKS(bw_load("breakthrough", NULL, 0, &rules, &error));
  for (int i = 0; i < 2; ++i) {
    tasks[i].rules = rules;
    CHECK(pthread_create(&threads[i], NULL, use, &tasks[i]) == 0);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(tasks[i].status == BW_OK && tasks[i].leaves == 484);
  }
  WORKS(bw_stop_new(&stop, &error));
  tasks[0].stop = stop;
  CHECK(pthread_create(&threads[0], NULL, think_for_ever, &tasks[0]) == 0);
  bw_stop_set(stop);
  pthread_join(threads[0], NULL);
  CHECK(tasks[0].status == BW_OK);
  bw_stop_free(stop);
  bw_rules_free(rules);
  return failures > 0;
}
