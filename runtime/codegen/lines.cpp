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
    if (can_see_by_vectors(at(i.x))) {
      slides_by_vectors(i, i.op == Op::set_slides);
      return true;
    }
    const bool even = std::all_of(lines.begin(), lines.end(),
                                  [](const Surroundings::Line& line) { return line.grows || line.shrinks; });
    if (words_ > 4 || !even || lines.size() > 16) return false;
    slides(i, i.op == Op::set_slides);
    return true;
  }
  case Op::set_between: {
    const auto& lines = around_.lines[at(i.x)];
    if (can_see_by_vectors(at(i.x)) && words_ <= kMostWordsBetween) {
      between_by_vectors(i);
      return true;
    }
    const bool even = std::all_of(lines.begin(), lines.end(),
                                  [](const Surroundings::Line& line) { return line.grows || line.shrinks; });
    if (words_ > 1 || !even || lines.size() > 16) return false;
    between(i);
    return true;
  }
  case Op::set_run_shift:
    if (words_ > kMostWordsRun || i.y > 6) return false;
    run_shift(i);
    return true;
  case Op::set_flood:
    if (!can_flood(at(i.x))) return false;
    words_ == 1 ? flood_of_one(i) : flood(i);
    return true;
  default: return false;
  }
}

// Where the numbers of the cells only grow along a line the lowest blocker ends it: what is seen are the
// members of the ray up to that bit. Where they only shrink it is the highest. Rays leave out the blockers.
void Generator::slides(const I& i, bool with_last) {
  const Gp where = copy_of(number(i.a));
  std::vector<Gp> found;
  for (int w = 0; w < words_; ++w) found.push_back(fresh());
  const Gp row = fresh(), blockers = fresh(), ray = fresh();
  const Gp open = words_ == 2 ? fresh() : row; // of two words: is the first one free of blockers?
  // What the lines may go through: where registers are left it is read once.
  if (words_ <= 2)
    for (int w = 0; w < words_; ++w) read(word(i.b, w));
  const auto through = [&](int w) { return operand(word(i.b, w)); };
  const Label none = a_.newLabel();
  for (const Gp& reg : found) a_.xor_(reg.r32(), reg.r32());
  a_.test(where.r32(), where.r32());
  a_.js(none);
  if (words_ > 1) a_.imul(where.r32(), where.r32(), 8 * words_);
  for (const auto& line : around_.lines[at(i.x)]) {
    mov_address(row, line.rays);
    // Blockers of the word that the line comes to first hide the other one. Which it is can't be foretold, so
    // nothing jumps here.
    const auto blocked = [&](const Gp& to, int w) {
      a_.mov(ray, x86::qword_ptr(row, where, 0, 8 * w));
      a_.mov(to, ray);
      a_.emit(Inst::kIdAnd, to, through(w));
      a_.xor_(to, ray);
    };
    const auto cut_below =
        [&](const Gp& by) { // what is below the highest blocker; `by` isn't wanted any more
          a_.or_(by, 1);
          a_.bsr(by, by);
          a_.shrx(ray, ray, by);
          a_.shlx(ray, ray, by);
        };
    if (words_ == 2 && line.grows) {
      blocked(blockers, 0);
      a_.blsmsk(open, blockers); // carries where there is no blocker
      a_.sbb(blockers, blockers);
      a_.and_(ray, open);
      a_.or_(found[0], ray);
      blocked(open, 1);
      a_.blsmsk(row, open);
      a_.and_(row, blockers);
      a_.and_(row, ray);
      a_.or_(found[1], row);
      continue;
    }
    if (words_ == 2) {
      blocked(blockers, 1);
      a_.cmp(blockers, 1); // carries where there is no blocker
      a_.sbb(open, open);
      cut_below(blockers);
      a_.or_(found[1], ray);
      a_.mov(ray, x86::qword_ptr(row, where, 0, 0));
      a_.mov(row, ray);
      a_.emit(Inst::kIdAnd, row, through(0));
      a_.xor_(row, ray);
      cut_below(row);
      a_.and_(ray, open);
      a_.or_(found[0], ray);
      continue;
    }
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
      a_.mov(ray, x86::qword_ptr(row, where, words_ == 1 ? 3 : 0, 8 * w));
      a_.mov(blockers, ray);
      a_.emit(Inst::kIdAnd, blockers, through(w));
      a_.xor_(blockers, ray);
      if (n + 1 == words_) {
        see(w);
        break;
      }
      const Label free = a_.newLabel();
      a_.jz(free);
      see(w);
      a_.jmp(next);
      a_.bind(free);
      a_.or_(found[at(w)], ray);
    }
    a_.bind(next);
  }
  if (!with_last)
    for (int w = 0; w < words_; ++w) a_.emit(Inst::kIdAnd, found[at(w)], through(w));
  a_.bind(none);
  for (int w = 0; w < words_; ++w) define(word(i.d, w), found[at(w)]);
}

