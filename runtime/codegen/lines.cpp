// Walks of whole sets: rays and slides along lines, runs, floods.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

namespace Inst = x86::Inst;

bool Generator::line_operation(const I& i) {
  switch (i.op) {
  case Op::set_rays:
  case Op::set_slides: {
    const auto& lines = around_.lines[at(i.x)];
    const bool even = std::all_of(lines.begin(), lines.end(), [](const Surroundings::Line& line) {
      return line.grows || line.shrinks;
    });
    if (words_ > 2 || !even || lines.size() > 16) return false;
    slides(i, i.op == Op::set_slides);
    return true;
  }
  case Op::set_run_shift:
    if (words_ > 2 || i.y > 6) return false;
    run_shift(i);
    return true;
  case Op::set_flood: return flood(i);
  default: return false;
  }
}

// Where the numbers of the cells only grow along a line the lowest blocker ends it: what is seen are the members
// of the ray up to that bit. Where they only shrink it is the highest. Rays leave out the blockers.
void Generator::slides(const I& i, bool with_last) {
  const Gp cell = read(number(i.a));
  std::vector<Gp> found, through;
  for (int w = 0; w < words_; ++w) through.push_back(read(word(i.b, w)));
  for (int w = 0; w < words_; ++w) found.push_back(fresh());
  const Gp row = fresh(), blockers = fresh(), ray = fresh();
  if (words_ == 2) unpin(cell); // only its row is wanted
  Gp where = cell;
  if (words_ == 2) {
    where = fresh();
    a_.movsxd(where, cell.r32());
    a_.shl(where, 4);
  }
  const Label none = a_.newLabel();
  for (const Gp& reg : found) a_.xor_(reg.r32(), reg.r32());
  words_ == 2 ? a_.test(where, where) : a_.test(cell.r32(), cell.r32());
  a_.js(none);
  for (const auto& line : around_.lines[at(i.x)]) {
    mov_address(row, line.rays);
    const Label next = a_.newLabel();
    const auto see = [&](int w) { // up to the first blocker; the row isn't wanted any more
      if (line.grows) {
        a_.blsmsk(row, blockers); // all ones without a blocker
      } else {
        a_.or_(blockers, 1);
        a_.bsr(blockers, blockers);
        a_.or_(row, -1);
        a_.shlx(row, row, blockers);
      }
      a_.and_(ray, row);
      a_.or_(found[at(w)], ray);
    };
    for (int n = 0; n < words_; ++n) {
      const int w = line.grows ? n : words_ - 1 - n;
      a_.mov(ray, x86::qword_ptr(row, where, words_ == 2 ? 0 : 3, 8 * w));
      a_.andn(blockers, through[at(w)], ray);
      if (n + 1 == words_) {
        see(w);
        break;
      }
      const Label free = a_.newLabel();
      a_.test(blockers, blockers);
      a_.jz(free);
      see(w);
      a_.jmp(next);
      a_.bind(free);
      a_.or_(found[at(w)], ray);
    }
    a_.bind(next);
  }
  if (!with_last)
    for (int w = 0; w < words_; ++w) a_.and_(found[at(w)], through[at(w)]);
  a_.bind(none);
  for (int w = 0; w < words_; ++w) define(word(i.d, w), found[at(w)]);
}

// By doubling (Kogge and Stone): after k rounds all cells within 2^k steps are found.
void Generator::run_shift(const I& i) {
  std::vector<Gp> through, found;
  for (int w = 0; w < words_; ++w) {
    through.push_back(copy_of(word(i.b, w)));
    apply(Inst::kIdAnd, through.back(), word(i.c, w));
  }
  found.resize(at(words_));
  shift_words([&](int w) { return copy_of(word(i.a, w)); }, i.x, [&](int w, const Gp& value) {
    a_.and_(value, through[at(w)]);
    found[at(w)] = value;
  });
  const auto copied = [&](const std::vector<Gp>& words) {
    return [&](int w) {
      const Gp reg = fresh();
      a_.mov(reg, words[at(w)]);
      return reg;
    };
  };
  int by = i.x;
  for (int round = 0; round < i.y; ++round) {
    if (by >= 64 * words_ || by <= -64 * words_) break; // nothing can be reached
    shift_words(copied(found), by, [&](int w, const Gp& value) {
      a_.and_(value, through[at(w)]);
      a_.or_(found[at(w)], value);
      unpin(value);
    });
    if (round + 1 < i.y)
      shift_words(copied(through), by, [&](int w, const Gp& value) {
        a_.and_(through[at(w)], value);
        unpin(value);
      });
    by *= 2;
  }
  for (int w = 0; w < words_; ++w) define(word(i.d, w), found[at(w)]);
}

// Only of one word: the cells that came last go on until none are new.
bool Generator::flood(const I& i) {
  const auto& flood = around_.floods[at(i.x)];
  if (words_ != 1 || !flood.only_shifts || flood.shifts.size() > 16) return false;
  const Gp found = copy_of(word(i.a, 0)), through = read(word(i.b, 0)), front = fresh(), next = fresh(),
           moved = fresh();
  const Label again = a_.newLabel(), done = a_.newLabel();
  a_.mov(front, found);
  a_.test(front, front);
  a_.jz(done);
  a_.bind(again);
  a_.xor_(next.r32(), next.r32());
  for (const auto& shift : flood.shifts) {
    a_.mov(moved, *shift.from);
    a_.and_(moved, front);
    shift.by < 0 ? a_.shr(moved, -shift.by) : a_.shl(moved, shift.by);
    a_.or_(next, moved);
  }
  a_.and_(next, through);
  a_.andn(front, found, next);
  a_.or_(found, front);
  a_.test(front, front);
  a_.jnz(again);
  a_.bind(done);
  define(word(i.d, 0), found);
  return true;
}

} // namespace boardwright::runtime::codegen

#endif
