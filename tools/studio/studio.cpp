// Entry point: Studio.
#include "tools/studio/studio.hpp"

#include "dsl/finder.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/search/calibration.hpp"
#include "runtime/search/make_player.hpp"
#include "tools/english/plain_words.hpp"
#include "tools/english/reasons.hpp"
#include "tools/games/diagnostic_json.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/games/game_index.hpp"
#include "tools/games/illegal_move.hpp"
#include "tools/games/out_of_time.hpp"
#include "tools/games/position_json.hpp"
#include "tools/lsp/server.hpp"
#include "tools/studio/arranged.hpp"
#include "tools/studio/covered.hpp"
#include "tools/studio/game_view.hpp"
#include "tools/studio/player_rules_view.hpp"
#include "tools/studio/program_view.hpp"
#include "tools/studio/random_games.hpp"
#include "tools/studio/written_games.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;

Json failure(const std::string& what) { return {{"error", what}}; }

std::string text_in(const Json& request, const char* key) {
  const auto at = request.find(key);
  return at != request.end() && at->is_string() ? at->get<std::string>() : "";
}

double number_in(const Json& request, const char* key, double otherwise, double most) {
  const auto at = request.find(key);
  return at != request.end() && at->is_number() ? std::clamp(at->get<double>(), 0.0, most) : otherwise;
}

// When a share of the `seconds` that a request gives is over.
std::chrono::steady_clock::time_point deadline_in(const Json& request, double share) {
  const std::chrono::duration<double> time(share * number_in(request, "seconds", 1, 600));
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
}

bool is_set(const Json& request, const char* key) {
  const auto at = request.find(key);
  return at != request.end() && at->is_boolean() && at->get<bool>();
}

std::vector<std::string> texts_in(const Json& request, const char* key) {
  std::vector<std::string> texts;
  const auto at = request.find(key);
  if (at == request.end() || !at->is_array()) return texts;
  for (const Json& one : *at)
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

// Whoever is none of the players is nobody.
Viewer viewer_in(const Json& request, const runtime::Program& program) {
  const auto at = request.find("as");
  if (at == request.end() || at->is_null()) return std::nullopt;
  for (int player = 0; player < program.player_count(); ++player)
    if (*at == player) return player;
  return kNobody;
}

// What a page says in place of what would tell somebody more than he may see.
Json not_told(const char* what) {
  return failure(std::string(what) + " would tell what you can't see; when the game is over it is told");
}

interpreter::Settings settings_in(const Json& request) {
  interpreter::Settings settings;
  const auto at = request.find("settings");
  if (at == request.end() || !at->is_object()) return settings;
  for (const auto& [name, value] : at->items())
    if (value.is_string()) settings.emplace_back(name, value.get<std::string>());
  return settings;
}

// More pictures than this nobody chooses among.
constexpr std::size_t kMostPictures = 12;

// What a page is told of a player's thoughts.
Json thought_view(runtime::Game& game, search::Thought thought, const search::Calibration& calibration,
                  int players) {
  calibrate(thought, calibration, game.to_move(), players);
  Json view = {{"move", nullptr},        {"value", thought.value},     {"depth", thought.depth},
               {"nodes", thought.nodes}, {"line", thought.line},       {"remark", thought.remark},
               {"proof", "unknown"},     {"candidates", Json::array()}};
  constexpr std::array kProofs{"unknown", "win", "draw", "loss"};
  view["proof"] = kProofs[static_cast<std::size_t>(thought.proof)];
  if (thought.move)
    if (const auto text = runtime::spelling(game, *thought.move)) view["move"] = *text;
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(kShown, thought.candidates.size()); ++i)
    if (const auto text = game.notation(thought.candidates[i].move))
      view["candidates"].push_back({{"move", *text}, {"value", thought.candidates[i].value}});
  return view;
}

} // namespace

