#include "tools/lsp/word_model.hpp"

#include "dsl/finder.hpp"
#include "dsl/text.hpp"
#include "dsl/tokens.hpp"

#include <algorithm>
#include <set>

namespace boardwright::tools {
namespace {

using std::string_view;

bool is_cell_name(string_view word) {
  return word.size() > 1 && word.size() < 4 && word[0] >= 'a' && word[0] <= 'z' &&
         std::all_of(word.begin() + 1, word.end(), dsl::is_digit);
}

bool is_word(string_view word) { return !word.empty() && dsl::begins_name(word.front()); }

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t hash = (a ^ (b + 0x9E3779B97F4A7C15U + (a << 6U) + (a >> 2U))) * 0xBF58476D1CE4E5B9U;
  return hash ^ (hash >> 29U);
}

// What the keys of a section name.
const char* named_by(string_view path) {
  if (path == "players") return "<player>";
  if (path == "pieces" || path == "pieces.*") return "<kind>";
  if (path == "state") return "<variable>";
  if (path == "options") return "<option>";
  if (path == "define") return "<definition>";
  if (path == "board.names") return "<cell>";
  if (path == "board.tracks") return "<track>";
  return nullptr;
}

} // namespace

void NamedThings::add(string_view name, const char* what) {
  if (is_word(name) && !dsl::keyword(name)) what_.try_emplace(std::string(name), what);
}

NamedThings::NamedThings(const WrittenFile& file) {
  for (std::size_t i = 0; i < file.words.size(); ++i) {
    const WrittenWord& word = file.words[i];
    const Slot& slot = file.slot(word);
    const bool first = i == 0 || file.words[i - 1].slot != word.slot ||
                       file.words[i - 1].text.data() + file.words[i - 1].text.size() != word.text.data();
    const char* const what = slot.key ? named_by(slot.path) : nullptr;
    if (what != nullptr && first) {
      const bool called = i + 1 < file.words.size() && file.words[i + 1].text == "(";
      add(word.text, called ? "<function>" : what);
    } else if (what != nullptr && slot.path == "define") {
      add(word.text, "<local>"); // a parameter
    }
    if (slot.path == "players.-" && !slot.key) add(word.text, "<player>");
    if (!slot.key && (word.before == "let" || word.before == "each" || word.before == "choose" || word.before == "roll" ||
                      (word.before == "for" && i + 1 < file.words.size() && file.words[i + 1].text == "in")))
      add(word.text, "<local>");
    if (!slot.key && i + 1 < file.words.size() && file.words[i + 1].text == "in" &&
        (word.before == "(" || word.before == "some" || word.before == "no" || word.before == ","))
      add(word.text, "<local>");
  }
}

string_view NamedThings::what(string_view name) const {
  const auto found = what_.find(name);
  return found == what_.end() ? string_view() : string_view(found->second);
}

// --- counting

WordCounts::Contexts WordCounts::contexts(std::uint32_t slot, std::uint32_t before, std::uint32_t earlier) {
  const std::uint64_t two = mixed(mixed(3, before), earlier);
  return {mixed(1, slot), mixed(2, before), mixed(mixed(4, slot), before), two, mixed(mixed(5, two), slot)};
}

void WordCounts::add(std::uint32_t word, std::uint32_t slot, std::uint32_t before, std::uint32_t earlier,
                     int times) {
  for (const std::uint64_t context : contexts(slot, before, earlier)) {
    counts_[context] += times;
    counts_[mixed(context, word)] += times;
  }
}

double WordCounts::share(std::uint32_t word, std::uint32_t slot, std::uint32_t before, std::uint32_t earlier,
                         double anyhow) const {
  // What is thought without the context counts as much as so many words seen in it.
  constexpr double kWeight = 2;
  double share = anyhow;
  for (const std::uint64_t context : contexts(slot, before, earlier)) {
    const auto all = counts_.find(context);
    if (all == counts_.end() || all->second == 0) continue;
    const auto found = counts_.find(mixed(context, word));
    const double times = found == counts_.end() ? 0 : found->second;
    share = (times + kWeight * share) / (all->second + kWeight);
  }
  return share;
}

