#include "tools/studio/player_rules_view.hpp"

#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/move_drawing.hpp"
#include "tools/english/player_rules.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

// More arrows than this on one board tell nothing.
constexpr std::size_t kMostArrows = 60;

// The board of an example, with all moves of its piece.
std::string picture_of(const runtime::Program& program, const interpreter::Look& look,
                       const ExampleMove& example) {
  runtime::Game game = example.before;
  SvgOptions drawn;
  drawn.look = &look;
  drawn.captions = false;
  drawn.turn = false;
  runtime::ListLimits limits;
  limits.most_moves = 20 * kMostArrows;
  const auto moves = game.moves(limits);
  for (std::size_t i = 0; moves && i < moves->size() && drawn.moves.size() < kMostArrows; ++i) {
    auto move = drawing_of(game, (*moves)[i]);
    if (!move || move->path.empty() || move->path.front() != example.cell) continue;
    drawn.moves.push_back(std::move(*move));
  }
  return board_svg(program, game.position(), drawn);
}

} // namespace

Json player_rules_view(const interpreter::Loaded& loaded, const interpreter::Look& look) {
  const runtime::Program& program = loaded.rules->program();
  const PlayerRules rules = player_rules(loaded, runtime::Game(loaded.rules));
  Json kinds = Json::array();
  for (const KindRules& kind : rules.kinds) {
    std::vector<std::string> examples;
    for (const ExampleMove& example : kind.examples) examples.push_back(example_text(example));
    kinds.push_back({{"name", kind.name},
                     {"letters", kind.letters},
                     {"text", kind.text},
                     {"examples", examples},
                     {"svg", kind.examples.empty() ? "" : picture_of(program, look, kind.examples.front())}});
  }
  return {{"made_by", rules.made_by}, {"players", rules.players}, {"board", rules.board},
          {"summary", rules.summary}, {"aim", rules.aim},         {"kinds", kinds},
          {"moving", rules.moving},   {"endings", rules.endings}, {"options", rules.options}};
}

} // namespace boardwright::tools