class Studio::Core {
public:
  Json answer(const Json& request) {
    using Handler = Json (Core::*)(const Json&);
    static const std::map<std::string, Handler> handlers = {
        {"library", &Core::library}, {"source", &Core::source},   {"describe", &Core::describe},
        {"load", &Core::load},       {"view", &Core::view},       {"play", &Core::play},
        {"undo", &Core::undo},       {"restart", &Core::restart}, {"go_to", &Core::go_to},
        {"why", &Core::why},         {"think", &Core::think},     {"random", &Core::random},
        {"cover", &Core::cover},     {"palette", &Core::palette}, {"arrange", &Core::arrange},
        {"as_test", &Core::as_test}, {"lsp", &Core::lsp},         {"rules", &Core::rules},
        {"roll", &Core::roll},       {"after", &Core::after},     {"templates", &Core::templates},
        {"write", &Core::write},     {"read", &Core::read},       {"positions", &Core::positions},
        {"moves", &Core::moves},     {"picture", &Core::picture}, {"position", &Core::position},
        {"history", &Core::history}, {"late", &Core::late}};
    if (!request.is_object()) return failure("a request is an object");
    const auto handler = handlers.find(text_in(request, "do"));
    if (handler == handlers.end()) return failure("`do` is none of the requests");
    if (needs_game(handler->first) && !game_) return failure("no rules are loaded");
    return (this->*handler->second)(request);
  }

  void come_to(const Core& other) {
    if (loaded_ != other.loaded_) {
      forget();
      loaded_ = other.loaded_;
      settings_ = other.settings_;
      look_ = other.look_;
    }
    begin_ = other.begin_;
    moves_ = other.moves_;
    made_by_ = other.made_by_;
    game_ = other.game_;
  }

private:
  static bool needs_game(const std::string& what) {
    constexpr std::array kOthers{"library", "source", "describe", "load", "lsp", "templates"};
    return std::find(kOthers.begin(), kOthers.end(), what) == kOthers.end();
  }

  // --- the library

  Json library(const Json& /*request*/) {
    Json games = Json::array();
    for (const dsl::BundledFile& file : dsl::bundled_files())
      if (dsl::is_game(file.text)) games.push_back({{"name", file.name}, {"family", file.family}});
    return {{"games", games}};
  }

  Json source(const Json& request) {
    const auto found = dsl::bundled_finder()(text_in(request, "name"), "");
    if (!found) return failure("the library has no file of this name");
    return {{"text", found->text}};
  }

  // Rules to begin with; the title of the game stands there as NAME.
  Json templates(const Json& /*request*/) {
    Json all = Json::array();
    for (const dsl::BundledFile& file : dsl::bundled_templates())
      all.push_back({{"name", file.name}, {"text", file.text}});
    return {{"templates", all}};
  }

  // What the page of all games shows of one.
  Json describe(const Json& request) {
    const auto loaded = interpreter::load(text_in(request, "name"), {}, dsl::bundled_finder());
    if (!loaded) return failure("the library has no game of this name that loads");
    const GameEntry entry = entry_of(text_in(request, "name"), "", dsl::bundled_finder());
    runtime::Game game(loaded.rules);
    Json view = game_view(loaded, interpreter::look_of(loaded), game, false);
    return {{"title", entry.title},
            {"board", entry.board},
            {"players", entry.players},
            {"year", entry.told("year")},
            {"svg", view["svg"]}};
  }

  // --- the game

  // The game goes on where it can: by its moves, else from the position that it has come to.
  Json load(const Json& request) {
    const std::string name = text_in(request, "name");
    interpreter::Settings settings = settings_in(request);
    auto fresh = std::make_shared<const interpreter::Loaded>(
        interpreter::load_text(name.empty() ? "game.yaml" : name, text_in(request, "text"), settings));
    Json found = diagnostics_json(fresh->diagnostics, fresh->sources);
    if (!*fresh) return {{"ok", false}, {"errors", fresh->errors()}, {"diagnostics", found}};
    std::string here = text_in(request, "position");
    const std::vector<std::string> moves = texts_in(request, "moves");
    if (game_ && is_set(request, "go_on"))
      here = write_position(loaded_->rules->program(), game_->position());
    forget();
    loaded_ = std::move(fresh);
    settings_ = std::move(settings);
    look_ = interpreter::look_of(*loaded_);
    begin_ = text_in(request, "begin");
    const char* how = "moves";
    if (!begin() || !play_all(moves)) {
      begin_ = here;
      how = "position";
      if (here.empty() || !begin()) how = "nothing";
    }
    if (std::string_view(how) == "nothing") begin_.clear(), static_cast<void>(begin());
    return {{"ok", true},
            {"kept", how},
            {"diagnostics", found},
            {"rules", rules_view(*loaded_)},
            {"view", viewed(request)}};
  }

