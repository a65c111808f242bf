#include "tools/records/recorder.hpp"

#include "dsl/text.hpp"
#include "tools/console/text_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace boardwright::tools {
namespace {

namespace fs = std::filesystem;

// More games than anyone leaves unfinished; a folder with more isn't searched to its end.
constexpr std::size_t kMostUnfinished = 1000;
constexpr std::string_view kEnding = ".game";

tl::unexpected<std::string> cannot_write(const std::string& path, std::string_view why) {
  return tl::unexpected(fmt::format("can't write `{}`: {}", printable(path), why));
}

// Letters and digits of a game's title, for a file's name.
std::string slug(const std::string& title) {
  constexpr std::size_t kLongest = 40;
  std::string text;
  for (const char c : title)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 && text.size() < kLongest) text += dsl::to_lower(c);
  return text.empty() ? "game" : text;
}

// What must agree for a game to go on.
std::vector<std::string> identity(const Tags& tags) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : tags)
    if (name == "Rules" || name == "Option") parts.push_back(name + "=" + value);
  std::sort(parts.begin(), parts.end());
  return parts;
}

// One that somebody has left: of these rules, or of any.
std::optional<Unfinished> unfinished_in(const fs::path& path,
                                        const std::optional<std::vector<std::string>>& wanted) {
  auto file = LockedFile::existing(path.string());
  if (!file) return std::nullopt; // somebody is playing it
  auto text = read_text_file(path.string(), interpreter::kMaxRecordBytes);
  if (!text) return std::nullopt;
  // A line that wasn't written to its end isn't there.
  text->resize(text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1);
  auto records = interpreter::read_records(*text);
  if (!records || records->size() != 1) return std::nullopt;
  interpreter::Record& record = records->front();
  if (!record.result.empty()) file->remove(); // it was over when the program was ended
  if (record.moves.empty() || !record.result.empty()) return std::nullopt;
  if (wanted && identity(record.tags) != *wanted) return std::nullopt;
  return Unfinished{std::move(*file), std::move(*text), std::move(record)};
}

// The latest first.
std::vector<fs::path> kept_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() != kEnding || !at->is_regular_file(ignored)) continue;
    files.emplace_back(at->last_write_time(ignored), at->path());
    if (files.size() == kMostUnfinished) break;
  }
  std::sort(files.rbegin(), files.rend());
  std::vector<fs::path> paths;
  for (auto& [time, path] : files) paths.push_back(std::move(path));
  return paths;
}

} // namespace

// --- LockedFile

tl::expected<LockedFile, std::string> LockedFile::open(const std::string& path, int flags) {
  const std::string what = what_stands_at(path);
  // Whoever opens a FIFO waits; a device takes what is written to it.
  if (!what.empty() && what != "a device") return cannot_write(path, "it is " + what);
  const int number = ::open(path.c_str(), flags | O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
  if (number < 0) return cannot_write(path, std::strerror(errno));
  LockedFile file(number, path, 0);
  struct stat status {};
  if (fstat(number, &status) != 0) return cannot_write(path, std::strerror(errno));
  file.regular_ = S_ISREG(status.st_mode);
  if (!file.regular_) return file;
  if (flock(number, LOCK_EX | LOCK_NB) != 0) {
    file.regular_ = true;
    return cannot_write(path, "another game is being written to it");
  }
  if (fstat(number, &status) != 0 || status.st_nlink == 0) return cannot_write(path, "it is gone");
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

tl::expected<LockedFile, std::string> LockedFile::at_end_of(const std::string& path) {
  return open(path, O_CREAT);
}
tl::expected<LockedFile, std::string> LockedFile::fresh(const std::string& path) {
  return open(path, O_CREAT | O_EXCL);
}
tl::expected<LockedFile, std::string> LockedFile::existing(const std::string& path) { return open(path, 0); }

LockedFile::LockedFile(LockedFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)), path_(std::move(other.path_)), size_(other.size_),
      regular_(other.regular_) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(path_, other.path_);
  std::swap(size_, other.size_);
  std::swap(regular_, other.regular_);
  return *this;
}

