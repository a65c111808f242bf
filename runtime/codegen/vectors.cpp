// Rays and slides on boards of several words, four lines at once (AVX2).
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/vectors.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

using x86::Xmm;
using x86::Ymm;

constexpr std::size_t kLanes = 4;

// Of one word a line at a time takes no longer.
bool can_see_by_vectors(const Generator& g, std::size_t lines) {
  const auto& all = g.around.lines[lines];
  const auto grows = at(std::count_if(all.begin(), all.end(), [](const auto& line) { return line.grows; }));
  const bool even =
      std::all_of(all.begin(), all.end(), [](const auto& line) { return line.grows != line.shrinks; });
  return g.words >= 2 && g.words <= 4 && even && all.size() > 2 && grows <= kLanes &&
         all.size() - grows <= kLanes && asmjit::CpuInfo::host().features().x86().hasAVX2();
}

namespace {

constexpr int kLaneBytes = 8 * static_cast<int>(kLanes);
// What a register of the processor holds while lines are followed, a line in each lane.
const Ymm kOnes = x86::ymm0, kZero = x86::ymm1;
const Ymm kRay = x86::ymm2;                     // a word of the rays
const Ymm kPart = x86::ymm3, kMask = x86::ymm4; // some of its cells, and what follows from them
const Ymm kStillOpen = x86::ymm5;               // all ones in the lanes that go on to the next word
const Ymm kOther = x86::ymm6;

// Behind the code: by cell the rays of the lines that grow, then of those that shrink: of each word four
// lanes.
const Label& ray_table(Generator& g, std::size_t lines) {
  const auto [known, fresh] = g.ray_tables.try_emplace(lines);
  if (fresh) known->second = g.a.newLabel();
  return known->second;
}

// The cells of all lanes. Changes `other`, too.
Gp united_lanes(Generator& g, const Ymm& lanes, const Ymm& other) {
  const Xmm low = lanes.xmm(), high = other.xmm();
  const Gp found = g.fresh();
  g.a.vextracti128(high, lanes, 1);
  g.a.vpor(low, low, high);
  g.a.vpsrldq(high, low, 8);
  g.a.vpor(low, low, high);
  g.a.vmovq(found, low);
  return found;
}

// The lines that grow stand before those that shrink. Are there any?
struct Ways {
  bool grow = false, shrink = false;
};
Ways ways_of(const Generator& g, std::size_t lines) {
  const auto& all = g.around.lines[lines];
  return {std::any_of(all.begin(), all.end(), [](const auto& line) { return line.grows; }),
          std::any_of(all.begin(), all.end(), [](const auto& line) { return line.shrinks; })};
}

// Where the rays from a cell stand in the table; to the label if it is -1.
Gp rays_from(Generator& g, const Gp& cell, std::size_t lines, const Label& none) {
  const Ways ways = ways_of(g, lines);
  const Gp rays = g.fresh();
  g.a.test(cell.r32(), cell.r32());
  g.a.js(none);
  g.a.imul(cell, cell, kLaneBytes * g.words * ((ways.grow ? 1 : 0) + (ways.shrink ? 1 : 0)));
  g.a.lea(rays, x86::ptr(ray_table(g, lines)));
  g.a.add(rays, cell);
  return rays;
}

// kMask: up to the lowest cell of kPart, and with it; everything where there is none.
void up_to_lowest(Generator& g) {
  g.a.vpaddq(kMask, kPart, kOnes);
  g.a.vpxor(kMask, kMask, kPart);
}

// kMask: below the highest cell of kPart; nothing where there is none.
void below_highest(Generator& g) {
  g.a.vpsrlq(kMask, kPart, 1);
  for (const int by : {1, 2, 4, 8, 16, 32}) {
    g.a.vpsrlq(kOther, kMask, by);
    g.a.vpor(kMask, kMask, kOther);
  }
}

// The cells of the ray up to the first blocker, and with it. The blockers are in kPart.
void see_word(Generator& g, bool grows, const Ymm& seen) {
  if (grows) {
    up_to_lowest(g);
    g.a.vpand(seen, kMask, kRay);
  } else {
    below_highest(g);
    g.a.vpandn(seen, kMask, kRay);
  }
}

// Lanes with a blocker in this word, the n-th that is looked at, see nothing of the next ones.
void close_blocked(Generator& g, int n) {
  g.a.vpcmpeqq(n == 0 ? kStillOpen : kOther, kPart, kZero);
  if (n > 0) g.a.vpand(kStillOpen, kStillOpen, kOther);
}

} // namespace

