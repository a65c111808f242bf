// How the text form writes the operands of an instruction, and how it reads them.
#pragma once

#include "runtime/ir/operations.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime::ir {

// What is no longer than this is written out; of longer sets and tables the beginning is.
inline constexpr std::size_t kMostWrittenOut = 16;

// The names of a code's registers, constants and tables, about `program` (in normal form, as the code is).
// Both must outlive it and stay as they are. Making it takes as long as writing all tables.
class Names {
public:
  Names(const Program& program, const Code& code);

  // An operand of a kind that the table of operations has a letter for: a register, an index or a constant.
  // Preconditions: the letter isn't `j`; an index is within its table.
  [[nodiscard]] std::string text(char letter, std::int64_t value) const;
  // The operand that text() writes so, whatever stands in parentheses behind it; or nothing. Never an index
  // outside its table, nor a register that the code hasn't.
  [[nodiscard]] std::optional<std::int64_t> value(char letter, std::string_view text) const;

  // Values of the draft: registers behind the constants are counted from there, so that a new constant
  // changes none of their names.
  [[nodiscard]] std::size_t first_set() const;
  [[nodiscard]] std::size_t first_number() const;

  [[nodiscard]] std::string choice(const Choice& choice) const;

private:
  struct Constants {
    std::vector<std::string> text; // by index
    std::map<std::string, std::int64_t, std::less<>> index;
    void add(std::string name) {
      index.emplace(name, static_cast<std::int64_t>(text.size()));
      text.push_back(std::move(name));
    }
    // Is it the first that is written so?
    [[nodiscard]] bool is_unique(std::size_t k) const {
      return index.find(text[k])->second == static_cast<std::int64_t>(k);
    }
  };
  void name_tables();
  [[nodiscard]] std::string set(std::size_t r) const;
  [[nodiscard]] std::string number(std::size_t r) const;
  [[nodiscard]] std::string state_set(std::size_t r) const;
  [[nodiscard]] std::string state_number(std::size_t r) const;
  [[nodiscard]] std::optional<std::int64_t> reg(char letter, std::string_view text) const;
  [[nodiscard]] std::string inside(char letter, std::size_t index) const;
  [[nodiscard]] std::size_t size_of(char letter) const;
  [[nodiscard]] std::string cells(const CellSet& set) const;
  [[nodiscard]] std::string step(std::int64_t step) const;
  [[nodiscard]] std::string steps(const std::vector<std::int16_t>& steps) const;
  [[nodiscard]] std::string directions(const CellSet& steps) const;
  [[nodiscard]] std::string values(const std::vector<std::int16_t>& values, bool are_cells) const;
  [[nodiscard]] std::string player(std::int64_t player) const;
  [[nodiscard]] std::string verdict(const Verdict& verdict) const;
  [[nodiscard]] std::string drop(const DropTable& drop) const;
  [[nodiscard]] std::string spill_area(const SpillArea& spill_area) const;

  const Program& program_;
  const Code& code_;
  const Layout& l_;
  std::map<char, Constants> by_content_; // what is named by what it holds
  Constants set_constants_, number_constants_;
};

// A text in quotes, on one line.
[[nodiscard]] std::string quoted(std::string_view text);

} // namespace boardwright::runtime::ir