LockedFile::~LockedFile() {
  if (number_ >= 0) ::close(number_); // the lock goes with it
}

int LockedFile::append(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t done = ::write(number_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      const int error = done < 0 ? errno : EIO;
      if (regular_) (void)cut(size_); // no half line
      return error;
    }
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  size_ += text.size();
  return 0;
}

int LockedFile::cut(std::uint64_t bytes) {
  if (!regular_) return 0;
  while (ftruncate(number_, static_cast<off_t>(bytes)) != 0)
    if (errno != EINTR) return errno;
  size_ = bytes;
  return 0;
}

void LockedFile::sync() {
  if (regular_) (void)fdatasync(number_);
}

void LockedFile::remove() { ::unlink(path_.c_str()); }

// --- RecordWriter

RecordWriter::RecordWriter(LockedFile file, std::string head)
    : file_(std::move(file)), head_(std::move(head)) {
  begin_ = file_.size();
  if (begin_ > 0) head_.insert(0, "\n");
}

RecordWriter::RecordWriter(LockedFile file, const std::string& text, const interpreter::Record& record,
                           std::size_t moves)
    : file_(std::move(file)) {
  std::uint32_t line = 1;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < moves && i < record.moves.size(); ++i) {
    for (; line < record.moves[i].line; ++line) at = text.find('\n', at) + 1;
    starts_.push_back(at);
  }
  const std::size_t end = starts_.empty() ? text.size() : text.find('\n', at) + 1;
  (void)file_.cut(end); // where it can't be cut, writing fails too
}

int RecordWriter::begin() {
  if (head_.empty()) return 0;
  if (const int error = file_.append(head_)) return error;
  head_.clear();
  return 0;
}

int RecordWriter::add(std::string_view player, std::string_view move, std::string_view comment) {
  // The head and the first move at once: a file without a move is nothing that could go on.
  std::string line = head_ + interpreter::move_line(starts_.size() + 1, player, move);
  if (!comment.empty()) line += interpreter::comment_lines(comment);
  const std::uint64_t start = file_.size() + head_.size();
  if (const int error = file_.append(line)) return error;
  head_.clear();
  starts_.push_back(start);
  return 0;
}

int RecordWriter::take_back() {
  if (starts_.empty()) return 0;
  if (const int error = file_.cut(starts_.back())) return error;
  starts_.pop_back();
  return 0;
}

int RecordWriter::finish(std::string_view result) {
  if (const int error = begin()) return error;
  end_ = file_.size();
  return file_.append(interpreter::result_line(result));
}

int RecordWriter::reopen() {
  const auto end = std::exchange(end_, std::nullopt);
  return end ? file_.cut(*end) : 0;
}

int RecordWriter::begin_another(std::string head) {
  if (!starts_.empty() || end_) {
    begin_ = file_.size();
  } else if (const int error = file_.cut(begin_)) {
    return error;
  }
  starts_.clear();
  end_.reset();
  head_ = (begin_ > 0 ? "\n" : "") + std::move(head);
  return 0;
}

// --- unfinished games

std::string games_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (state != nullptr && *state == '/') // the specification has relative paths ignored
    folder = state;
  else if (home != nullptr && *home == '/')
    folder = fs::path(home) / ".local" / "state";
  else
    return "";
  return (folder / "boardwright" / "games").string();
}

std::string new_game_path(const std::string& folder, const std::string& game) {
  static int count = 0; // of this process
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{}/{}-{:%Y%m%d-%H%M%S}-{}-{}{}", folder, slug(game), fmt::localtime(now), getpid(),
                     ++count, kEnding);
}

std::vector<Unfinished> unfinished_games(const std::string& folder, const Tags& tags) {
  std::vector<Unfinished> games;
  for (const fs::path& path : kept_files(folder))
    if (auto game = unfinished_in(path, identity(tags))) games.push_back(std::move(*game));
  return games;
}

std::vector<interpreter::Record> kept_games(const std::string& folder) {
  std::vector<interpreter::Record> games;
  for (const fs::path& path : kept_files(folder))
    if (auto game = unfinished_in(path, std::nullopt)) games.push_back(std::move(game->record));
  return games;
}