  // A game from `begin_`, or from the set-up. What is wrong with the position is told to whoever asks.
  bool begin(Json* problem = nullptr) {
    moves_.clear();
    made_by_.clear();
    if (begin_.empty()) {
      game_.emplace(loaded_->rules);
      return true;
    }
    auto read = interpreter::read_position(loaded_->rules, "position", begin_);
    if (read.game) {
      game_ = std::move(read.game);
      return true;
    }
    if (problem != nullptr)
      *problem = {{"errors", read.errors()},
                  {"diagnostics", diagnostics_json(read.diagnostics, read.sources)}};
    return false;
  }

  bool play_all(const std::vector<std::string>& moves) {
    return std::all_of(moves.begin(), moves.end(), [&](const std::string& move) { return play_one(move); });
  }

  bool play_one(const std::string& text) {
    const auto move = runtime::find_spelled(*game_, text);
    if (!move || !*move) return false;
    const auto notation = game_->notation(**move);
    if (!notation) return false;
    // A number tells it from others that are written alike; without one it is the first of them, also next
    // time.
    return make(**move, text.starts_with(*notation + "#") ? text : *notation);
  }

  bool make(const runtime::Move& move, const std::string& written) {
    const int player = game_->to_move();
    const bool rolled = game_->is_chance();
    if (!game_->play(move)) return false;
    moves_.push_back(written);
    made_by_.push_back(rolled ? -1 - player : player);
    return true;
  }

  // Who is before the page that asks.
  [[nodiscard]] Viewer viewer_of(const Json& request) const {
    return viewer_in(request, loaded_->rules->program());
  }
  [[nodiscard]] bool is_closed_to(const Json& request) { return is_closed(*game_, viewer_of(request)); }

  // `played` has all that was written, for whoever keeps the game; a page reads it to people as they may read
  // it. A program that asks for no picture is told how the game stands.
  Json viewed(const Json& request) {
    if (is_set(request, "brief")) return standing_view(*loaded_, *game_);
    Json view = game_view(*loaded_, look_, *game_, is_set(request, "flipped"), viewer_of(request));
    view["played"] = moves_;
    view["made_by"] = made_by_;
    view["begin"] = begin_;
    return view;
  }
  Json view(const Json& request) { return viewed(request); }

  // --- what programs ask for by itself

  Json history(const Json& /*request*/) {
    return {{"begin", begin_}, {"played", moves_}, {"made_by", made_by_}};
  }

  Json moves(const Json& request) {
    runtime::ListLimits limits;
    if (request.contains("most"))
      limits.most_moves = static_cast<std::uint64_t>(number_in(request, "most", 1, 1e15));
    if (request.contains("seconds")) limits.deadline = deadline_in(request, 1);
    return moves_view(*game_, viewer_of(request), limits);
  }

  Json picture(const Json& request) {
    return picture_view(*loaded_, look_, *game_, is_set(request, "flipped"), viewer_of(request));
  }

  Json position(const Json& request) { return position_view(*loaded_, look_, *game_, viewer_of(request)); }

  Json play(const Json& request) {
    const std::string move = text_in(request, "move");
    if (play_one(move)) return viewed(request);
    if (is_closed_to(request)) return failure((move.empty() ? "this" : move) + " is none of your moves");
    const auto legal = game_->notations();
    return failure(legal ? why_illegal(loaded_->rules->program(), game_->position(), *legal, move)
                         : legal.error().message);
  }

  Json undo(const Json& request) {
    const auto count = static_cast<int>(number_in(request, "count", 1, 1e6));
    for (int i = 0; i < count && !moves_.empty() && game_->undo(); ++i)
      moves_.pop_back(), made_by_.pop_back();
    return viewed(request);
  }

