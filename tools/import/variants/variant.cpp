#include "tools/import/variants/variant.hpp"

#include "tools/import/variants/keys.hpp"
#include "tools/import/variants/start_position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMostParents = 32;
constexpr std::string_view kFromRow = "from row "; // instead of cells: all from this row of a side on

// `dragonHorse` as "dragon_horse"; a custom piece goes by its letter.
std::string kind_name(const std::string& key, char letter) {
  if (is_custom_piece(key))
    return fmt::format("{}_piece", static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
  std::string name;
  for (const char c : key)
    if (std::isupper(static_cast<unsigned char>(c)) != 0) {
      name += '_';
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      name += c;
    }
  return name;
}

bool is_piece_key(std::string_view key) { return movement_of(key).has_value() || is_custom_piece(key); }

bool is_nothing(std::string_view value) {
  return value.empty() || value == "-" || value == "false" || value == "none" || value == "0";
}

// Puts a section's entries over those of its parents.
class Layers {
public:
  Layers(VariantKeys& variant, std::vector<ImportFault>& faults) : variant_(variant), faults_(faults) {}

  void add(const IniSection& section, bool in_file) {
    in_file_ = in_file;
    for (const IniEntry& entry : section.entries)
      if (is_piece_key(entry.key)) piece(placed(entry));
    // What holds for both sides comes before what only one of them has.
    for (const bool sided : {false, true})
      for (const IniEntry& entry : section.entries)
        if (!is_piece_key(entry.key) && sided == is_sided(entry.key)) setting(placed(entry));
  }

private:
  static bool is_sided(std::string_view key) {
    return (key.ends_with("White") || key.ends_with("Black")) && has_sides(key.substr(0, key.size() - 5));
  }

  [[nodiscard]] IniEntry placed(IniEntry entry) const {
    if (!in_file_) entry.line = 0;
    return entry;
  }

  void fault(const IniEntry& entry, std::string message) {
    if (faults_.size() < 100) faults_.push_back({entry.line, entry.key, std::move(message)});
  }

  void piece(const IniEntry& entry) {
    auto& kinds = variant_.kinds;
    std::erase_if(kinds, [&](const VariantKind& kind) { return kind.key == entry.key; });
    if (entry.value == "-") return;
    const std::size_t colon = entry.value.find(':');
    const std::string letter = entry.value.substr(0, colon);
    if (letter.size() != 1 || std::isalpha(static_cast<unsigned char>(letter[0])) == 0)
      return fault(entry, "a kind of piece has one letter");
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(letter[0])));
    std::erase_if(kinds, [&](const VariantKind& kind) { return kind.letter == small; });
    std::string betza(movement_of(entry.key).value_or(""));
    if (colon != std::string::npos)
      betza = entry.value.substr(colon + 1);
    else if (is_custom_piece(entry.key))
      return fault(entry, "this kind has no movement");
    while (!betza.empty() && betza.back() == ' ') betza.pop_back();
    auto moves = read_betza(betza);
    if (!moves) return fault(entry, moves.error());
    kinds.push_back({entry.key, kind_name(entry.key, small), small, *std::move(moves), entry.line});
  }

  // By the names that keys have now.
  static IniEntry renamed(IniEntry entry) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOldNames{
        {{"whiteFlag", "flagRegionWhite"},
         {"blackFlag", "flagRegionBlack"},
         {"whiteDropRegion", "dropRegionWhite"},
         {"blackDropRegion", "dropRegionBlack"},
         {"castlingRookPiece", "castlingRookPieces"},
         {"dropOnTop", "enclosingDrop"}}};
    for (const auto& [old, now] : kOldNames)
      if (entry.key == old) {
        entry.key = now;
        if (old == "dropOnTop") entry.value = entry.value == "true" ? "top" : "none";
        break;
      }
    return entry;
  }

  void setting(const IniEntry& given) {
    const IniEntry entry = renamed(given);
    if (entry.key == "promotionRank") return promotion_rank(entry);
    const KeyMeaning meaning = meaning_of(entry.key);
    if (meaning.worth == KeyWorth::unknown) {
      const std::string near = nearest_key(entry.key);
      return fault(entry, near.empty() ? "there is no such key"
                                       : fmt::format("there is no such key; did you mean `{}`?", near));
    }
    IniEntry kept = entry;
    if (std::string why = shaped(kept.value, meaning); !why.empty()) return fault(entry, std::move(why));
    for (const std::string& key : keys_set_by(entry.key)) {
      IniEntry& old = variant_.settings[key];
      // Pairs are added to those of the parents; of two for one kind the later counts.
      const std::string earlier = meaning.shape == KeyShape::pairs ? old.value : "";
      old = kept;
      if (!earlier.empty()) old.value = earlier + " " + kept.value;
    }
  }

  // From this row of each side to its last one; the board's size may be said later.
  void promotion_rank(const IniEntry& entry) {
    if (!is_number(entry.value)) return fault(entry, "this is a number");
    IniEntry kept = entry;
    kept.value = std::string(kFromRow) + entry.value;
    for (const char* side : {"White", "Black"})
      variant_.settings[std::string("promotionRegion") + side] = kept;
  }

  static std::vector<std::string> keys_set_by(const std::string& key) {
    if (key == "pawnTypes")
      return {"promotionPawnTypesWhite", "promotionPawnTypesBlack", "enPassantTypesWhite",
              "enPassantTypesBlack"};
    if (has_sides(key)) return {key + "White", key + "Black"};
    return {key};
  }

  // Letters become keys, so that they mean the same when a later section gives the letters to others.
  std::string shaped(std::string& value, const KeyMeaning& meaning) {
    if (meaning.worth != KeyWorth::carried) return "";
    switch (meaning.shape) {
    case KeyShape::truth: return value == "true" || value == "false" ? "" : "this is `true` or `false`";
    case KeyShape::number: return is_number(value) ? "" : "this is a number";
    case KeyShape::result:
      return value == "win" || value == "loss" || value == "draw" || value == "none"
                 ? ""
                 : "this is `win`, `loss`, `draw` or `none`";
    case KeyShape::cells: {
      const auto cells = read_cells(value, {kMostFiles, kMostRanks});
      return cells ? "" : cells.error();
    }
    case KeyShape::kinds: return kinds_for(value);
    case KeyShape::pairs: return pairs_for(value);
    case KeyShape::text: break;
    }
    return "";
  }

  static bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 6 && std::all_of(text.begin(), text.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
  }

  [[nodiscard]] std::string key_for(char letter) const {
    for (const VariantKind& kind : variant_.kinds)
      if (kind.letter == std::tolower(static_cast<unsigned char>(letter))) return kind.key;
    return "";
  }

  std::string kinds_for(std::string& value) const {
    if (value == "*") return "";
    std::string keys;
    for (const char letter : value) {
      if (letter == '-' || letter == ' ' || letter == ',') continue;
      const std::string key = key_for(letter);
      if (std::isalpha(static_cast<unsigned char>(letter)) == 0)
        return "this is made of letters of pieces, or it is `*` or `-`";
      if (!key.empty()) keys += (keys.empty() ? "" : " ") + key;
    }
    value = keys;
    return "";
  }

  std::string pairs_for(std::string& value) const {
    std::string pairs;
    for (const std::string& word : words_of(value)) {
      if (word == "-") continue;
      if (word.size() < 3 || word[1] != ':') return "this is made of pairs such as `p:q`";
      const std::string key = key_for(word[0]);
      const bool counts = is_number(word.substr(2));
      const std::string other = counts ? word.substr(2) : key_for(word[2]);
      if (!counts && word.size() != 3) return "this is made of pairs such as `p:q`";
      if (!key.empty() && !other.empty())
        pairs += fmt::format("{}{}:{}", pairs.empty() ? "" : " ", key, other);
    }
    value = pairs;
    return "";
  }

  VariantKeys& variant_;
  std::vector<ImportFault>& faults_;
  bool in_file_ = true;
};

