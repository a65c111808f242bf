#include "tools/import/variants/plan.hpp"

#include "tools/import/variants/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

namespace boardwright::tools {
namespace {

bool has_key(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::vector<std::string> keys_or(const VariantKeys& variant, const std::string& key,
                                 const std::vector<std::string>& usual) {
  if (variant.settings.contains(key)) return variant.kind_keys(key);
  std::vector<std::string> keys;
  for (const std::string& each : usual)
    if (variant.kind(each) != nullptr) keys.push_back(each);
  return keys;
}

} // namespace

Plan::Plan(const VariantKeys& resolved) : variant(resolved) {
  find_promotions();
  find_kinds();
  find_royal();
  find_hands();
  find_double_steps();
  find_castling();
  remembers = !hands.empty() && variant.flag("capturesToHand", false) && !variant.flag("dropLoop", false) &&
              (promotes() || !turned.empty());
  remembers = remembers || (variant.flag("pieceDemotion", false) && !turned.empty());
}

bool Plan::uses(std::string_view key) const {
  return std::any_of(kinds.begin(), kinds.end(), [key](const VariantKind* kind) { return kind->key == key; });
}

std::string Plan::name(std::string_view key) const {
  const VariantKind* kind = variant.kind(key);
  return kind == nullptr ? std::string(key) : kind->name;
}

std::string Plan::list(const std::vector<std::string>& keys) const {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : ", ") + name(key);
  return fmt::format("kinds({})", text);
}

std::string Plan::set(const std::vector<std::string>& keys) const {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : " | ") + name(key);
  return text.empty() ? "none" : text;
}

std::string Plan::walling() const {
  const std::string rule = variant.text("wallingRule");
  return rule == "none" ? "" : rule;
}

std::vector<std::string> Plan::petrified() const {
  std::vector<std::string> keys = variant.kind_keys("petrifyOnCaptureTypes");
  std::erase_if(keys, [&](const std::string& key) { return !uses(key); });
  return keys;
}

char Plan::wall_letter() const {
  for (const char letter : std::string_view("xwoz#"))
    if (std::none_of(variant.kinds.begin(), variant.kinds.end(),
                     [letter](const VariantKind& kind) { return kind.letter == letter; }))
      return letter;
  return '*';
}

bool Plan::flips() const {
  const std::string rule = variant.text("flipEnclosedPieces");
  return !rule.empty() && rule != "none";
}

bool Plan::splits() const {
  return variant.flag("mustCapture", false) || variant.flag("blastOnCapture", false) || !petrified().empty();
}

bool Plan::can_be_many(const std::string& key) const {
  int white = 0, black = 0;
  for (const auto& [cell, piece] : variant.start.pieces)
    if (piece.key == key) ++(piece.white ? white : black);
  const bool arises = std::any_of(turned.begin(), turned.end(), [&](const auto& pair) {
    return pair.second == key && !has_key(royal, pair.first);
  });
  return std::max(white, black) > most_royal || arises || has_key(hands, key) ||
         (promotes() && (has_key(officers.white, key) || has_key(officers.black, key)));
}

void Plan::fault(const std::string& key, std::string message) {
  const bool told = std::any_of(faults.begin(), faults.end(), [&](const ImportFault& other) {
    return other.key == key && other.message == message;
  });
  const VariantKind* kind = variant.kind(key);
  if (!told) faults.push_back({kind == nullptr ? variant.line_of(key) : kind->line, key, std::move(message)});
}

void Plan::find_promotions() {
  const std::vector<std::string> usual =
      words_of(section_named(known_sections(), "usual")->entries.front().value);
  promoted = {keys_or(variant, "promotionPawnTypesWhite", {"pawn"}),
              keys_or(variant, "promotionPawnTypesBlack", {"pawn"})};
  officers = {keys_or(variant, "promotionPieceTypesWhite", usual),
              keys_or(variant, "promotionPieceTypesBlack", usual)};
  const auto zones = variant.regions("promotionRegion");
  if (officers.white.empty() || zones.white.empty()) promoted.white.clear();
  if (officers.black.empty() || zones.black.empty()) promoted.black.clear();
  turned = variant.pairs("promotedPieceType");
  std::erase_if(turned, [&](const auto& pair) { return variant.kind(pair.second) == nullptr; });
}

