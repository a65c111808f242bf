// A lint about variants on another board: what they inherit and what means something else there.
//
// `rank(8)` is no rank on six by six, and not the last one on ten by ten. The extended game is loaded once
// more; then fixed cells of inherited rules, as they were there, are compared with what they are here. Only
// what can be seen is told: cells that are gone, that were at the edge, or that lay evenly on the board.
#include "dsl/finder.hpp"
#include "interpreter/compile.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;
using runtime::Board;
using runtime::CellSet;

// Inherited lines that are shown; the others will be met when these are mended.
constexpr std::size_t kMostLinesShown = 3;

// The extended game by itself.
struct Extended {
  dsl::Sources sources;
  std::optional<dsl::RuleFile> file;
  Readings readings;
  std::shared_ptr<const runtime::Program> program;
};

std::string stem(const std::string& name) {
  const std::size_t folder = name.rfind('/');
  std::string base = folder == std::string::npos ? name : name.substr(folder + 1);
  const std::size_t ending = base.rfind(".yaml");
  return ending == std::string::npos ? base : base.substr(0, ending);
}

// Finds files among those that have been read already.
dsl::FileFinder finder_among(const dsl::Sources& sources) {
  return
      [&sources](const std::string& reference, const std::string& beside) -> std::optional<dsl::FoundFile> {
        for (dsl::FileId id = 0; id < sources.size(); ++id) {
          const std::string& name = sources.name(id);
          const bool meant = beside.empty() && reference.find('/') != std::string::npos
                                 ? name == reference
                                 : stem(name) == stem(reference);
          if (meant && name != beside) return dsl::FoundFile{name, sources.text(id)};
        }
        return std::nullopt;
      };
}

// The file that another one extends is read right behind it.
std::unique_ptr<Extended> extended_by(const Linted& in) {
  const dsl::FileId parent = in.file.file + 1;
  if (parent >= in.sources.size() || !dsl::is_game(in.sources.text(parent))) return nullptr;
  auto extended = std::make_unique<Extended>();
  dsl::Diagnostics ignored; // it may be no game by itself
  const std::string& name = in.sources.name(parent);
  const auto among = finder_among(in.sources);
  const auto find = [&](const std::string& reference, const std::string& beside) {
    return beside.empty() && reference == name
               ? std::optional<dsl::FoundFile>({name, in.sources.text(parent)})
               : among(reference, beside);
  };
  extended->file = dsl::read_rule_file(name, find, extended->sources, ignored);
  if (!extended->file || ignored.has_errors()) return nullptr;
  bool bad_setting = false;
  CompileOptions options;
  options.readings = &extended->readings;
  extended->program = compile(*extended->file, {}, extended->sources, ignored, bad_setting, options);
  return extended->program == nullptr || ignored.has_errors() ? nullptr : std::move(extended);
}

bool same_cells(const Board& a, const Board& b) {
  return a.hexes == b.hexes && a.files == b.files && a.ranks == b.ranks && a.name == b.name && a.x == b.x &&
         a.y == b.y;
}

// What can be said of where cells lie on a board, and should be true on another one if it was on this.
struct Lie {
  // There are some in the first rank, the last one, the first file, the last one.
  std::array<bool, 4> reaches{};
  // They are the same seen from the other side, in a mirror, upside down.
  std::array<bool, 3> even{};

  Lie(const Board& board, const CellSet& cells) {
    even.fill(cells.any());
    const auto there = [&](int x, int y) {
      const int cell = board.cell_at(x, y);
      return cell != runtime::kNowhere && cells.test(cell);
    };
    cells.each([&](int cell) {
      const int x = board.x[static_cast<std::size_t>(cell)], y = board.y[static_cast<std::size_t>(cell)];
      const int across = board.files + 1 - x, over = board.ranks + 1 - y;
      reaches = {reaches[0] || y == 1, reaches[1] || over == 1, reaches[2] || x == 1,
                 reaches[3] || across == 1};
      even = {even[0] && there(across, over), even[1] && !board.hexes && there(across, y),
              even[2] && !board.hexes && there(x, over)};
    });
  }
};

// Was anything true that isn't any more?
template <std::size_t N>
bool lost(const std::array<bool, N>& before, const std::array<bool, N>& here) {
  for (std::size_t i = 0; i < N; ++i)
    if (before[i] && !here[i]) return true;
  return false;
}

// Does a rule name places of the board one by one, so that it can't go with its size?
bool names_places(const Board& board, const Ast& rule) {
  bool found = false;
  each_node(rule, [&](const Ast& n) {
    found = found || n.form == Form::number ||
            (n.form == Form::name && board.cell_named(n.word) != runtime::kNowhere);
  });
  return found;
}

