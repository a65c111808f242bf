// A game written to a file while it is played: nothing that was played is lost, whatever ends the program.
#pragma once

#include "tools/records/game_record.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// An open file that no other program of ours writes: it is locked as long as this lives, and however that
// ends.
class LockedFile {
public:
  // The end of a file, which is made if it isn't there; or a fresh file that nobody has; or one that is
  // there. Fails with a sentence: "`x` is a folder", "another game is being written to `x`".
  [[nodiscard]] static tl::expected<LockedFile, std::string> at_end_of(const std::string& path);
  [[nodiscard]] static tl::expected<LockedFile, std::string> fresh(const std::string& path);
  [[nodiscard]] static tl::expected<LockedFile, std::string> existing(const std::string& path);
  ~LockedFile();
  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Puts a text behind what is there: all of it, or nothing. An errno, or 0.
  [[nodiscard]] int append(std::string_view text);
  // Cuts what stands behind the first bytes.
  [[nodiscard]] int cut(std::uint64_t bytes);
  void sync(); // to the disk
  void remove();

private:
  LockedFile(int number, std::string path, std::uint64_t size)
      : number_(number), path_(std::move(path)), size_(size) {}
  [[nodiscard]] static tl::expected<LockedFile, std::string> open(const std::string& path, int flags);

  int number_ = -1;
  std::string path_;
  std::uint64_t size_ = 0;
  bool regular_ = true;
};

// One record in it.
class RecordWriter {
public:
  // Begins a record behind what is in the file; nothing is written before the first move or `begin`.
  RecordWriter(LockedFile file, std::string head);
  // Goes on with the record that is the whole of the file: behind so many moves of it.
  RecordWriter(LockedFile file, const std::string& text, const interpreter::Record& record,
               std::size_t moves);

  // Each returns an errno, or 0. After an error the file ends with the last move that could be written.
  [[nodiscard]] int begin();
  [[nodiscard]] int add(std::string_view player, std::string_view move, std::string_view comment = "");
  [[nodiscard]] int take_back(); // the last move
  [[nodiscard]] int finish(std::string_view result);
  [[nodiscard]] int reopen();                        // the result is taken back
  [[nodiscard]] int begin_another(std::string head); // behind the moves that there are

  [[nodiscard]] std::size_t moves() const { return starts_.size(); }
  [[nodiscard]] LockedFile& file() { return file_; }

private:
  LockedFile file_;
  std::string head_;                  // not written yet
  std::uint64_t begin_ = 0;           // where the record begins in the file
  std::vector<std::uint64_t> starts_; // of the lines of moves
  std::optional<std::uint64_t> end_;  // where the result stands
};

// Where unfinished games are kept: boardwright/games under XDG_STATE_HOME or ~/.local/state. "": nowhere.
[[nodiscard]] std::string games_folder();
// A name for a new one in it, that no other game has.
[[nodiscard]] std::string new_game_path(const std::string& folder, const std::string& game);

// A game that was broken off: its file is ours from now on.
struct Unfinished {
  LockedFile file;
  std::string text; // up to its last whole line
  interpreter::Record record;
};
// Those of these rules, with these options, that nobody is playing, the latest first.
[[nodiscard]] std::vector<Unfinished> unfinished_games(const std::string& folder, const Tags& tags);
// Those of all rules: only to be shown.
[[nodiscard]] std::vector<interpreter::Record> kept_games(const std::string& folder);

// What is written of a game that is played: the record that the user asked for, and a journal, so that the
// game can go on however the program ends.
class GameLog {
public:
  explicit GameLog(Console& console) : console_(console) {}

  // `head` is the record's tags and comments. False: it can't be written, and the user was told.
  [[nodiscard]] bool record_to(const std::string& path, const std::string& head);
  // From the next move on; where it can't be written, the user is told, and the game goes on without.
  void keep_in(const std::string& folder, const std::string& game, const std::string& head);
  // Goes on with the journal of an earlier game, whose moves are there.
  void go_on(Unfinished unfinished, std::size_t moves, const std::string& game);

  // False: the record can't be written any more, and the user was told. A comment is for the journal only.
  [[nodiscard]] bool moved(const std::string& player, const std::string& move,
                           const std::string& comment = "");
  [[nodiscard]] bool taken_back();
  [[nodiscard]] bool finished(const std::string& result); // a journal with a result isn't gone on with
  [[nodiscard]] bool reopened();                          // and now it is

  // Before another game takes the place of this one: its journal stays, or isn't wanted any more. True if
  // there is one that stays.
  bool set_down(bool stays);
  [[nodiscard]] bool begin_another(const std::string& record_head, const std::string& journal_head);
  // The journal alone begins anew, with another head and these moves, each with its player.
  void keep_anew(const std::string& head, const std::vector<std::pair<std::string, std::string>>& moves,
                 const std::string& comment);
  void drop(); // the journal: nothing was played, or it is over

  [[nodiscard]] bool recording() const { return record_.has_value(); }
  [[nodiscard]] bool keeps() const { return journal_ && journal_->moves() > 0; }
  [[nodiscard]] bool wanted() const { return record_ || journal_ || !folder_.empty(); }

private:
  template <class F>
  bool write(F&& change);
  void open_journal();
  void give_up(const std::string& why);

  Console& console_;
  std::optional<RecordWriter> record_, journal_;
  std::string home_;                 // the folder of journals, as long as they can be written
  std::string folder_, game_, head_; // of the journal, as long as it hasn't begun
};

} // namespace boardwright::tools
