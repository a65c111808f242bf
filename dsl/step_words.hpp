// The keywords that begin a step, a row each: the token with its spelling, the form of the tree that the step
// becomes with its name, and what the grammar reads behind it follow from it.
#pragma once

// clang-format off
// X(word, what stands behind it)
//   operand   a set of cells or directions
//   count     a number, or nothing
//   step      another step
//   nothing
//   own_rule  what a rule of its own in grammar.cpp says
#define BOARDWRIGHT_STEP_WORDS(X) \
  X(from,     operand) \
  X(to,       operand) \
  X(at,       operand) \
  X(go,       operand) \
  X(bend,     operand) \
  X(lift,     count) \
  X(put,      count) \
  X(discard,  count) \
  X(remove,   operand) \
  X(drop,     own_rule) \
  X(change,   own_rule) \
  X(move,     own_rule) \
  X(let,      own_rule) \
  X(set,      own_rule) \
  X(choose,   own_rule) \
  X(each,     own_rule) \
  X(most,     own_rule) \
  X(distinct, step) \
  X(quietly,  step) \
  X(secretly, step) \
  X(say,      own_rule) \
  X(require,  own_rule) \
  X(never,    nothing) \
  X(pass,     nothing) \
  X(again,    nothing) \
  X(win,      nothing) \
  X(lose,     nothing) \
  X(draw,     nothing)
// clang-format on