class Boards {
public:
  Boards(const Linted& in, const Extended& extended, dsl::Diagnostics& out)
      : in_(in), extended_(extended), out_(out) {
    every_rule(*extended.file, [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) { before_.emplace(key(extended.sources, n), &n); });
    });
  }

  void report() {
    every_rule(in_.file, [&](const Ast& rule) {
      if (rule.span.file != in_.file.file) compare(rule);
    });
    if (lines_.empty()) return;
    auto& warning = out_.warning("board-changed", place_of_shape(),
                                 fmt::format("what is inherited goes by the board of `{}`, not by this one",
                                             extended_.file->game.text));
    warning.help = fmt::format("say anew for this board what `{}` is{}", first_,
                               lines_.size() > 1 ? ", and the others" : "");
    for (std::size_t i = 0; i < lines_.size() && i < kMostLinesShown; ++i)
      warning.related.push_back(lines_[i]);
  }

private:
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, Form>;
  static Key key(const dsl::Sources& sources, const Ast& n) {
    return {sources.name(n.span.file), n.span.begin, n.span.end, n.form};
  }

  // All rules of a file and of those that it extends, so far as they still hold.
  template <class F>
  static void every_rule(const dsl::RuleFile& file, F&& visit) {
    for (const dsl::Definition& d : file.define)
      for (const dsl::Definition* older = &d; older != nullptr; older = older->replaced.get())
        each_body(*older, visit);
    for (const dsl::TurnSection* turn = file.turn ? &*file.turn : nullptr; turn != nullptr;
         turn = turn->replaced.get()) {
      visit(turn->body);
      for (const auto& [who, body] : turn->cases) visit(body);
      if (turn->others) visit(*turn->others);
    }
    for (const dsl::EndRule& line : file.end) {
      visit(line.condition);
      if (line.score) visit(*line.score);
    }
    for (const auto& entry : file.setup.entries) visit(entry.cells);
    for (const auto& entry : file.state)
      if (entry.value) visit(*entry.value);
  }

  // The largest parts of a rule that are fixed cells in both games.
  void compare(const Ast& n) {
    const Reading* now = in_.reading(n);
    const auto old = before_.find(key(in_.sources, n));
    const auto was = old == before_.end() ? extended_.readings.end() : extended_.readings.find(old->second);
    const bool fixed = now != nullptr && was != extended_.readings.end() && is_fixed(*now) &&
                       is_fixed(was->second) && n.form != Form::paren;
    if (!fixed) {
      for (const Ast& kid : n.kids) compare(kid);
      return;
    }
    if (!names_places(extended_.program->board, n)) return;
    if (const Ast* gone = lacking(n)) return tell(*gone, "there is no such cell on this board");
    const Lie before(extended_.program->board, was->second.cells), here(in_.program.board, now->cells);
    if (lost(before.reaches, here.reaches))
      return tell(n, "this reached to the edge of the board, and doesn't on this one");
    if (lost(before.even, here.even)) tell(n, "this lay evenly on the board, and doesn't on this one");
  }

  static bool is_fixed(const Reading& r) { return r.type == Ty::cells && !r.varies && r.holds != r.fails; }

  // The innermost part that had cells and has none.
  [[nodiscard]] const Ast* lacking(const Ast& n) const {
    const Reading* now = in_.reading(n);
    const auto old = before_.find(key(in_.sources, n));
    if (now == nullptr || old == before_.end()) return nullptr;
    const auto was = extended_.readings.find(old->second);
    for (const Ast& kid : n.kids)
      if (const Ast* part = lacking(kid)) return part;
    if (was == extended_.readings.end() || !is_fixed(*now) || !is_fixed(was->second)) return nullptr;
    return was->second.holds && now->fails ? &n : nullptr;
  }

  void tell(const Ast& n, const std::string& how) {
    for (const auto& line : lines_)
      if (line.span == n.span) return;
    if (lines_.empty())
      first_ = in_.sources.text(n.span.file).substr(n.span.begin, n.span.end - n.span.begin);
    lines_.push_back({n.span, how});
  }

  [[nodiscard]] dsl::Span place_of_shape() const {
    const dsl::BoardSection& board = in_.file.board;
    const auto own = [&](const std::optional<Ast>& size) {
      return size && size->span.file == in_.file.file && size->span.end > 0;
    };
    if (own(board.files) && own(board.ranks)) return dsl::join(board.files->span, board.ranks->span);
    if (own(board.side)) return board.side->span;
    return board.span;
  }

  const Linted& in_;
  const Extended& extended_;
  dsl::Diagnostics& out_;
  std::map<Key, const Ast*> before_;
  std::vector<dsl::Related> lines_;
  std::string first_;
};

} // namespace

void lint_board(const Linted& in, dsl::Diagnostics& out) {
  if (in.file.board.span.file != in.file.file) return; // the board is inherited, or there is nothing else
  const auto extended = extended_by(in);
  if (extended == nullptr || same_cells(extended->program->board, in.program.board)) return;
  Boards(in, *extended, out).report();
}

} // namespace boardwright::interpreter
