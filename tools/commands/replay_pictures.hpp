// replay --svg and --html: a recorded game as pictures.
#pragma once

#include "tools/console/console.hpp"
#include "tools/records/game_record.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace boardwright::tools {

struct ReplayOptions {
  RecordChoice choice;
  std::optional<std::size_t> at; // only the position after so many moves
  bool moves = false;            // only the moves
  std::string svg;               // a folder for a picture of each position
  std::string html;              // a file for a page that plays the game; "-": standard output
  std::string pgn;               // a file for the game in portable notation, likewise
  std::string to;                // a format (written_game.hpp) to write all games in, to standard output
  bool flipped = false;          // seen from the other side
  bool ascii = false;            // draws boards without other signs
  bool json = false;
};

// Pictures of more bytes, all together, aren't written: a mistake with a long record shall not fill a disk.
inline constexpr std::size_t kMaxFramesBytes = std::size_t{512} << 20;

// A folder of pictures, `000.svg`, `001.svg` …, that is there as a whole or not at all: they are written into
// another beside it, which then takes its place. It takes the place of nothing but such a folder.
class FrameFolder {
public:
  FrameFolder(const std::string& path, std::size_t frames, std::size_t limit = kMaxFramesBytes);
  ~FrameFolder(); // without keep() nothing has happened
  FrameFolder(const FrameFolder&) = delete;
  FrameFolder& operator=(const FrameFolder&) = delete;

  // Each says what went wrong, as a sentence, or "".
  [[nodiscard]] std::string begin();
  [[nodiscard]] std::string add(const std::string& svg);
  [[nodiscard]] std::string keep();

private:
  [[nodiscard]] bool is_of_frames() const;

  std::string named_; // as the user wrote it
  std::filesystem::path target_, fresh_;
  std::size_t digits_, limit_;
  std::size_t frames_ = 0, bytes_ = 0;
  bool begun_ = false;
};

// Of a record that replays to its end.
[[nodiscard]] Exit replay_pictures(OpenRecord& open, const ReplayOptions& options, Console& console);

} // namespace boardwright::tools
