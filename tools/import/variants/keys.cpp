#include "tools/import/variants/keys.hpp"

#include "dsl/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace boardwright::tools {
namespace {

struct KeyRow {
  std::string_view key;
  KeyWorth worth;
  KeyShape shape;
};
constexpr KeyWorth kCarried = KeyWorth::carried, kNothing = KeyWorth::nothing, kLeftOut = KeyWorth::left_out,
                   kRefused = KeyWorth::refused;
constexpr std::array kKeys{
    KeyRow{"maxRank", kCarried, KeyShape::text},
    KeyRow{"maxFile", kCarried, KeyShape::text},
    KeyRow{"startFen", kCarried, KeyShape::text},
    KeyRow{"pawnTypes", kCarried, KeyShape::kinds},
    KeyRow{"promotionRegion", kCarried, KeyShape::cells},
    KeyRow{"promotionPawnTypes", kCarried, KeyShape::kinds},
    KeyRow{"promotionPieceTypes", kCarried, KeyShape::kinds},
    KeyRow{"promotionLimit", kCarried, KeyShape::pairs},
    KeyRow{"promotedPieceType", kCarried, KeyShape::pairs},
    KeyRow{"piecePromotionOnCapture", kCarried, KeyShape::truth},
    KeyRow{"mandatoryPawnPromotion", kCarried, KeyShape::truth},
    KeyRow{"mandatoryPiecePromotion", kCarried, KeyShape::truth},
    KeyRow{"pieceDemotion", kCarried, KeyShape::truth},
    KeyRow{"blastOnCapture", kCarried, KeyShape::truth},
    KeyRow{"doubleStep", kCarried, KeyShape::truth},
    KeyRow{"doubleStepRegion", kCarried, KeyShape::cells},
    KeyRow{"tripleStepRegion", kCarried, KeyShape::cells},
    KeyRow{"enPassantRegion", kCarried, KeyShape::cells},
    KeyRow{"enPassantTypes", kCarried, KeyShape::kinds},
    KeyRow{"castling", kCarried, KeyShape::truth},
    KeyRow{"castlingKingsideFile", kCarried, KeyShape::text},
    KeyRow{"castlingQueensideFile", kCarried, KeyShape::text},
    KeyRow{"castlingRank", kCarried, KeyShape::number},
    KeyRow{"castlingKingFile", kCarried, KeyShape::text},
    KeyRow{"castlingKingPiece", kCarried, KeyShape::kinds},
    KeyRow{"castlingRookPieces", kCarried, KeyShape::kinds},
    KeyRow{"checking", kCarried, KeyShape::truth},
    KeyRow{"dropChecks", kCarried, KeyShape::truth},
    KeyRow{"mustCapture", kCarried, KeyShape::truth},
    KeyRow{"mustDrop", kCarried, KeyShape::truth},
    KeyRow{"pieceDrops", kCarried, KeyShape::truth},
    KeyRow{"dropLoop", kCarried, KeyShape::truth},
    KeyRow{"capturesToHand", kCarried, KeyShape::truth},
    KeyRow{"firstRankPawnDrops", kCarried, KeyShape::truth},
    KeyRow{"promotionZonePawnDrops", kCarried, KeyShape::truth},
    KeyRow{"dropRegion", kCarried, KeyShape::cells},
    KeyRow{"dropPromoted", kCarried, KeyShape::truth},
    KeyRow{"dropNoDoubled", kCarried, KeyShape::kinds},
    KeyRow{"dropNoDoubledCount", kCarried, KeyShape::number},
    KeyRow{"enclosingDrop", kCarried, KeyShape::text},
    KeyRow{"immobilityIllegal", kCarried, KeyShape::truth},
    KeyRow{"pass", kCarried, KeyShape::truth},
    KeyRow{"passOnStalemate", kCarried, KeyShape::truth},
    KeyRow{"flyingGeneral", kCarried, KeyShape::truth},
    KeyRow{"soldierPromotionRank", kCarried, KeyShape::number},
    KeyRow{"nFoldRule", kCarried, KeyShape::number},
    KeyRow{"nFoldValue", kCarried, KeyShape::result},
    KeyRow{"nFoldValueAbsolute", kCarried, KeyShape::truth},
    KeyRow{"stalemateValue", kCarried, KeyShape::result},
    KeyRow{"checkmateValue", kCarried, KeyShape::result},
    KeyRow{"shogiPawnDropMateIllegal", kCarried, KeyShape::truth},
    KeyRow{"extinctionValue", kCarried, KeyShape::result},
    KeyRow{"extinctionPseudoRoyal", kCarried, KeyShape::truth},
    KeyRow{"extinctionPieceTypes", kCarried, KeyShape::kinds},
    KeyRow{"extinctionPieceCount", kCarried, KeyShape::number},
    KeyRow{"extinctionOpponentPieceCount", kCarried, KeyShape::number},
    KeyRow{"flagPiece", kCarried, KeyShape::kinds},
    KeyRow{"flagRegion", kCarried, KeyShape::cells},
    KeyRow{"flagPieceCount", kCarried, KeyShape::number},
    KeyRow{"flagPieceSafe", kCarried, KeyShape::truth},
    KeyRow{"flagMove", kCarried, KeyShape::truth},
    KeyRow{"checkCounting", kCarried, KeyShape::truth},
    KeyRow{"connectN", kCarried, KeyShape::number},
    KeyRow{"connectNxN", kCarried, KeyShape::number},
    KeyRow{"connectPieceTypes", kCarried, KeyShape::kinds},
    KeyRow{"connectVertical", kCarried, KeyShape::truth},
    KeyRow{"connectHorizontal", kCarried, KeyShape::truth},
    KeyRow{"connectDiagonal", kCarried, KeyShape::truth},
    KeyRow{"connectValue", kCarried, KeyShape::result},
    KeyRow{"petrifyOnCaptureTypes", kCarried, KeyShape::kinds},
    KeyRow{"castlingWins", kCarried, KeyShape::text},
    KeyRow{"oppositeCastling", kCarried, KeyShape::truth},
    KeyRow{"flagPieceBlockedWin", kCarried, KeyShape::truth},
    KeyRow{"collinearN", kCarried, KeyShape::number},
    KeyRow{"materialCounting", kCarried, KeyShape::text},
    KeyRow{"adjudicateFullBoard", kCarried, KeyShape::truth},
    KeyRow{"stalematePieceCount", kCarried, KeyShape::truth},
    KeyRow{"flipEnclosedPieces", kCarried, KeyShape::text},
    KeyRow{"freeDrops", kCarried, KeyShape::truth},
    KeyRow{"enclosingDropStart", kCarried, KeyShape::cells},
    KeyRow{"wallingRule", kCarried, KeyShape::text},
    KeyRow{"wallOrMove", kCarried, KeyShape::truth},
    KeyRow{"wallingRegion", kCarried, KeyShape::cells},
    KeyRow{"connectRegion1", kCarried, KeyShape::cells},
    KeyRow{"connectRegion2", kCarried, KeyShape::cells},

    KeyRow{"variantTemplate", kNothing, KeyShape::text},
    KeyRow{"pieceToCharTable", kNothing, KeyShape::text},
    KeyRow{"pocketSize", kNothing, KeyShape::text},
    KeyRow{"pieceValueMg", kNothing, KeyShape::text},
    KeyRow{"pieceValueEg", kNothing, KeyShape::text},
    KeyRow{"chess960", kNothing, KeyShape::truth},
    KeyRow{"nMoveRuleTypes", kNothing, KeyShape::kinds},

    KeyRow{"nMoveRule", kLeftOut, KeyShape::number},
    KeyRow{"perpetualCheckIllegal", kLeftOut, KeyShape::truth},
    KeyRow{"moveRepetitionIllegal", kLeftOut, KeyShape::truth},
    KeyRow{"chasingRule", kLeftOut, KeyShape::text},
    KeyRow{"countingRule", kLeftOut, KeyShape::text},

    KeyRow{"twoBoards", kRefused, KeyShape::truth},
    KeyRow{"sittuyinPromotion", kRefused, KeyShape::truth},
    KeyRow{"blastImmuneTypes", kRefused, KeyShape::kinds},
    KeyRow{"mutuallyImmuneTypes", kRefused, KeyShape::kinds},
    KeyRow{"petrifyBlastPieces", kRefused, KeyShape::truth},
    KeyRow{"castlingDroppedPiece", kRefused, KeyShape::truth},
    KeyRow{"castlingRookKingsideFile", kRefused, KeyShape::text},
    KeyRow{"castlingRookQueensideFile", kRefused, KeyShape::text},
    KeyRow{"mustDropType", kRefused, KeyShape::kinds},
    KeyRow{"sittuyinRookDrop", kRefused, KeyShape::truth},
    KeyRow{"dropOppositeColoredBishop", kRefused, KeyShape::truth},
    KeyRow{"gating", kRefused, KeyShape::truth},
    KeyRow{"seirawanGating", kRefused, KeyShape::truth},
    KeyRow{"cambodianMoves", kRefused, KeyShape::truth},
    KeyRow{"diagonalLines", kRefused, KeyShape::cells},
    KeyRow{"makpongRule", kRefused, KeyShape::truth},
    KeyRow{"shatarMateRule", kRefused, KeyShape::truth},
    KeyRow{"bikjangRule", kRefused, KeyShape::truth},
    KeyRow{"extinctionClaim", kRefused, KeyShape::truth},
    KeyRow{"dupleCheck", kRefused, KeyShape::truth},
};

std::string_view without_side(std::string_view key) {
  for (const std::string_view side : {"White", "Black"})
    if (key.ends_with(side)) return key.substr(0, key.size() - side.size());
  return key;
}

const KeyRow* row_of_key(std::string_view key) {
  const auto found = std::find_if(kKeys.begin(), kKeys.end(), [key](const KeyRow& row) {
    return row.key == key || (row.key == without_side(key) && has_sides(row.key));
  });
  return found == kKeys.end() ? nullptr : &*found;
}

} // namespace