void embed_ray_tables(Generator& g) {
  const auto words = at(g.words);
  for (const auto& [lines, label] : g.ray_tables) {
    std::vector<std::uint64_t> table;
    for (std::size_t cell = 0; cell < at(g.code.layout.cells); ++cell)
      for (const bool grows : {true, false}) {
        std::vector<const std::uint64_t*> rays;
        for (const auto& line : g.around.lines[lines])
          if (line.grows == grows) rays.push_back(line.rays + cell * words);
        if (rays.empty()) continue;
        for (std::size_t w = 0; w < words; ++w)
          for (std::size_t k = 0; k < kLanes; ++k) table.push_back(k < rays.size() ? rays[k][w] : 0);
      }
    g.a.align(asmjit::AlignMode::kData, 32);
    g.a.bind(label);
    g.a.embed(table.data(), table.size() * sizeof(std::uint64_t));
  }
}

namespace {

// What slides hold besides, word by word.
namespace slide_regs {
const Ymm kHighest = x86::ymm7; // the highest bit alone
Ymm through(int w) { return x86::ymm(static_cast<std::uint32_t>(8 + w)); }
Ymm sum(int w) { return x86::ymm(static_cast<std::uint32_t>(12 + w)); }
} // namespace slide_regs

bool counts_leading_zeros() {
  const auto& has = asmjit::CpuInfo::host().features().x86();
  return has.hasAVX512_F() && has.hasAVX512_VL() && has.hasAVX512_CDI();
}

// What is seen along the lines whose rays stand here joins the sum.
void slide_along(Generator& g, const Gp& rays, int offset, bool grows) {
  for (int n = 0; n < g.words; ++n) {
    const int w = grows ? n : g.words - 1 - n;
    g.a.vmovdqa(kRay, x86::ymmword_ptr(rays, offset + kLaneBytes * w));
    g.a.vpandn(kPart, slide_regs::through(w), kRay);
    if (!grows && counts_leading_zeros()) { // all from the highest blocker on
      g.a.vplzcntq(kOther, kPart);
      g.a.vpsravq(kMask, slide_regs::kHighest, kOther);
      g.a.vpand(kMask, kMask, kRay);
    } else {
      see_word(g, grows, kMask);
    }
    if (n > 0) g.a.vpand(kMask, kMask, kStillOpen);
    g.a.vpor(slide_regs::sum(w), slide_regs::sum(w), kMask);
    if (n + 1 < g.words) close_blocked(g, n);
  }
}

} // namespace

// As `slides`: up to the lowest blocker where lines grow, to the highest where they shrink.
void slides_by_vectors(Generator& g, const I& i, bool with_last) {
  const Ways ways = ways_of(g, at(i.x));
  const Gp cell = g.copy_of(g.number(i.a));
  const Label none = g.a.newLabel();
  for (int w = 0; w < g.words; ++w) g.a.vpxor(slide_regs::sum(w), slide_regs::sum(w), slide_regs::sum(w));
  const Gp rays = rays_from(g, cell, at(i.x), none);
  for (int w = 0; w < g.words; ++w) g.a.vpbroadcastq(slide_regs::through(w), g.memory(g.word(i.b, w)));
  g.a.vpcmpeqd(kOnes, kOnes, kOnes);
  g.a.vpxor(kZero, kZero, kZero);
  if (counts_leading_zeros()) g.a.vpsllq(slide_regs::kHighest, kOnes, 63);
  if (ways.grow) slide_along(g, rays, 0, true);
  if (ways.shrink) slide_along(g, rays, ways.grow ? kLaneBytes * g.words : 0, false);
  g.a.bind(none);
  for (int w = 0; w < g.words; ++w) {
    const Gp found = united_lanes(g, slide_regs::sum(w), kOther);
    if (!with_last) g.a.and_(found, g.memory(g.word(i.b, w)));
    g.define(g.word(i.d, w), found);
  }
  g.a.vzeroupper();
}