// Of sets of one word. As far as the first blocker the line may come to cells of c; what lies before the last
// of them is found.
void Generator::between(const I& i) {
  const Gp where = copy_of(number(i.a)), through = read(word(i.b, 0)), ends = read(word(i.c, 0));
  const Gp found = fresh(), row = fresh(), part = fresh(), ray = fresh();
  const Label none = a_.newLabel();
  a_.xor_(found.r32(), found.r32());
  a_.test(where.r32(), where.r32());
  a_.js(none);
  for (const auto& line : around_.lines[at(i.x)]) {
    mov_address(row, line.rays);
    a_.mov(ray, x86::qword_ptr(row, where, 3));
    a_.andn(part, through, ray);
    if (line.grows) {
      a_.blsmsk(part, part); // all ones without a blocker
      a_.and_(part, ray);
      a_.and_(part, ends);
      a_.or_(part, 1);
      a_.lzcnt(part, part);
      a_.xor_(part.r32(), 63);
      a_.bzhi(ray, ray, part);
    } else {
      a_.or_(part, 1);
      a_.lzcnt(part, part);
      a_.xor_(part.r32(), 63);
      a_.shrx(row, ray, part);
      a_.shlx(part, row, part);
      a_.and_(part, ends);
      a_.blsmsk(part, part); // all ones if there is no such cell
      a_.andn(ray, part, ray);
    }
    a_.or_(found, ray);
  }
  a_.bind(none);
  define(word(i.d, 0), found);
}

// By doubling (Kogge and Stone): after k rounds all cells within 2^k steps are found.
void Generator::run_shift(const I& i) {
  std::vector<Gp> through, found;
  for (int w = 0; w < words_; ++w) {
    through.push_back(copy_of(word(i.b, w)));
    apply(Inst::kIdAnd, through.back(), word(i.c, w));
  }
  found.resize(at(words_));
  shift_words([&](int w) { return copy_of(word(i.a, w)); }, i.x,
              [&](int w, const Gp& value) {
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

// ---------------------------------------------------------------- floods

// How many there are depends on the way. They are noticed where the next round of a loop is counted.
constexpr int kStepsOfRound = 1;

void Generator::flood_of_one(const I& i) {
  const auto& flood = around_.floods[at(i.x)];
  const Gp found = copy_of(word(i.a, 0)), through = read(word(i.b, 0)), front = fresh(), next = fresh(),
           moved = fresh();
  const Label again = a_.newLabel(), done = a_.newLabel();
  a_.mov(front, found);
  a_.test(front, front);
  a_.jz(done);
  a_.bind(again);
  a_.sub(field(around_.at.left), kStepsOfRound);
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
}

void Generator::flood(const I& i) {
  const auto stack = [this](int set, int w) { return x86::qword_ptr(x86::rsp, scratch(set, w)); };
  const auto& label = flood_labels_[at(i.x)];
  for (int w = 0; w < words_; ++w) {
    const Gp found = read(word(i.a, w)), through = read(word(i.b, w));
    a_.mov(stack(0, w), found);
    a_.mov(stack(1, w), found);
    a_.mov(stack(2, w), through);
    release();
  }
  forget_all();
  a_.lea(x86::r11, x86::ptr(x86::rsp));
  a_.call(label);
  for (int w = 0; w < words_; ++w) {
    a_.mov(x86::rax, stack(0, w));
    a_.mov(memory(word(i.d, w)), x86::rax);
  }
}

// In: r11, where four sets are: what has been found, the front (the same), what the flood may go through, and
// room for the next front. The cells that came last go on until none are new. Only words of the front that
// have members are looked at.
void Generator::flood_routine(std::size_t k) {
  flood_labels_.push_back(a_.newLabel());
  const auto& flood = around_.floods[k];
  if (!can_flood(k)) return;
  const auto set = [this](int s, int w) { return x86::qword_ptr(x86::r11, scratch(s, w)); };
  enum : int { kFound, kFront, kThrough, kNext };
  const Gp front = x86::rax, moved = x86::rcx, rest = x86::rdx, any = x86::rsi;
  a_.bind(flood_labels_.back());
  const Label again = a_.newLabel();
  a_.bind(again);
  a_.sub(field(around_.at.left), kStepsOfRound * words_);
  a_.xor_(moved.r32(), moved.r32());
  for (int w = 0; w < words_; ++w) a_.mov(set(kNext, w), moved);
  for (int w = 0; w < words_; ++w) {
    const Label none = a_.newLabel();
    a_.mov(front, set(kFront, w));
    a_.test(front, front);
    a_.jz(none);
    for (const auto& shift : flood.shifts) {
      if (shift.from[w] == 0) continue;
      const int far = shift.by < 0 ? -shift.by : shift.by, bits = far % 64;
      const int to = shift.by < 0 ? w - far / 64 : w + far / 64, beside = shift.by < 0 ? to - 1 : to + 1;
      const auto is_word = [this](int n) { return n >= 0 && n < words_; };
      a_.mov(moved, shift.from[w]);
      a_.and_(moved, front);
      if (bits != 0 && is_word(beside)) {
        a_.mov(rest, moved);
        shift.by < 0 ? a_.shl(rest, 64 - bits) : a_.shr(rest, 64 - bits);
        a_.or_(set(kNext, beside), rest);
      }
      if (!is_word(to)) continue;
      if (bits != 0) shift.by < 0 ? a_.shr(moved, bits) : a_.shl(moved, bits);
      a_.or_(set(kNext, to), moved);
    }
    a_.bind(none);
  }
  a_.xor_(any.r32(), any.r32());
  for (int w = 0; w < words_; ++w) {
    a_.mov(front, set(kNext, w));
    a_.and_(front, set(kThrough, w));
    a_.mov(moved, set(kFound, w));
    a_.andn(front, moved, front);
    a_.mov(set(kFront, w), front);
    a_.or_(any, front);
    a_.or_(moved, front);
    a_.mov(set(kFound, w), moved);
  }
  a_.test(any, any);
  a_.jnz(again);
  a_.ret();
}

bool Generator::can_flood(std::size_t k) const {
  return around_.floods[k].only_shifts && around_.floods[k].shifts.size() <= 16;
}

} // namespace boardwright::runtime::codegen

#endif