// --- GameLog

bool GameLog::record_to(const std::string& path, const std::string& head) {
  auto file = LockedFile::at_end_of(path);
  if (!file) {
    console_.error(file.error());
    return false;
  }
  record_.emplace(std::move(*file), head);
  return write([](RecordWriter& record) { return record.begin(); });
}

void GameLog::keep_in(const std::string& folder, const std::string& game, const std::string& head) {
  if (folder.empty()) return give_up("there is no home folder");
  home_ = folder_ = folder;
  game_ = game;
  head_ = head;
}

void GameLog::go_on(Unfinished unfinished, std::size_t moves, const std::string& game) {
  home_ = games_folder();
  game_ = game;
  folder_.clear();
  journal_.emplace(std::move(unfinished.file), unfinished.text, unfinished.record, moves);
}

void GameLog::give_up(const std::string& why) {
  journal_.reset();
  home_.clear();
  folder_.clear();
  console_.note(fmt::format("note: this game isn't kept for later: {}\n", why));
}

void GameLog::open_journal() {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    return give_up(fmt::format("can't make the folder `{}`: {}", printable(folder_), error.message()));
  fs::permissions(folder_, fs::perms::owner_all, error); // nobody else's business
  auto file = LockedFile::fresh(new_game_path(folder_, game_));
  if (!file) return give_up(file.error());
  journal_.emplace(std::move(*file), head_);
  folder_.clear();
}

// Both files; what goes wrong with the journal is told, and no more.
template <class F>
bool GameLog::write(F&& change) {
  if (journal_)
    if (const int failure = change(*journal_)) {
      if (journal_->moves() == 0) journal_->file().remove();
      give_up(
          fmt::format("can't write `{}`: {}", printable(journal_->file().path()), std::strerror(failure)));
    }
  if (!record_) return true;
  const int failure = change(*record_);
  if (failure == 0) return true;
  console_.error(
      fmt::format("can't write `{}`: {}", printable(record_->file().path()), std::strerror(failure)));
  record_.reset();
  return false;
}

bool GameLog::moved(const std::string& player, const std::string& move, const std::string& comment) {
  open_journal();
  const bool good = write([&](RecordWriter& writer) {
    return writer.add(player, move, journal_ && &writer == &*journal_ ? comment : "");
  });
  if (journal_) journal_->file().sync();
  return good;
}

bool GameLog::taken_back() {
  return write([](RecordWriter& writer) { return writer.take_back(); });
}

bool GameLog::finished(const std::string& result) {
  return write([&](RecordWriter& writer) { return writer.finish(result); });
}

bool GameLog::reopened() {
  return write([](RecordWriter& writer) { return writer.reopen(); });
}

bool GameLog::set_down(bool stays) {
  stays = stays && keeps();
  if (!stays) drop();
  journal_.reset();
  return stays;
}

bool GameLog::begin_another(const std::string& record_head, const std::string& journal_head) {
  folder_ = home_;
  head_ = journal_head;
  return write([&](RecordWriter& writer) { return writer.begin_another(record_head); });
}

void GameLog::keep_anew(const std::string& head,
                        const std::vector<std::pair<std::string, std::string>>& moves,
                        const std::string& comment) {
  head_ = head;
  if (!journal_) return;
  std::optional<RecordWriter> old = std::move(journal_), record = std::move(record_);
  journal_.reset(), record_.reset();
  folder_ = home_;
  open_journal();
  for (std::size_t i = 0; i < moves.size() && journal_; ++i)
    (void)write([&](RecordWriter& writer) {
      return writer.add(moves[i].first, moves[i].second, i + 1 == moves.size() ? comment : "");
    });
  if (journal_) journal_->file().sync();
  if (journal_) old->file().remove();
  record_ = std::move(record);
}

void GameLog::drop() {
  folder_.clear();
  if (journal_) journal_->file().remove();
  journal_.reset();
}

} // namespace boardwright::tools
