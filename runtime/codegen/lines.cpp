// Walks of whole sets: rays and slides along lines, runs, floods.
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/lines.hpp"
#include "runtime/codegen/sets.hpp"
#include "runtime/codegen/vectors.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

namespace {

void slides(Generator& g, const I& i, bool with_last);
void between(Generator& g, const I& i);
void run_shift(Generator& g, const I& i);
void flood_of_one(Generator& g, const I& i);
void flood(Generator& g, const I& i);
bool can_flood(const Generator& g, std::size_t flood);

} // namespace

namespace Inst = x86::Inst;

bool line_operation(Generator& g, const I& i) {
  switch (i.op) {
  case Op::set_rays:
  case Op::set_slides: {
    const auto& lines = g.around.lines[at(i.x)];
    if (can_see_by_vectors(g, at(i.x))) {
      slides_by_vectors(g, i, i.op == Op::set_slides);
      return true;
    }
    const bool even = std::all_of(lines.begin(), lines.end(),
                                  [](const Surroundings::Line& line) { return line.grows || line.shrinks; });
    if (g.words > 4 || !even || lines.size() > 16) return false;
    slides(g, i, i.op == Op::set_slides);
    return true;
  }
  case Op::set_between: {
    const auto& lines = g.around.lines[at(i.x)];
    if (can_see_by_vectors(g, at(i.x)) && g.words <= kMostWordsBetween) {
      between_by_vectors(g, i);
      return true;
    }
    const bool even = std::all_of(lines.begin(), lines.end(),
                                  [](const Surroundings::Line& line) { return line.grows || line.shrinks; });
    if (g.words > 1 || !even || lines.size() > 16) return false;
    between(g, i);
    return true;
  }
  case Op::set_run_shift:
    if (g.words > kMostWordsRun || i.y > 6) return false;
    run_shift(g, i);
    return true;
  case Op::set_flood:
    if (!can_flood(g, at(i.x))) return false;
    g.words == 1 ? flood_of_one(g, i) : flood(g, i);
    return true;
  default: return false;
  }
}

