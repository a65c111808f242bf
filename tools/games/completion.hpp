// What a person may mean by the part of a move that he has typed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct Completion {
  std::string text;                 // what was typed, as far as it goes on in one way only
  std::vector<std::string> choices; // where it doesn't go on: what it can become, up to the end of a step
};

// Goes on with what is typed by the texts that begin so, case or not, or if there are none with signs left
// out. The choices are not whole texts: chains of captures and sowings are chosen step by step, so that of
// thousands only few are shown.
[[nodiscard]] Completion complete(const std::vector<std::string>& texts, std::string_view typed);

// Where the step that is at `from` or begins there ends: behind a cell or a word, before the sign that
// follows.
[[nodiscard]] std::size_t step_end(std::string_view text, std::size_t from);

// The distinct steps that the texts which begin with `typed` can go on with, each with what stands before
// it, in order. Case counts only where some text begins so exactly.
[[nodiscard]] std::vector<std::string> next_steps(const std::vector<std::string>& texts,
                                                  std::string_view typed);

// The places of the texts that may be meant by a part of one: those that begin so, case and blanks apart; if
// there are none, those that are this with signs between, and if there are none of these either, those that
// begin so with signs between. What signs are typed must be there, but `-` stands for any.
[[nodiscard]] std::vector<std::size_t> meant(const std::vector<std::string>& texts, std::string_view typed);

// A notation as matching it forgives: without blanks, in small letters.
[[nodiscard]] std::string without_blanks(std::string_view text);

// The places of the texts that name the same cells as what is typed, each as often, in another order. Nothing
// of a single cell.
[[nodiscard]] std::vector<std::size_t> with_the_same_cells(const std::vector<std::string>& texts,
                                                           std::string_view typed);

// The places of the texts that somebody means who types more than a move: its number ("1. b3-b4"), words
// ("b3 to b4", "play b3"), or a cell the other way round ("3b").
[[nodiscard]] std::vector<std::size_t> meant_in_words(const std::vector<std::string>& texts,
                                                      std::string_view typed);

// Nothing of the text is left behind what is typed of it, signs apart: `c3a5` and `C3-A5` are all of `c3xa5`.
[[nodiscard]] bool is_all_of(std::string_view text, std::string_view typed);

// What is typed of a text ends between two digits of it: `a1` of `a12`.
[[nodiscard]] bool ends_in_number(std::string_view text, std::string_view typed);

} // namespace boardwright::tools