// --- the model

WordModel& WordModel::of_library() {
  static WordModel model = [] {
    WordModel all;
    for (const auto& file : dsl::bundled_files()) all.learn(file.name, file.text);
    return all;
  }();
  return model;
}

std::uint32_t WordModel::id(string_view word) {
  const auto [found, added] = ids_.try_emplace(std::string(word), static_cast<std::uint32_t>(words_.size()));
  if (added) {
    words_.emplace_back(word);
    times_.push_back(0);
  }
  return found->second;
}

// Numbers and cells count as one, names by what they stand for.
std::uint32_t WordModel::symbol(string_view word, const NamedThings& named) {
  if (const string_view what = named.what(word); !what.empty()) return id(what);
  if (!word.empty() && dsl::is_digit(word.front())) return id("<number>");
  return id(is_cell_name(word) ? "<cell>" : word);
}

void WordModel::count(const Learned& file, int times) {
  const WrittenFile written = read_written(file.text);
  const NamedThings named(written);
  for (const WrittenWord& word : written.words) {
    const Slot& slot = written.slot(word);
    const std::uint32_t what = symbol(word.text, named);
    times_[what] += times;
    counts_.add(what, id((slot.key ? "k:" : "v:") + slot.path), symbol(word.before, named),
                symbol(word.earlier, named), times);
  }
}

void WordModel::learn(string_view name, string_view text) {
  files_.push_back({name, text});
  count(files_.back(), 1);
}

void WordModel::set_aside(const std::string& name) {
  if (name == aside_) return;
  for (const Learned& file : files_) {
    if (file.name == aside_) count(file, 1);
    if (file.name == name) count(file, -1);
  }
  aside_ = name;
}

std::vector<WordModel::Guess> WordModel::guesses(const WrittenFile& file, const YamlPlace& place,
                                                 const std::vector<std::string>& more) {
  const NamedThings named(file);
  // What the file itself shows, word by word.
  WordCounts here;
  std::map<string_view, int> written;
  std::map<string_view, int> of_sort; // how many times names of each sort stand in the file
  const auto slot_id = [&](const Slot& slot) { return id((slot.key ? "k:" : "v:") + slot.path); };
  for (const WrittenWord& word : file.words) {
    if (word.begin == place.next.begin) continue;
    here.add(id(word.text), slot_id(file.slot(word)), id(word.before), id(word.earlier), 1);
    ++written[word.text];
  }
  std::set<std::string, std::less<>> candidates(more.begin(), more.end());
  for (const auto& [word, times] : written)
    if (is_word(word)) candidates.emplace(word);
  for (const auto& [name, what] : named.all()) candidates.insert(name);
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (times_[i] > 1 && is_word(words_[i])) candidates.insert(words_[i]);
  for (const std::string& word : candidates) {
    const auto found = written.find(word);
    of_sort[words_[symbol(word, named)]] += 1 + (found == written.end() ? 0 : found->second);
  }
  const std::uint32_t slot = slot_id(place.slot);
  const std::uint32_t before = symbol(place.next.before, named), earlier = symbol(place.next.earlier, named);
  const std::uint32_t word_before = id(place.next.before), word_earlier = id(place.next.earlier);
  std::vector<Guess> all;
  const double anyhow = 1.0 / static_cast<double>(candidates.size() + 1);
  for (const std::string& word : candidates) {
    const std::uint32_t what = symbol(word, named);
    const auto found = written.find(word);
    const double times = found == written.end() ? 0 : found->second;
    const double among = (1 + times) / of_sort[words_[what]];
    const double library = counts_.share(what, slot, before, earlier, anyhow) * among;
    const double file_share = here.share(id(word), slot, word_before, word_earlier, anyhow);
    all.push_back({word, (library + file_share) / 2, found != written.end() || !named.what(word).empty()});
  }
  std::stable_sort(all.begin(), all.end(), [](const Guess& a, const Guess& b) { return a.share > b.share; });
  return all;
}

} // namespace boardwright::tools