namespace {

// The registers of what is seen from a cell along lines.
struct Slide {
  Gp where, row, blockers, ray;
  Gp open; // of two words: is the first one free of blockers?
  std::vector<Gp> found;
  Reg through = 0; // the set that the lines may go through
};

// What of a ray isn't in the set.
void blocked(Generator& g, const Slide& s, const Gp& to, int w) {
  g.a.mov(s.ray, x86::qword_ptr(s.row, s.where, g.words == 1 ? 3 : 0, 8 * w));
  g.a.mov(to, s.ray);
  g.a.emit(Inst::kIdAnd, to, g.operand(g.word(s.through, w)));
  g.a.xor_(to, s.ray);
}

// Of two words: blockers of the word that the line comes to first hide the other one. Which it is can't be
// foretold, so nothing jumps here.
void slide_up(Generator& g, const Slide& s) {
  blocked(g, s, s.blockers, 0);
  g.a.blsmsk(s.open, s.blockers); // carries where there is no blocker
  g.a.sbb(s.blockers, s.blockers);
  g.a.and_(s.ray, s.open);
  g.a.or_(s.found[0], s.ray);
  blocked(g, s, s.open, 1);
  g.a.blsmsk(s.row, s.open);
  g.a.and_(s.row, s.blockers);
  g.a.and_(s.row, s.ray);
  g.a.or_(s.found[1], s.row);
}

void slide_down(Generator& g, const Slide& s) {
  const auto cut_below = [&](const Gp& by) { // what is below the highest blocker; `by` isn't wanted any more
    g.a.or_(by, 1);
    g.a.bsr(by, by);
    g.a.shrx(s.ray, s.ray, by);
    g.a.shlx(s.ray, s.ray, by);
  };
  blocked(g, s, s.blockers, 1);
  g.a.cmp(s.blockers, 1); // carries where there is no blocker
  g.a.sbb(s.open, s.open);
  cut_below(s.blockers);
  g.a.or_(s.found[1], s.ray);
  blocked(g, s, s.row, 0);
  cut_below(s.row);
  g.a.and_(s.ray, s.open);
  g.a.or_(s.found[0], s.ray);
}

// Of one word, or of many: word by word as far as the first blocker.
void slide_by_words(Generator& g, const Slide& s, bool grows) {
  const Label next = g.a.newLabel();
  const auto see = [&](int w) { // up to the first blocker; the row isn't wanted any more
    if (grows) {
      g.a.blsmsk(s.row, s.blockers); // all ones without a blocker
    } else {
      g.a.or_(s.blockers, 1);
      g.a.bsr(s.blockers, s.blockers);
      g.a.or_(s.row, -1);
      g.a.shlx(s.row, s.row, s.blockers);
    }
    g.a.and_(s.ray, s.row);
    g.a.or_(s.found[at(w)], s.ray);
  };
  for (int n = 0; n < g.words; ++n) {
    const int w = grows ? n : g.words - 1 - n;
    blocked(g, s, s.blockers, w);
    if (n + 1 == g.words) {
      see(w);
      break;
    }
    const Label free = g.a.newLabel();
    g.a.jz(free);
    see(w);
    g.a.jmp(next);
    g.a.bind(free);
    g.a.or_(s.found[at(w)], s.ray);
  }
  g.a.bind(next);
}

// Where the numbers of the cells only grow along a line the lowest blocker ends it: what is seen are the
// members of the ray up to that bit. Where they only shrink it is the highest. Rays leave out the blockers.
void slides(Generator& g, const I& i, bool with_last) {
  Slide s;
  s.where = g.copy_of(g.number(i.a));
  for (int w = 0; w < g.words; ++w) s.found.push_back(g.fresh());
  s.row = g.fresh(), s.blockers = g.fresh(), s.ray = g.fresh();
  s.open = g.words == 2 ? g.fresh() : s.row;
  s.through = i.b;
  // What the lines may go through: where registers are left it is read once.
  if (g.words <= 2)
    for (int w = 0; w < g.words; ++w) g.read(g.word(i.b, w));
  const Label none = g.a.newLabel();
  for (const Gp& reg : s.found) g.a.xor_(reg.r32(), reg.r32());
  g.a.test(s.where.r32(), s.where.r32());
  g.a.js(none);
  if (g.words > 1) g.a.imul(s.where.r32(), s.where.r32(), 8 * g.words);
  for (const auto& line : g.around.lines[at(i.x)]) {
    g.mov_address(s.row, line.rays);
    if (g.words != 2)
      slide_by_words(g, s, line.grows);
    else if (line.grows)
      slide_up(g, s);
    else
      slide_down(g, s);
  }
  if (!with_last)
    for (int w = 0; w < g.words; ++w) g.a.emit(Inst::kIdAnd, s.found[at(w)], g.operand(g.word(i.b, w)));
  g.a.bind(none);
  for (int w = 0; w < g.words; ++w) g.define(g.word(i.d, w), s.found[at(w)]);
}

// Of sets of one word. As far as the first blocker the line may come to cells of c; what lies before the last
// of them is found.
void between(Generator& g, const I& i) {
  const Gp where = g.copy_of(g.number(i.a)), through = g.read(g.word(i.b, 0)), ends = g.read(g.word(i.c, 0));
  const Gp found = g.fresh(), row = g.fresh(), part = g.fresh(), ray = g.fresh();
  const Label none = g.a.newLabel();
  g.a.xor_(found.r32(), found.r32());
  g.a.test(where.r32(), where.r32());
  g.a.js(none);
  for (const auto& line : g.around.lines[at(i.x)]) {
    g.mov_address(row, line.rays);
    g.a.mov(ray, x86::qword_ptr(row, where, 3));
    g.a.andn(part, through, ray);
    if (line.grows) {
      g.a.blsmsk(part, part); // all ones without a blocker
      g.a.and_(part, ray);
      g.a.and_(part, ends);
      g.a.or_(part, 1);
      g.a.lzcnt(part, part);
      g.a.xor_(part.r32(), 63);
      g.a.bzhi(ray, ray, part);
    } else {
      g.a.or_(part, 1);
      g.a.lzcnt(part, part);
      g.a.xor_(part.r32(), 63);
      g.a.shrx(row, ray, part);
      g.a.shlx(part, row, part);
      g.a.and_(part, ends);
      g.a.blsmsk(part, part); // all ones if there is no such cell
      g.a.andn(ray, part, ray);
    }
    g.a.or_(found, ray);
  }
  g.a.bind(none);
  g.define(g.word(i.d, 0), found);
}

// By doubling (Kogge and Stone): after k rounds all cells within 2^k steps are found.
void run_shift(Generator& g, const I& i) {
  std::vector<Gp> through, found;
  for (int w = 0; w < g.words; ++w) {
    through.push_back(g.copy_of(g.word(i.b, w)));
    g.apply(Inst::kIdAnd, through.back(), g.word(i.c, w));
  }
  found.resize(at(g.words));
  shift_words(
      g, [&](int w) { return g.copy_of(g.word(i.a, w)); }, i.x,
      [&](int w, const Gp& value) {
        g.a.and_(value, through[at(w)]);
        found[at(w)] = value;
      });
  const auto copied = [&](const std::vector<Gp>& words) {
    return [&](int w) {
      const Gp reg = g.fresh();
      g.a.mov(reg, words[at(w)]);
      return reg;
    };
  };
  int by = i.x;
  for (int round = 0; round < i.y; ++round) {
    if (by >= 64 * g.words || by <= -64 * g.words) break; // nothing can be reached
    shift_words(g, copied(found), by, [&](int w, const Gp& value) {
      g.a.and_(value, through[at(w)]);
      g.a.or_(found[at(w)], value);
      g.unpin(value);
    });
    if (round + 1 < i.y)
      shift_words(g, copied(through), by, [&](int w, const Gp& value) {
        g.a.and_(through[at(w)], value);
        g.unpin(value);
      });
    by *= 2;
  }
  for (int w = 0; w < g.words; ++w) g.define(g.word(i.d, w), found[at(w)]);
}

} // namespace

// ---------------------------------------------------------------- floods