// What else parents.ini has is no variant.
bool is_known_variant(std::string_view name) {
  constexpr std::array<std::string_view, 7> kTables{"default", "movements", "usual",  "written",
                                                    "drops",   "flips",     "dropped"};
  return std::find(kTables.begin(), kTables.end(), name) == kTables.end();
}

struct Layer {
  const IniSection* section;
  bool in_file;
};

// From the section up to what is below all.
tl::expected<std::vector<Layer>, ImportFault> layers_of(const std::vector<IniSection>& file,
                                                        const std::vector<IniSection>& known,
                                                        const IniSection& section) {
  std::vector<Layer> layers{{&section, true}};
  bool in_file = true;
  for (std::string parent = section.parent; !parent.empty(); parent = layers.back().section->parent) {
    if (layers.size() > kMostParents)
      return tl::unexpected(ImportFault{section.line, "", "its parents are too many, or go round in a ring"});
    const IniSection* next = nullptr;
    if (in_file && parent != layers.back().section->name) next = section_named(file, parent);
    const bool found = next != nullptr;
    if (!found) next = section_named(known, parent);
    if (next == nullptr || (!found && !is_known_variant(parent)))
      return tl::unexpected(ImportFault{
          section.line, "",
          fmt::format("the parent `{}` is neither in the file nor one of those that are known", parent)});
    in_file = found;
    layers.push_back({next, in_file});
  }
  layers.push_back({section_named(known, "default"), false});
  return layers;
}