  // Nature's move, by the dice of the engine.
  Json roll(const Json& request) {
    if (!game_->is_chance()) return failure("nothing is to be rolled");
    runtime::Random random(runtime::mix(static_cast<std::uint64_t>(number_in(request, "seed", 1, 1e15))));
    const auto drawn = game_->draw(random);
    if (!drawn) return failure(drawn.error().message);
    if (!*drawn) return failure("nothing can be rolled");
    const auto written = runtime::spelling(*game_, **drawn);
    if (!written) return failure(written.error().message);
    if (!make(**drawn, *written)) return failure("nothing can be rolled");
    return viewed(request);
  }

  // Pictures of the board after each of a few moves; the game stays where it is. What comes of a move may be
  // what its player doesn't know yet.
  Json after(const Json& request) {
    if (is_closed_to(request)) return not_told("a picture");
    Json views = Json::array();
    for (const std::string& text : texts_in(request, "moves")) {
      if (views.size() == kMostPictures) break;
      const auto move = runtime::find_spelled(*game_, text);
      if (!move || !*move) return failure("this is no move here");
      if (const auto played = game_->play(**move); !played) return failure(played.error().message);
      views.push_back(board_view(loaded_->rules->program(), look_, game_->position(),
                                 marks_of_last_move(*game_), is_set(request, "flipped")));
      views.back()["move"] = text;
      static_cast<void>(game_->undo());
    }
    return {{"views", views}};
  }

  // How the game is played, for people.
  Json rules(const Json& /*request*/) { return player_rules_view(*loaded_, look_); }

  Json restart(const Json& request) {
    begin_ = text_in(request, "position");
    Json problem;
    const bool fits = begin(&problem);
    if (!fits) begin_.clear(), static_cast<void>(begin());
    Json view = viewed(request);
    if (!fits) view["error"] = "this is no position of the game", view.update(problem);
    return view;
  }

  // The same rules, another point of the game: what players and random games have learnt is kept.
  Json go_to(const Json& request) {
    begin_ = text_in(request, "begin");
    if (begin() && play_all(texts_in(request, "moves"))) return {{"ok", true}};
    return failure("these moves can't be played");
  }

  Json why(const Json& request) {
    if (is_closed_to(request)) return not_told("the reason");
    const auto text = reasons_text(*loaded_, *game_, text_in(request, "move"));
    return text ? Json{{"text", *text}} : failure(text.error().message);
  }

  // What it is worth that the player to move has no time left: by the rules, else he has lost, where two
  // play.
  Json late(const Json& /*request*/) {
    const runtime::Position position = game_->position();
    if (const auto outcome = outcome_out_of_time(loaded_->rules, position))
      return {{"text", plain_result(*loaded_, *outcome, &position)},
              {"winners", winners_of(loaded_->rules->program(), *outcome)}};
    const auto& players = loaded_->rules->program().players;
    if (players.size() != 2) return {{"text", ""}, {"winners", Json::array()}};
    const std::string& other = players[static_cast<std::size_t>(1 - game_->to_move())].name;
    return {{"text", runtime::with_verb(other, "win")}, {"winners", {other}}};
  }

  // --- games as text

  Json write(const Json& request) {
    if (is_closed_to(request)) return not_told("the game");
    MadeMoves made{moves_, {}};
    for (const int by : made_by_) made.players.push_back(by < 0 ? -1 - by : by);
    return game_texts(*loaded_, text_in(request, "rules"), *game_, made);
  }
  // The game stays as it is: who asks goes to what was read.
  Json read(const Json& request) { return game_in_text(*loaded_, text_in(request, "text")); }

  // --- positions that are set up by hand

  Json positions(const Json& /*request*/) { return test_positions(*loaded_); }

  // The text of one; without it, where the game is, or how it begins where the viewer doesn't see that.
  std::string position_in(const Json& request) {
    const std::string text = text_in(request, "position");
    if (!text.empty()) return text;
    const runtime::Program& program = loaded_->rules->program();
    return write_position(program, is_closed_to(request) ? runtime::Game(loaded_->rules).position()
                                                         : game_->position());
  }

