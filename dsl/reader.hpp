// What the grammar fills while it reads: a stack of trees, and where reading could not go on.
#pragma once

#include "dsl/ast.hpp"
#include "dsl/tokens.hpp"
#include "dsl/yaml.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

using At = const Token*; // where the grammar reads; the last token is always Tok::end

// What lies on the stack: a tree, or a mark that gives something to the node that is made of it.
struct Item {
  enum class Role : std::uint8_t {
    tree,
    word,  // the node's word
    bound, // one more of its names
    form,  // its form, instead of the one it has anyhow
    flags, // added to its flags, with `number`
  };
  Role role = Role::tree;
  int height = 1; // of the tree
  Ast ast;
};

// An error that is not just something unexpected; thrown, as it ends the reading.
struct Refusal {
  At at = nullptr;
  Code code;
  std::string message;
  std::string help;
};

// How a node is made of items.
struct Recipe {
  enum class Kind : std::uint8_t {
    always,     // a node
    if_several, // no node where there is only one tree and no mark
    left,       // operands and operators in turn: nested to the left
  };
  // The order of a node's kids is that of the text, or as ast.hpp has it:
  enum class Order : std::uint8_t { as_written, reversed, last_first };

  Form form = Form::name;
  Kind kind = Kind::always;
  Order order = Order::as_written;
};

class Reader {
public:
  Reader(const Text& text, At begin) : text_(text), furthest_(begin) {}

  // --- failures: only the furthest place counts
  void miss(At at, const Toks& expected, const Toks& possible = {});
  [[nodiscard]] At furthest() const { return furthest_; }
  [[nodiscard]] const Toks& expected() const { return expected_; }
  // All that could have stood there, also what errors don't tell of.
  [[nodiscard]] const Toks& possible() const { return possible_; }
  // What has to follow a last token by one of the ways to read it, such as `in` behind `choose x`. The other
  // ways read on, so that no failure tells of it.
  void needs(const Toks& next) { needed_ |= next; }
  [[nodiscard]] const Toks& needed() const { return needed_; }

  // --- depth; throws Refusal beyond kMaxRuleDepth
  void enter(At at);
  void leave() { --depth_; }

  // --- the stack
  [[nodiscard]] std::size_t size() const { return stack_.size(); }
  [[nodiscard]] Item& top() { return stack_.back(); }
  void push(Item item) { stack_.push_back(std::move(item)); }
  Item pop();
  // The items from `from` on, taken off.
  std::vector<Item> take(std::size_t from);
  // A name, or a mark with the word of the token.
  Ast& push_word(Item::Role role, const Token& token);
  void mark_form(Form form) { mark(Item::Role::form).form = form; }
  void mark_flags(std::uint8_t flags, std::int64_t number = 0);
  // Makes one tree of the items from `from` on, which were read from the tokens [first, last). Throws Refusal
  // where it would be higher than kMaxTreeHeight.
  void make(Recipe recipe, std::size_t from, At first, At last);

  At if_end = nullptr; // where the last `if` without parentheses ended, as a step

private:
  Ast& mark(Item::Role role);

  const Text& text_;
  std::vector<Item> stack_;
  At furthest_;
  Toks expected_, possible_; // at `furthest_`
  Toks needed_;              // at the end
  int depth_ = 0;
};

} // namespace boardwright::dsl