const std::vector<IniSection>& known_sections() {
  static const auto sections = read_ini(known_parents()).value_or(std::vector<IniSection>{});
  return sections;
}

std::optional<std::string> known_text(std::string_view section, std::string_view key) {
  for (const IniEntry& entry : section_named(known_sections(), section)->entries)
    if (entry.key == key) return entry.value;
  return std::nullopt;
}

std::optional<std::string> movement_of(std::string_view key) { return known_text("movements", key); }

bool is_custom_piece(std::string_view key) {
  constexpr std::string_view kCustom = "customPiece";
  if (!key.starts_with(kCustom)) return false;
  const std::string_view number = key.substr(kCustom.size());
  return !number.empty() && number.size() <= 2 && std::all_of(number.begin(), number.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

KeyMeaning meaning_of(std::string_view key) {
  if (key.starts_with("mobilityRegionWhite") || key.starts_with("mobilityRegionBlack"))
    return {kCarried, KeyShape::cells};
  const KeyRow* row = row_of_key(key);
  return row == nullptr ? KeyMeaning{} : KeyMeaning{row->worth, row->shape};
}

bool has_sides(std::string_view key) {
  constexpr std::array<std::string_view, 15> kSided{"promotionRegion",
                                                    "promotionPawnTypes",
                                                    "promotionPieceTypes",
                                                    "doubleStepRegion",
                                                    "tripleStepRegion",
                                                    "enPassantRegion",
                                                    "enPassantTypes",
                                                    "dropRegion",
                                                    "flagPiece",
                                                    "flagRegion",
                                                    "pass",
                                                    "passOnStalemate",
                                                    "nMoveRuleTypes",
                                                    "wallingRegion",
                                                    "connectRegion1"};
  return std::find(kSided.begin(), kSided.end(), key) != kSided.end() || key == "connectRegion2";
}

std::string nearest_key(std::string_view key) {
  std::string best;
  for (const KeyRow& row : kKeys)
    if (const std::string near = dsl::nearest(std::string(key), {std::string(row.key)}); !near.empty())
      best = near;
  return best;
}

} // namespace boardwright::tools