  Json palette(const Json& /*request*/) { return palette_view(*loaded_, look_); }
  Json arrange(const Json& request) {
    return arranged_view(*loaded_, look_, position_in(request), is_set(request, "flipped"));
  }
  Json as_test(const Json& request) {
    if (text_in(request, "position").empty() && is_closed_to(request)) return not_told("the position");
    const std::string name = text_in(request, "name");
    return test_of(*loaded_, settings_, position_in(request), name.empty() ? "a position" : name);
  }

  // --- playing against it, and by itself

  Json think(const Json& request) {
    const std::string description = text_in(request, "player");
    if (!player_ || description != description_) {
      search::PlayerChoice choice;
      choice.seed = static_cast<std::uint64_t>(number_in(request, "seed", 1, 1e15));
      auto made = search::make_player(description, loaded_->rules, choice);
      if (!made) return failure(made.error());
      player_ = std::move(*made);
      description_ = description;
      calibration_ = learnt(choice, request);
    }
    search::ThinkLimits limits;
    limits.deadline = deadline_in(request, 1);
    if (request.contains("nodes"))
      limits.most_nodes = static_cast<std::uint64_t>(number_in(request, "nodes", 1, 1e15));
    const auto thought = player_->think(*game_, limits);
    if (!thought) return failure(thought.error().message);
    Json view = thought_view(*game_, *thought, calibration_, loaded_->rules->program().player_count());
    // What another player thinks tells what he knows.
    if (is_closed_to(request) && viewer_of(request) != game_->to_move()) return {{"move", view["move"]}};
    return view;
  }

  // What the values of a player are worth in this game, from games of another one like him, in a quarter of
  // the time for a move.
  search::Calibration learnt(const search::PlayerChoice& choice, const Json& request) {
    const auto alike = search::make_player(description_, loaded_->rules, choice);
    if (!alike) return {};
    search::CalibrationLimits limits;
    limits.seed = choice.seed;
    limits.most_nodes = static_cast<std::uint64_t>(number_in(request, "nodes", 100'000, 1e5));
    limits.deadline = deadline_in(request, 0.25);
    return search::learn_calibration(loaded_->rules, **alike, limits);
  }

  // `from_start` begins a new row of games.
  Json random(const Json& request) {
    if (!random_ || is_set(request, "from_start"))
      random_.emplace(*loaded_, static_cast<std::uint64_t>(number_in(request, "seed", 1, 1e15)));
    const auto time = static_cast<int>(number_in(request, "milliseconds", 100, 60'000));
    random_->play(std::chrono::milliseconds(time),
                  static_cast<std::uint64_t>(number_in(request, "most", 1000, 1e12)));
    return random_->view();
  }

  Json cover(const Json& /*request*/) { return covered_view(*loaded_, settings_); }

  Json lsp(const Json& request) {
    if (!server_) server_.emplace();
    return {{"answers", server_->answer(text_in(request, "message"))}};
  }

  void forget() { // all that knows the rules which go
    random_.reset();
    player_.reset();
    game_.reset();
  }

  std::optional<LanguageServer> server_;
  std::shared_ptr<const interpreter::Loaded> loaded_; // by all that are at a game of these rules
  interpreter::Settings settings_;                    // that it was loaded with
  interpreter::Look look_;
  std::string begin_; // the position that the game began with; "": the set-up
  std::vector<std::string> moves_;
  std::vector<int> made_by_; // the player of each; of a roll -1 for the first player, -2 for the second, …
  std::optional<runtime::Game> game_;
  std::string description_;
  std::unique_ptr<search::Player> player_;
  search::Calibration calibration_; // of its values
  std::optional<RandomGames> random_;
};

Studio::Studio() : core_(std::make_unique<Core>()) {}
Studio::~Studio() = default;

Json Studio::answer(const Json& request) { return core_->answer(request); }

std::string Studio::ask(const std::string& request) {
  return to_text(answer(Json::parse(request, nullptr, false)));
}

void Studio::come_to(const Studio& other) { core_->come_to(*other.core_); }

} // namespace boardwright::tools
