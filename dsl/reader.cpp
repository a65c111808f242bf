// Entry point: Reader.
#include "dsl/reader.hpp"

#include "dsl/grammar.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace boardwright::dsl {
namespace {

int checked_height(int height, At at) {
  if (height <= kMaxTreeHeight) return height;
  throw Refusal{at, "limit", "more than " + std::to_string(kMaxTreeHeight) + " operators in one chain",
                "give parts of it names in `define`, or write rectangles: `a1 .. c3`"};
}

// Gives one item to the node above it.
void absorb(Item& node, Item&& item, At at) {
  switch (item.role) {
  case Item::Role::tree:
    node.height = checked_height(std::max(node.height, item.height + 1), at);
    node.ast.kids.push_back(std::move(item.ast));
    break;
  case Item::Role::word:
    node.ast.word = std::move(item.ast.word);
    node.ast.word_span = item.ast.word_span;
    break;
  case Item::Role::bound:
    node.ast.names.push_back(std::move(item.ast.word));
    node.ast.name_spans.push_back(item.ast.word_span);
    break;
  case Item::Role::form: node.ast.form = item.ast.form; break;
  case Item::Role::flags:
    node.ast.flags = static_cast<std::uint8_t>(node.ast.flags | item.ast.flags);
    node.ast.number += item.ast.number;
    break;
  }
}

void arrange(std::vector<Ast>& kids, Recipe::Order order) {
  if (order == Recipe::Order::reversed) std::reverse(kids.begin(), kids.end());
  if (order == Recipe::Order::last_first) std::rotate(kids.begin(), kids.end() - 1, kids.end());
}

Item make_node(Recipe recipe, std::vector<Item> items, Span span, At at) {
  Item node;
  node.ast.form = recipe.form;
  node.ast.span = span;
  for (Item& item : items) absorb(node, std::move(item), at);
  arrange(node.ast.kids, recipe.order);
  return node;
}

Item make_left(Form form, std::vector<Item> items, At at) {
  Item left = std::move(items.front());
  for (std::size_t i = 1; i + 1 < items.size(); i += 2) {
    Item node;
    node.ast.form = form;
    node.ast.span = join(left.ast.span, items[i + 1].ast.span);
    for (Item* item : {&left, &items[i], &items[i + 1]}) absorb(node, std::move(*item), at);
    left = std::move(node);
  }
  return left;
}

} // namespace

void Reader::miss(At at, const Toks& expected, const Toks& possible) {
  if (at > furthest_) {
    furthest_ = at;
    expected_.clear();
    possible_.clear();
  }
  if (at != furthest_) return;
  expected_ |= expected;
  possible_ |= possible;
}

void Reader::enter(At at) {
  if (++depth_ > kMaxRuleDepth)
    throw Refusal{at, "limit", "nested more than " + std::to_string(kMaxRuleDepth) + " deep",
                  "give a part of the rule a name in `define`"};
}

Item Reader::pop() {
  Item item = std::move(stack_.back());
  stack_.pop_back();
  return item;
}

std::vector<Item> Reader::take(std::size_t from) {
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(from);
  std::vector<Item> items(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
  stack_.erase(begin, stack_.end());
  return items;
}

Ast& Reader::mark(Item::Role role) {
  stack_.emplace_back().role = role;
  return stack_.back().ast;
}

Ast& Reader::push_word(Item::Role role, const Token& token) {
  Ast& ast = mark(role);
  ast.word = text_.text.substr(token.begin, token.end - token.begin);
  ast.span = ast.word_span = text_.span(token.begin, token.end);
  return ast;
}

void Reader::mark_flags(std::uint8_t flags, std::int64_t number) {
  Ast& ast = mark(Item::Role::flags);
  ast.flags = flags;
  ast.number = number;
}

void Reader::make(Recipe recipe, std::size_t from, At first, At last) {
  if (recipe.kind != Recipe::Kind::always && size() == from + 1) return;
  std::vector<Item> items = take(from);
  const Span span = text_.span(first->begin, last[-1].end);
  push(recipe.kind == Recipe::Kind::left ? make_left(recipe.form, std::move(items), first)
                                         : make_node(recipe, std::move(items), span, first));
}

} // namespace boardwright::dsl
