// The names of all errors and warnings.
//
// A name is stable: people look it up (`boardwright explain NAME`) and tools filter by it. dsl/DIAGNOSTICS.md
// says of each what it means, with examples; a test holds that page and this list to one another.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace boardwright::dsl {

inline constexpr auto kCodes = std::to_array<std::string_view>({
    "action",
    "after-a-roll",
    "all-of-them",
    "anyones-piece",
    "arity",
    "before",
    "board",
    "board-changed",
    "bound-twice",
    "case",
    "cell-difference",
    "cell-equals-set",
    "connectives",
    "constant",
    "constant-condition",
    "copied-body",
    "counted-twice",
    "dead-cell",
    "dead-end",
    "draw-first",
    "drops-everywhere",
    "drops-on-pieces",
    "duplicate",
    "duplicate-key",
    "empty-hand",
    "empty-set",
    "empty-test",
    "encoding",
    "end-for-both",
    "end-never-asked",
    "end-never-held",
    "end-replaced",
    "endless",
    "enemy",
    "extends-cycle",
    "fault",
    "fen",
    "file-size",
    "forward",
    "games-broken-off",
    "goes-on-without",
    "hand",
    "hands",
    "held-of-nothing",
    "here",
    "inherited",
    "lands-on-own",
    "late-decision",
    "late-end",
    "leak",
    "letter",
    "limit",
    "lint",
    "lopsided",
    "loses-by-leaving",
    "loses-by-moving",
    "loses-by-taking",
    "lost-bodies",
    "many-moves",
    "may-repeat",
    "may-turn",
    "mirror",
    "mispaired",
    "missing-about",
    "missing-body",
    "missing-hand",
    "missing-section",
    "mixed-signs",
    "name",
    "name-clash",
    "name-ended",
    "never-changes",
    "never-decided",
    "never-ends",
    "never-lifted",
    "never-moves",
    "never-put",
    "never-reached",
    "never-seen",
    "never-so-many",
    "never-stood-on",
    "never-wins",
    "no-move",
    "no-opening-move",
    "not-found",
    "not-mirrored",
    "nothing-depends",
    "nothing-hidden",
    "nothing-to-remove",
    "odd-directions",
    "often-stuck",
    "one-sided",
    "one-winner",
    "option",
    "option-fails",
    "out-of-reach",
    "over-at-once",
    "over-at-start",
    "own-overwritten",
    "picture",
    "pieces",
    "pieces-grow",
    "player",
    "position",
    "rarely-ends",
    "rectangle",
    "recursion",
    "repeats",
    "replaces-word",
    "reserved",
    "roll",
    "said-twice",
    "same-notation",
    "same-result",
    "same-weights",
    "sees",
    "self-assignment",
    "set",
    "settled-condition",
    "setup",
    "setup-not-mirrored",
    "setup-overlap",
    "shape",
    "shares",
    "state",
    "syntax",
    "takes-empty",
    "takes-last",
    "takes-own",
    "test",
    "test-repeats",
    "told-secret",
    "track",
    "track-gap",
    "type",
    "unchanging-move",
    "unknown-key",
    "unknown-name",
    "unknown-section",
    "unlike-siblings",
    "unlike-sides",
    "unlike-words",
    "unset-state",
    "unused-allowance",
    "unused-definition",
    "unused-hand",
    "unused-kind",
    "unused-name",
    "unused-option",
    "unused-state",
    "version",
    "whose-cells",
    "word",
    "yaml",
    "yaml-reference",
});
static_assert(std::is_sorted(kCodes.begin(), kCodes.end()));

// One of these names. No other can be made: a string that isn't in the list doesn't compile. (clang before 17
// destroys temporaries of other arguments wrongly where a call that happens at compile time stands beside
// them: there an unknown name would only be noticed when it is used.)
#if defined(__clang__) && __clang_major__ < 17
#define BOARDWRIGHT_CONSTEVAL constexpr
#else
#define BOARDWRIGHT_CONSTEVAL consteval
#endif
class Code {
public:
  Code() = default; // none yet
  // NOLINTNEXTLINE(google-explicit-constructor): so that a string stands for its code, and is checked.
  BOARDWRIGHT_CONSTEVAL Code(const char* name) : name_(known(name)) {}

  [[nodiscard]] constexpr std::string_view name() const { return name_; }
  friend constexpr bool operator==(Code a, std::string_view name) { return a.name_ == name; }

private:
  // What isn't found is no constant expression, and the compiler stops here: add the name to kCodes.
  static BOARDWRIGHT_CONSTEVAL std::string_view known(std::string_view name) {
    const auto* found = std::find(kCodes.begin(), kCodes.end(), name);
    if (found == kCodes.end()) throw "this code is not in kCodes";
    return *found;
  }

  std::string_view name_;
};
#undef BOARDWRIGHT_CONSTEVAL

} // namespace boardwright::dsl