void judge_settings(const VariantKeys& variant, std::vector<ImportFault>& faults,
                    std::vector<ImportFault>& notes) {
  for (const auto& [key, entry] : variant.settings) {
    const KeyWorth worth = meaning_of(key).worth;
    if (is_nothing(entry.value)) continue;
    if (worth == KeyWorth::refused)
      faults.push_back({entry.line, key, fmt::format("`{} = {}` can't be carried over", key, entry.value)});
    if (worth == KeyWorth::left_out) notes.push_back({entry.line, key, "is left out"});
  }
}

void read_size(VariantKeys& variant, std::vector<ImportFault>& faults) {
  const auto side = [&](const char* key, int most) {
    const int cells = read_line_number(variant.text(key), most);
    if (cells == 0) faults.push_back({variant.line_of(key), key, "this is no size of a board"});
    return std::max(cells, 1);
  };
  variant.size = {side("maxFile", kMostFiles), side("maxRank", kMostRanks)};
}

} // namespace

const VariantKind* VariantKeys::kind(std::string_view key) const {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [key](const VariantKind& each) { return each.key == key; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string VariantKeys::text(const std::string& key) const {
  const auto found = settings.find(key);
  return found == settings.end() ? "" : found->second.value;
}

int VariantKeys::line_of(const std::string& key) const {
  const auto found = settings.find(key);
  return found == settings.end() ? 0 : found->second.line;
}

bool VariantKeys::flag(const std::string& key, bool usual) const {
  const std::string value = text(key);
  return value.empty() ? usual : value == "true";
}

int VariantKeys::number(const std::string& key, int usual) const {
  const std::string value = text(key);
  int result = 0;
  for (const char c : value) result = result * 10 + (c - '0'); // read as six digits at most
  return value.empty() ? usual : result;
}

BothSides<CellSet> VariantKeys::regions(const std::string& key) const {
  const auto read = [&](const char* side) {
    const std::string value = text(key + side);
    if (!value.starts_with(kFromRow)) return read_cells(value, size).value_or(CellSet{});
    const int first = read_line_number(value.substr(kFromRow.size()), kMostRanks);
    CellSet cells;
    for (int row = std::max(first, 1); first != 0 && row <= size.ranks; ++row)
      for (int file = 1; file <= size.files; ++file)
        cells.insert({*side == 'W' ? row : size.ranks + 1 - row, file});
    return cells;
  };
  return {read("White"), read("Black")};
}

std::vector<std::string> VariantKeys::kind_keys(const std::string& key) const {
  std::vector<std::string> keys;
  if (is_all(key))
    for (const VariantKind& each : kinds) keys.push_back(each.key);
  else
    for (const std::string& word : words_of(text(key)))
      if (kind(word) != nullptr && std::find(keys.begin(), keys.end(), word) == keys.end())
        keys.push_back(word);
  return keys;
}

std::map<std::string, std::string> VariantKeys::pairs(const std::string& key) const {
  std::map<std::string, std::string> result;
  for (const std::string& word : words_of(text(key))) {
    const std::size_t colon = word.find(':');
    if (kind(word.substr(0, colon)) != nullptr) result[word.substr(0, colon)] = word.substr(colon + 1);
  }
  return result;
}

tl::expected<VariantKeys, std::vector<ImportFault>> resolve_variant(const std::vector<IniSection>& file,
                                                                    const IniSection& section,
                                                                    std::vector<ImportFault>& notes) {
  const auto layers = layers_of(file, known_sections(), section);
  if (!layers) return tl::unexpected(std::vector<ImportFault>{layers.error()});
  VariantKeys variant;
  variant.name = section.name;
  std::vector<ImportFault> faults;
  Layers stack(variant, faults);
  for (auto layer = layers->rbegin(); layer != layers->rend(); ++layer)
    stack.add(*layer->section, layer->in_file);
  judge_settings(variant, faults, notes);
  read_size(variant, faults);
  if (faults.empty()) {
    auto start = read_start_position(variant.text("startFen"), variant);
    if (start)
      variant.start = *std::move(start);
    else
      faults.push_back({variant.line_of("startFen"), "startFen", start.error()});
  }
  if (!faults.empty()) return tl::unexpected(std::move(faults));
  return variant;
}

} // namespace boardwright::tools
