// Entry point: replay_pictures.
#include "tools/commands/replay_pictures.hpp"

#include "interpreter/look/look.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/console/text_file.hpp"
#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/board_window.hpp"
#include "tools/records/replay_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace boardwright::tools {
namespace {

namespace fs = std::filesystem;
using runtime::Game;
using runtime::Position;
using runtime::Program;

constexpr std::size_t kLeastDigits = 3;
constexpr std::string_view kPictureEnding = ".svg";

bool is_frame_name(const std::string& name) {
  return name.size() >= kLeastDigits + kPictureEnding.size() && name.ends_with(kPictureEnding) &&
         std::all_of(name.begin(), name.end() - static_cast<std::ptrdiff_t>(kPictureEnding.size()),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Goes through a record once, from its beginning, and draws each position of it.
class Pictures {
public:
  Pictures(OpenRecord& open, const ReplayOptions& options, Console& console)
      : open_(open), options_(options), console_(console), look_(interpreter::look_of(open.loaded)),
        scene_(program(), &look_), page_(program().game) {}

  Exit run() {
    std::optional<FrameFolder> folder;
    if (!options_.svg.empty()) {
      folder.emplace(options_.svg, moves() + 1);
      if (const std::string why = folder->begin(); !why.empty()) return cannot_write(why);
    }
    if (!options_.html.empty()) add_tags();
    do shown_ |= cells_with_pieces(open_.replayed.game.position());
    while (open_.replayed.game.undo());
    for (std::size_t i = 0; i <= moves(); ++i) {
      if (interrupted()) return Exit::interrupted;
      if (i > 0 && !play(i - 1)) return Exit::at_fault;
      if (folder)
        if (const std::string why = folder->add(frame(i)); !why.empty()) return cannot_write(why);
      if (!options_.html.empty() && !page_.add(drawing(i, {}), step(i))) return too_large();
    }
    if (!options_.html.empty())
      if (const Exit written = write_page(); written != Exit::good) return written;
    if (folder)
      if (const std::string why = folder->keep(); !why.empty()) return cannot_write(why);
    return Exit::good;
  }

private:
  [[nodiscard]] const Program& program() const { return open_.loaded.rules->program(); }
  [[nodiscard]] std::size_t moves() const { return open_.replayed.moves.size(); }

  // Moves that were played once can be played again.
  bool play(std::size_t i) {
    Game& game = open_.replayed.game;
    before_ = game.position();
    const auto move = runtime::find_spelled(game, open_.replayed.moves[i]);
    return move && *move && game.play(**move);
  }

  [[nodiscard]] SvgDrawing drawing(std::size_t at, std::vector<std::string> text) const {
    SvgOptions drawn;
    drawn.look = &look_;
    drawn.flipped = options_.flipped;
    drawn.text = std::move(text);
    drawn.shown = shown_;
    const Position now = open_.replayed.game.position();
    if (at > 0) drawn.marks = marks_between(before_, now);
    return board_drawing(program(), now, drawn);
  }

  [[nodiscard]] const std::vector<std::string>& comments(std::size_t at) const {
    return at == 0 ? open_.record.comments : open_.record.moves[at - 1].comments;
  }
  [[nodiscard]] std::string player(std::size_t at) const {
    return program().players[static_cast<std::size_t>(open_.replayed.players[at - 1])].name;
  }
  [[nodiscard]] std::string frame(std::size_t at) {
    std::vector<std::string> text;
    text.push_back(at == 0 ? program().game
                           : fmt::format("{}. {}: {}", at, player(at), open_.replayed.moves[at - 1]));
    for (const std::string& comment : comments(at)) text.push_back(comment);
    if (at == moves())
      if (const std::string end = result(); !end.empty()) text.push_back(end);
    return svg_text(drawing(at, std::move(text)));
  }
  [[nodiscard]] PageStep step(std::size_t at) const {
    if (at == 0) return {"", "", "", comments(at)};
    const Colour colour = scene_.owner(open_.replayed.players[at - 1]);
    return {open_.replayed.moves[at - 1], player(at), colour_text(colour), comments(at)};
  }

  // After the last move.
  [[nodiscard]] std::string result() {
    const auto outcome = open_.replayed.game.outcome();
    if (outcome && *outcome) return result_text(open_.loaded, **outcome);
    return open_.record.result;
  }

  // What the page shows anyway, and what only programs read, is left out.
  void add_tags() {
    for (const auto& [name, value] : open_.record.tags)
      if (name != "Game" && name != "RulesHash") page_.add_tag(name, value);
  }

  Exit write_page() {
    const std::string page = page_.finish(result());
    if (page.empty()) return too_large();
    if (options_.html == "-")
      console_.out(page);
    else if (const auto written = write_text_file(options_.html, page); !written)
      return cannot_write(written.error());
    return Exit::good;
  }

  Exit cannot_write(const std::string& why) {
    console_.error(why);
    return Exit::files;
  }
  Exit too_large() {
    console_.error(
        fmt::format("--html: the page would have more than {} bytes; --svg writes frames one by one",
                    grouped(kMaxPageBytes)));
    return Exit::at_fault;
  }

  OpenRecord& open_;
  const ReplayOptions& options_;
  Console& console_;
  interpreter::Look look_;
  Scene scene_;
  ReplayPage page_;
  Position before_;        // the last move
  runtime::CellSet shown_; // in every picture, so that all have the same frame
};

} // namespace

FrameFolder::FrameFolder(const std::string& path, std::size_t frames, std::size_t limit)
    : named_(path), digits_(std::max(kLeastDigits, std::to_string(frames - 1).size())), limit_(limit) {}

FrameFolder::~FrameFolder() {
  std::error_code ignored;
  if (begun_) fs::remove_all(fresh_, ignored);
}

std::string FrameFolder::begin() {
  std::error_code error;
  target_ = fs::weakly_canonical(named_, error);
  if (error) return fmt::format("can't write `{}`: {}", quotable(named_), error.message());
  if (!target_.has_filename()) target_ = target_.parent_path();
  if (fs::exists(target_, error) && !fs::is_directory(target_, error))
    return fmt::format("can't write `{}`: it is no folder", quotable(named_));
  if (fs::exists(target_, error) && !is_of_frames())
    return fmt::format("can't write `{}`: other files are there; frames have a folder of their own",
                       quotable(named_));
  fresh_ = target_;
  fresh_ += fmt::format(".new{}", getpid());
  if (!fs::create_directory(fresh_, error))
    return fmt::format("can't write `{}`: {}", quotable(named_), error ? error.message() : "it is in use");
  begun_ = true;
  return "";
}

bool FrameFolder::is_of_frames() const {
  std::error_code error;
  for (fs::directory_iterator i(target_, error), end; !error && i != end; i.increment(error))
    if (!is_frame_name(i->path().filename().string()) || !i->is_regular_file(error)) return false;
  return !error;
}

std::string FrameFolder::add(const std::string& svg) {
  bytes_ += svg.size();
  if (bytes_ > limit_)
    return fmt::format("can't write `{}`: the frames would have more than {} bytes", quotable(named_),
                       grouped(limit_));
  const std::string name = fmt::format("{:0{}}{}", frames_++, digits_, kPictureEnding);
  const auto written = write_text_file((fresh_ / name).string(), svg);
  return written ? "" : written.error();
}

// A folder that isn't empty can't be replaced in one step: the old one goes aside, and comes back if the new
// one can't be moved.
std::string FrameFolder::keep() {
  std::error_code error, ignored;
  fs::path old = target_;
  old += fmt::format(".old{}", getpid());
  const bool was_there = fs::exists(target_, error);
  if (was_there) fs::rename(target_, old, error);
  if (!error) fs::rename(fresh_, target_, error);
  if (error) {
    if (was_there && !fs::exists(target_, ignored)) fs::rename(old, target_, ignored);
    return fmt::format("can't write `{}`: {}", quotable(named_), error.message());
  }
  begun_ = false;
  if (was_there) fs::remove_all(old, ignored);
  return "";
}

Exit replay_pictures(OpenRecord& open, const ReplayOptions& options, Console& console) {
  return Pictures(open, options, console).run();
}

} // namespace boardwright::tools
