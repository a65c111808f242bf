#include "tools/json_tree.hpp"

#include "tools/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace boardwright::tools {
namespace {

using Kind = JsonTree::Kind;

// nlohmann quotes what it has read, which may be a string as long as the file.
constexpr std::size_t kLongestReason = 200;

std::string place_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

// nlohmann writes "[json.exception.parse_error.101] parse error at line 1, column 5: what is wrong".
std::string without_prefix(std::string message) {
  if (const auto colon = message.find(": "); colon != std::string::npos)
    message.erase(0, colon + 2);
  else if (const auto bracket = message.find("] "); bracket != std::string::npos)
    message.erase(0, bracket + 2);
  return message;
}

// Takes nlohmann's events. Each returns whether reading goes on.
class Builder : public nlohmann::json_sax<nlohmann::json> {
public:
  Builder(std::string_view text, int max_depth) : text_(text), max_depth_(max_depth) {}

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({Kind::truth, value ? 1 : 0, {}, {}, {}}); }
  bool number_integer(number_integer_t value) override { return add({Kind::whole, value, {}, {}, {}}); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return number_integer(value > static_cast<number_unsigned_t>(kMost) ? kMost
                                                                        : static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t, const string_t&) override { return add({Kind::fraction, 0, {}, {}, {}}); }
  bool string(string_t& value) override { return add({Kind::text, 0, std::move(value), {}, {}}); }
  bool binary(binary_t&) override { return false; } // JSON text has none
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!open_.back().keys.insert(name).second)
      return fail(fmt::format("the key `{}` stands twice in one object", quotable(name)));
    open_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t offset, const std::string&, const nlohmann::json::exception& error) override {
    const std::size_t at = offset == 0 ? 0 : offset - 1; // nlohmann counts the byte that it has read
    return fail(
        fmt::format("{}: {}", place_in(text_, at), quotable(without_prefix(error.what()), kLongestReason)));
  }

  [[nodiscard]] tl::expected<JsonTree, std::string> result(bool complete) && {
    if (!complete) return tl::unexpected(problem_.empty() ? std::string("it is not JSON") : problem_);
    return std::move(root_);
  }

private:
  struct Level {
    JsonTree tree;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool open(Kind kind) {
    if (open_.size() >= static_cast<std::size_t>(max_depth_))
      return fail(fmt::format("lists and objects are nested more than {} deep", max_depth_));
    open_.emplace_back().tree.kind = kind;
    return true;
  }
  bool close() {
    JsonTree done = std::move(open_.back().tree);
    open_.pop_back();
    return add(std::move(done));
  }
  bool add(JsonTree value) {
    if (open_.empty())
      root_ = std::move(value);
    else if (Level& level = open_.back(); level.tree.kind == Kind::list)
      level.tree.items.push_back(std::move(value));
    else
      level.tree.entries.emplace_back(std::move(level.key), std::move(value));
    return true;
  }

  std::string_view text_;
  int max_depth_;
  std::vector<Level> open_;
  JsonTree root_;
  std::string problem_;
};

} // namespace

const char* name_of(Kind kind) {
  switch (kind) {
  case Kind::null: return "null";
  case Kind::truth: return "a truth";
  case Kind::whole: return "a whole number";
  case Kind::fraction: return "a number with a fraction or exponent";
  case Kind::text: return "a string";
  case Kind::list: return "a list";
  case Kind::object: return "an object";
  }
  return "something else";
}

tl::expected<JsonTree, std::string> read_json(std::string_view text, int max_depth) {
  Builder builder(text, max_depth);
  const bool complete = nlohmann::json::sax_parse(text, &builder);
  return std::move(builder).result(complete);
}

} // namespace boardwright::tools