void Plan::find_kinds() {
  std::set<std::string> keys;
  for (const auto& [cell, piece] : variant.start.pieces) keys.insert(piece.key);
  for (const auto& [key, counts] : variant.start.hands) keys.insert(key);
  if (variant.flag("pieceDrops", false) && variant.flag("freeDrops", false))
    for (const VariantKind& kind : variant.kinds) keys.insert(kind.key);
  for (bool grows = true; grows;) {
    const std::size_t before = keys.size();
    const auto add_for = [&](const std::vector<std::string>& from, const std::vector<std::string>& to) {
      for (const std::string& key : from)
        if (keys.contains(key)) keys.insert(to.begin(), to.end());
    };
    add_for(promoted.white, officers.white);
    add_for(promoted.black, officers.black);
    for (const auto& [from, to] : turned)
      if (keys.contains(from)) keys.insert(to);
    grows = keys.size() > before;
  }
  for (const VariantKind& kind : variant.kinds)
    if (keys.contains(kind.key)) kinds.push_back(&kind);
  const auto unused = [&](const std::string& key) { return !uses(key); };
  std::erase_if(promoted.white, unused);
  std::erase_if(promoted.black, unused);
  std::erase_if(turned, [&](const auto& pair) { return !uses(pair.first); });
  for (const std::string& key : promoted.white)
    if (turned.contains(key)) fault("promotedPieceType", "a kind is promoted in two ways");
}

void Plan::find_royal() {
  if (uses("king")) royal.push_back("king");
  for (const bool white : {true, false}) {
    const auto kings =
        std::count_if(variant.start.pieces.begin(), variant.start.pieces.end(),
                      [&](const auto& at) { return at.second.key == "king" && at.second.white == white; });
    if (kings > 1) fault("startFen", "a side has several kings: which of them is hunted isn't said");
  }
  if (!variant.flag("extinctionPseudoRoyal", false)) return;
  if (variant.is_all("extinctionPieceTypes")) fault("extinctionPseudoRoyal", "not all pieces can be hunted");
  for (const std::string& key : variant.kind_keys("extinctionPieceTypes"))
    if (uses(key) && !has_key(royal, key)) royal.push_back(key);
  most_royal = variant.number("extinctionPieceCount", 0) + 1;
}

void Plan::find_hands() {
  if (!variant.flag("pieceDrops", false)) return;
  if (variant.flag("freeDrops", false)) {
    if (variant.flag("capturesToHand", false)) fault("freeDrops", "not where pieces go to a hand");
    for (const VariantKind* kind : kinds) dropped.push_back(kind->key);
    return;
  }
  std::set<std::string> keys;
  for (const auto& [key, counts] : variant.start.hands) keys.insert(key);
  if (variant.flag("capturesToHand", false)) {
    for (const auto& [cell, piece] : variant.start.pieces) keys.insert(piece.key);
    if (variant.flag("dropLoop", false))
      for (const VariantKind* kind : kinds) keys.insert(kind->key);
    for (const std::string& key : royal)
      if (most_royal <= 1 || key == "king") keys.erase(key);
  }
  for (const VariantKind* kind : kinds)
    if (keys.contains(kind->key)) hands.push_back(kind->key);
  dropped = hands;
}