// How many there are depends on the way. They are noticed where the next round of a loop is counted.
constexpr int kStepsOfRound = 1;

namespace {

void flood_of_one(Generator& g, const I& i) {
  const auto& flood = g.around.floods[at(i.x)];
  const Gp found = g.copy_of(g.word(i.a, 0)), through = g.read(g.word(i.b, 0)), front = g.fresh(),
           next = g.fresh(), moved = g.fresh();
  const Label again = g.a.newLabel(), done = g.a.newLabel();
  g.a.mov(front, found);
  g.a.test(front, front);
  g.a.jz(done);
  g.a.bind(again);
  g.a.sub(g.field(g.around.at.left), kStepsOfRound);
  g.a.xor_(next.r32(), next.r32());
  for (const auto& shift : flood.shifts) {
    g.a.mov(moved, *shift.from);
    g.a.and_(moved, front);
    shift.by < 0 ? g.a.shr(moved, -shift.by) : g.a.shl(moved, shift.by);
    g.a.or_(next, moved);
  }
  g.a.and_(next, through);
  g.a.andn(front, found, next);
  g.a.or_(found, front);
  g.a.test(front, front);
  g.a.jnz(again);
  g.a.bind(done);
  g.define(g.word(i.d, 0), found);
}

void flood(Generator& g, const I& i) {
  const auto stack = [&g](int set, int w) { return x86::qword_ptr(x86::rsp, g.scratch(set, w)); };
  const auto& label = g.flood_labels[at(i.x)];
  for (int w = 0; w < g.words; ++w) {
    const Gp found = g.read(g.word(i.a, w)), through = g.read(g.word(i.b, w));
    g.a.mov(stack(0, w), found);
    g.a.mov(stack(1, w), found);
    g.a.mov(stack(2, w), through);
    g.release();
  }
  g.forget_all();
  g.a.lea(x86::r11, x86::ptr(x86::rsp));
  g.a.call(label);
  for (int w = 0; w < g.words; ++w) {
    g.a.mov(x86::rax, stack(0, w));
    g.a.mov(g.memory(g.word(i.d, w)), x86::rax);
  }
}

} // namespace

// In: r11, where four sets are: what has been found, the front (the same), what the flood may go through, and
// room for the next front. The cells that came last go on until none are new. Only words of the front that
// have members are looked at.
void flood_routine(Generator& g, std::size_t k) {
  g.flood_labels.push_back(g.a.newLabel());
  const auto& flood = g.around.floods[k];
  if (!can_flood(g, k)) return;
  const auto set = [&g](int s, int w) { return x86::qword_ptr(x86::r11, g.scratch(s, w)); };
  enum : int { kFound, kFront, kThrough, kNext };
  const Gp front = x86::rax, moved = x86::rcx, rest = x86::rdx, any = x86::rsi;
  g.a.bind(g.flood_labels.back());
  const Label again = g.a.newLabel();
  g.a.bind(again);
  g.a.sub(g.field(g.around.at.left), kStepsOfRound * g.words);
  g.a.xor_(moved.r32(), moved.r32());
  for (int w = 0; w < g.words; ++w) g.a.mov(set(kNext, w), moved);
  for (int w = 0; w < g.words; ++w) {
    const Label none = g.a.newLabel();
    g.a.mov(front, set(kFront, w));
    g.a.test(front, front);
    g.a.jz(none);
    for (const auto& shift : flood.shifts) {
      if (shift.from[w] == 0) continue;
      const int far = shift.by < 0 ? -shift.by : shift.by, bits = far % 64;
      const int to = shift.by < 0 ? w - far / 64 : w + far / 64, beside = shift.by < 0 ? to - 1 : to + 1;
      const auto is_word = [&g](int n) { return n >= 0 && n < g.words; };
      g.a.mov(moved, shift.from[w]);
      g.a.and_(moved, front);
      if (bits != 0 && is_word(beside)) {
        g.a.mov(rest, moved);
        shift.by < 0 ? g.a.shl(rest, 64 - bits) : g.a.shr(rest, 64 - bits);
        g.a.or_(set(kNext, beside), rest);
      }
      if (!is_word(to)) continue;
      if (bits != 0) shift.by < 0 ? g.a.shr(moved, bits) : g.a.shl(moved, bits);
      g.a.or_(set(kNext, to), moved);
    }
    g.a.bind(none);
  }
  g.a.xor_(any.r32(), any.r32());
  for (int w = 0; w < g.words; ++w) {
    g.a.mov(front, set(kNext, w));
    g.a.and_(front, set(kThrough, w));
    g.a.mov(moved, set(kFound, w));
    g.a.andn(front, moved, front);
    g.a.mov(set(kFront, w), front);
    g.a.or_(any, front);
    g.a.or_(moved, front);
    g.a.mov(set(kFound, w), moved);
  }
  g.a.test(any, any);
  g.a.jnz(again);
  g.a.ret();
}

namespace {

bool can_flood(const Generator& g, std::size_t k) {
  return g.around.floods[k].only_shifts && g.around.floods[k].shifts.size() <= 16;
}

} // namespace

} // namespace boardwright::runtime::codegen

#endif
