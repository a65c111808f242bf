#include "tools/import/variants/start_position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMostFen = 2000;

class FenReader {
public:
  FenReader(const std::string& fen, const VariantKeys& variant) : fen_(fen), variant_(variant) {}

  tl::expected<StartPosition, std::string> read() {
    if (fen_.size() > kMostFen) return tl::unexpected(std::string("this set-up is too long"));
    const std::size_t blank = std::min(fen_.find(' '), fen_.size());
    std::string why = board(fen_.substr(0, blank));
    if (!why.empty()) return tl::unexpected(std::move(why));
    rest(words_of(fen_.substr(blank)));
    return std::move(start_);
  }

private:
  std::string board(const std::string& text) {
    rank_ = variant_.size.ranks;
    for (std::size_t i = 0; i < text.size();) {
      const char c = text[i];
      if (c == '[') return hands(text.substr(i + 1));
      if (std::string why = symbol(text, i); !why.empty()) return why;
    }
    return ended();
  }

  // What stands at i, of which it goes on.
  std::string symbol(const std::string& text, std::size_t& i) {
    const char c = text[i];
    if (c == '/') {
      ++i;
      if (std::string why = row_ended(); !why.empty()) return why;
      --rank_;
      file_ = 1;
      return rank_ > 0 ? "" : too_many();
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      int number = 0;
      for (; i < text.size() && number < 100 && std::isdigit(static_cast<unsigned char>(text[i])) != 0; ++i)
        number = number * 10 + (text[i] - '0');
      file_ += number;
      return "";
    }
    ++i;
    if (file_ > variant_.size.files) return fmt::format("rank {} of the set-up is too long", rank_);
    if (c == '*') {
      start_.walls.insert({rank_, file_++});
      return "";
    }
    const bool promoted = c == '+';
    if (promoted && i == text.size()) return "the set-up ends after a `+`";
    const auto piece = piece_of(promoted ? text[i++] : c, promoted);
    if (!piece) return piece.error();
    start_.pieces[{rank_, file_++}] = *piece;
    if (i < text.size() && text[i] == '~') ++i;
    return "";
  }

  std::string row_ended() const {
    return file_ <= variant_.size.files + 1 ? "" : fmt::format("rank {} of the set-up is too long", rank_);
  }

  std::string ended() const {
    if (std::string why = row_ended(); !why.empty()) return why;
    return rank_ == 1 ? ""
                      : fmt::format("the set-up has {} ranks, the board {}", variant_.size.ranks - rank_ + 1,
                                    variant_.size.ranks);
  }

  std::string too_many() const {
    return fmt::format("the set-up has more than {} ranks", variant_.size.ranks);
  }

  tl::expected<StartPosition::Piece, std::string> piece_of(char letter, bool promoted) const {
    for (const VariantKind& kind : variant_.kinds)
      if (kind.letter == std::tolower(static_cast<unsigned char>(letter)))
        return StartPosition::Piece{kind.key, std::isupper(static_cast<unsigned char>(letter)) != 0,
                                    promoted};
    if (std::isprint(static_cast<unsigned char>(letter)) == 0)
      return tl::unexpected(std::string("the set-up has an unprintable character"));
    return tl::unexpected(fmt::format("no piece has the letter `{}`", letter));
  }

  std::string hands(const std::string& text) {
    for (const char c : text) {
      if (c == ']') return ended();
      if (c == '-') continue;
      const auto piece = piece_of(c, false);
      if (!piece) return piece.error();
      auto& counts = start_.hands[piece->key];
      ++(piece->white ? counts.first : counts.second);
    }
    return "the hands of the set-up have no `]`";
  }

  // Who moves, what may castle, and the checks that are left, as in "3+3".
  void rest(const std::vector<std::string>& words) {
    if (!words.empty()) start_.white_moves = words[0] != "b";
    if (words.size() > 1 && words[1] != "-" && std::isalpha(static_cast<unsigned char>(words[1][0])) != 0)
      start_.castling = words[1];
    for (const std::string& word : words)
      if (word.size() == 3 && word[1] == '+' && std::isdigit(static_cast<unsigned char>(word[0])) != 0 &&
          std::isdigit(static_cast<unsigned char>(word[2])) != 0)
        start_.checks = {word[0] - '0', word[2] - '0'};
  }

  const std::string& fen_;
  const VariantKeys& variant_;
  StartPosition start_;
  int rank_ = 0, file_ = 1;
};

} // namespace

tl::expected<StartPosition, std::string> read_start_position(const std::string& fen,
                                                             const VariantKeys& variant) {
  return FenReader(fen, variant).read();
}

} // namespace boardwright::tools