void Plan::find_double_steps() {
  for (const VariantKind* kind : kinds) {
    if (kind->key == "pawn" && variant.flag("doubleStep", true)) double_steppers.push_back("pawn");
    for (const BetzaMove& move : kind->moves) {
      if (!move.initial) continue;
      const bool double_step =
          move.leaps == std::set<Leap>{{0, 2}} && move.manner == MoveManner::lame && !move.captures;
      if (!double_step) fault(kind->key, "first moves other than a double step can't be carried over");
      if (double_step) double_steppers.push_back(kind->key);
    }
  }
  const auto rows = variant.regions("doubleStepRegion");
  if (rows.white.empty() && rows.black.empty()) double_steppers.clear();
  if (double_steppers.empty()) return;
  BothSides<std::vector<std::string>> takers{keys_or(variant, "enPassantTypesWhite", {"pawn"}),
                                             keys_or(variant, "enPassantTypesBlack", {"pawn"})};
  for (auto* side : {&takers.white, &takers.black})
    std::erase_if(*side, [&](const std::string& key) { return !uses(key); });
  const auto all = [&](const char* key) { return !variant.settings.contains(key); };
  const bool nowhere = !all("enPassantRegionWhite") && variant.regions("enPassantRegion").white.empty() &&
                       variant.regions("enPassantRegion").black.empty();
  in_passing = !nowhere && !(takers.white.empty() && takers.black.empty());
  if (in_passing && !all("enPassantRegionWhite")) fault("enPassantRegionWhite", "only all cells or none can");
  if (in_passing && (takers.white != double_steppers || takers.black != double_steppers))
    fault("enPassantTypesWhite", "only the kinds that step twice can capture in passing");
}

std::optional<std::pair<int, int>> Plan::castling_king(bool white, const std::string& king) const {
  std::vector<std::pair<int, int>> cells;
  for (const auto& [cell, piece] : variant.start.pieces)
    if (piece.key == king && piece.white == white) cells.push_back(cell);
  const int row = variant.number("castlingRank", 1);
  const int rank = white ? row : variant.size.ranks + 1 - row;
  const int file = read_line_number(variant.text("castlingKingFile"), kMostFiles);
  for (const auto& cell : cells)
    if (cell.first == rank && (cells.size() == 1 || cell.second == file)) return cell;
  return std::nullopt;
}

bool Plan::add_rights(bool white, CastlingPlan& plan) {
  const auto king = castling_king(white, plan.king);
  if (!king) return false;
  bool added = false;
  for (const char letter : variant.start.castling) {
    if ((std::isupper(static_cast<unsigned char>(letter)) != 0) != white) continue;
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    int found = 0;
    for (int i = 1; i <= variant.size.files && found == 0; ++i) {
      const int file = small == 'k' ? variant.size.files + 1 - i : i;
      if (small != 'k' && small != 'q' && file != small - 'a' + 1) continue;
      const auto piece = variant.start.pieces.find({king->first, file});
      if (piece != variant.start.pieces.end() && piece->second.key == plan.rook &&
          piece->second.white == white)
        found = file;
    }
    const bool is_east = found > king->second;
    if (found == 0 || (small == 'k' && !is_east) || (small == 'q' && is_east)) continue;
    plan.rights.insert({king->first, found});
    (is_east ? plan.east : plan.west) = true;
    const int goal = is_east ? plan.east_file : plan.west_file;
    plan.usual_goals = plan.usual_goals && goal == king->second + (is_east ? 2 : -2);
    const bool fits = is_east ? goal > king->second && goal < found : goal < king->second && goal > found;
    if (!fits) fault("castlingKingsideFile", "the king goes to a cell that isn't between him and the rook");
    added = true;
  }
  if (added) plan.rights.insert(*king);
  return added;
}

void Plan::find_castling() {
  if (!variant.flag("castling", true) || variant.start.castling.empty()) return;
  CastlingPlan plan;
  const auto kings = keys_or(variant, "castlingKingPiece", {"king"});
  const auto rooks = keys_or(variant, "castlingRookPieces", {"rook"});
  if (kings.empty() || rooks.empty()) return;
  plan.king = kings.front();
  plan.rook = rooks.front();
  plan.east_file = read_line_number(variant.text("castlingKingsideFile"), kMostFiles);
  plan.west_file = read_line_number(variant.text("castlingQueensideFile"), kMostFiles);
  plan.row = variant.number("castlingRank", 1);
  const bool white = add_rights(true, plan), black = add_rights(false, plan);
  if (!white && !black) return;
  if (kings.size() > 1) fault("castlingKingPiece", "only one kind can castle");
  if (rooks.size() > 1) fault("castlingRookPieces", "only one kind can castle with the king");
  castling = plan;
}

} // namespace boardwright::tools