namespace {

// What `between` holds besides, word by word: what is found; what is seen up to the first blocker; the cells
// of c among that.
namespace between_regs {
Ymm sum(int w) { return x86::ymm(static_cast<std::uint32_t>(7 + w)); }
Ymm seen(int w) { return x86::ymm(static_cast<std::uint32_t>(10 + w)); }
Ymm goals(int w) { return x86::ymm(static_cast<std::uint32_t>(13 + w)); }
} // namespace between_regs

// The words of a set in the order in which lines meet them.
int word_on_the_way(const Generator& g, int n, bool grows) { return grows ? n : g.words - 1 - n; }

// What is seen along the lines whose rays stand here, and the goals in it.
void see_goals(Generator& g, const I& i, const Gp& rays, int offset, bool grows) {
  for (int n = 0; n < g.words; ++n) {
    const int w = word_on_the_way(g, n, grows);
    const Ymm seen = between_regs::seen(w), goals = between_regs::goals(w);
    g.a.vmovdqa(kRay, x86::ymmword_ptr(rays, offset + kLaneBytes * w));
    g.a.vpbroadcastq(kPart, g.memory(g.word(i.b, w)));
    g.a.vpandn(kPart, kPart, kRay); // blockers
    see_word(g, grows, seen);
    if (n > 0) g.a.vpand(seen, seen, kStillOpen);
    g.a.vpbroadcastq(goals, g.memory(g.word(i.c, w)));
    g.a.vpand(goals, goals, seen);
    if (n + 1 < g.words) close_blocked(g, n);
  }
}

// From the far end: what is seen before the last goal joins the sum.
void add_before_goals(Generator& g, bool grows) {
  for (int n = g.words - 1; n >= 0; --n) {
    const int w = word_on_the_way(g, n, grows);
    const bool is_first = n + 1 == g.words;
    g.a.vmovdqa(kPart, between_regs::goals(w));
    if (grows) {
      below_highest(g);
    } else {
      up_to_lowest(g);
      g.a.vpxor(kMask, kMask, kOnes); // above the lowest; none without one
    }
    if (!is_first) g.a.vpor(kMask, kMask, kStillOpen); // a goal has been found further on
    g.a.vpand(kMask, kMask, between_regs::seen(w));
    g.a.vpor(between_regs::sum(w), between_regs::sum(w), kMask);
    if (n == 0) break;
    g.a.vpcmpeqq(kOther, kPart, kZero);
    g.a.vpxor(kOther, kOther, kOnes);
    if (is_first)
      g.a.vmovdqa(kStillOpen, kOther);
    else
      g.a.vpor(kStillOpen, kStillOpen, kOther);
  }
}

} // namespace

// As `between`. First the cells of the lines as far as the first blocker are seen, then from the other end
// the last cells of c among them, the goals, are looked for.
void between_by_vectors(Generator& g, const I& i) {
  const Ways ways = ways_of(g, at(i.x));
  const Gp cell = g.copy_of(g.number(i.a));
  const Label none = g.a.newLabel();
  for (int w = 0; w < g.words; ++w)
    g.a.vpxor(between_regs::sum(w), between_regs::sum(w), between_regs::sum(w));
  const Gp rays = rays_from(g, cell, at(i.x), none);
  g.a.vpcmpeqd(kOnes, kOnes, kOnes);
  g.a.vpxor(kZero, kZero, kZero);
  for (const bool grows : {true, false}) {
    if (!(grows ? ways.grow : ways.shrink)) continue;
    see_goals(g, i, rays, !grows && ways.grow ? kLaneBytes * g.words : 0, grows);
    add_before_goals(g, grows);
  }
  g.a.bind(none);
  for (int w = 0; w < g.words; ++w) g.define(g.word(i.d, w), united_lanes(g, between_regs::sum(w), kOther));
  g.a.vzeroupper();
}

} // namespace boardwright::runtime::codegen

#endif
