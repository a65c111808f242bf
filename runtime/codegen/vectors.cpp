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

// As `slides`: up to the lowest blocker where lines grow, to the highest where they shrink.
void slides_by_vectors(Generator& g, const I& i, bool with_last) {
  const auto& lines = g.around.lines[at(i.x)];
  const bool any_grows = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.grows; });
  const bool any_shrinks =
      std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.shrinks; });
  constexpr int kBytes = 8 * static_cast<int>(kLanes);
  const int group = kBytes * g.words;
  const Ymm ones = x86::ymm0, zero = x86::ymm1, ray = x86::ymm2, blockers = x86::ymm3, seen = x86::ymm4,
            open = x86::ymm5, other = x86::ymm6;
  const auto& has = asmjit::CpuInfo::host().features().x86();
  const bool leading_zeros = has.hasAVX512_F() && has.hasAVX512_VL() && has.hasAVX512_CDI();
  const Ymm highest = x86::ymm7;
  const auto through = [](int w) { return x86::ymm(static_cast<std::uint32_t>(8 + w)); };
  const auto sum = [](int w) { return x86::ymm(static_cast<std::uint32_t>(12 + w)); };
  const Gp where = g.copy_of(g.number(i.a)), row = g.fresh();
  const Label none = g.a.newLabel();
  for (int w = 0; w < g.words; ++w) g.a.vpxor(sum(w), sum(w), sum(w));
  g.a.test(where.r32(), where.r32());
  g.a.js(none);
  g.a.imul(where, where, group * ((any_grows ? 1 : 0) + (any_shrinks ? 1 : 0)));
  g.a.lea(row, x86::ptr(ray_table(g, at(i.x))));
  g.a.add(row, where);
  for (int w = 0; w < g.words; ++w) g.a.vpbroadcastq(through(w), g.memory(g.word(i.b, w)));
  g.a.vpcmpeqd(ones, ones, ones);
  g.a.vpxor(zero, zero, zero);
  if (leading_zeros) g.a.vpsllq(highest, ones, 63);
  int offset = 0;
  const auto see = [&](bool grows) {
    for (int n = 0; n < g.words; ++n) {
      const int w = grows ? n : g.words - 1 - n;
      g.a.vmovdqa(ray, x86::ymmword_ptr(row, offset + kBytes * w));
      g.a.vpandn(blockers, through(w), ray);
      if (grows) {
        g.a.vpaddq(seen, blockers, ones);
        g.a.vpxor(seen, seen, blockers); // all ones without a blocker
        g.a.vpand(seen, seen, ray);
      } else {
        if (leading_zeros) { // all from the highest blocker on
          g.a.vplzcntq(other, blockers);
          g.a.vpsravq(seen, highest, other);
          g.a.vpand(seen, seen, ray);
        } else {
          g.a.vpsrlq(seen, blockers, 1); // all below it
          for (const int by : {1, 2, 4, 8, 16, 32}) {
            g.a.vpsrlq(other, seen, by);
            g.a.vpor(seen, seen, other);
          }
          g.a.vpandn(seen, seen, ray);
        }
      }
      if (n > 0) g.a.vpand(seen, seen, open);
      g.a.vpor(sum(w), sum(w), seen);
      if (n + 1 == g.words) break;
      g.a.vpcmpeqq(n == 0 ? open : other, blockers, zero);
      if (n > 0) g.a.vpand(open, open, other);
    }
    offset += group;
  };
  if (any_grows) see(true);
  if (any_shrinks) see(false);
  g.a.bind(none);
  for (int w = 0; w < g.words; ++w) {
    const Gp found = united_lanes(g, sum(w), other);
    if (!with_last) g.a.and_(found, g.memory(g.word(i.b, w)));
    g.define(g.word(i.d, w), found);
  }
  g.a.vzeroupper();
}

// As `between`. First the cells of the lines as far as the first blocker are seen, then from the other end
// the last cells of c among them are looked for.
void between_by_vectors(Generator& g, const I& i) {
  const auto& lines = g.around.lines[at(i.x)];
  const bool any_grows = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.grows; });
  const bool any_shrinks =
      std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.shrinks; });
  constexpr int kBytes = 8 * static_cast<int>(kLanes);
  const int group = kBytes * g.words;
  const Ymm ones = x86::ymm0, zero = x86::ymm1, ray = x86::ymm2, part = x86::ymm3, mask = x86::ymm4,
            open = x86::ymm5, other = x86::ymm6;
  const auto sum = [](int w) { return x86::ymm(static_cast<std::uint32_t>(7 + w)); };
  const auto seen = [](int w) { return x86::ymm(static_cast<std::uint32_t>(10 + w)); };
  const auto last = [](int w) { return x86::ymm(static_cast<std::uint32_t>(13 + w)); };
  const Gp where = g.copy_of(g.number(i.a)), row = g.fresh();
  const Label none = g.a.newLabel();
  for (int w = 0; w < g.words; ++w) g.a.vpxor(sum(w), sum(w), sum(w));
  g.a.test(where.r32(), where.r32());
  g.a.js(none);
  g.a.imul(where, where, group * ((any_grows ? 1 : 0) + (any_shrinks ? 1 : 0)));
  g.a.lea(row, x86::ptr(ray_table(g, at(i.x))));
  g.a.add(row, where);
  g.a.vpcmpeqd(ones, ones, ones);
  g.a.vpxor(zero, zero, zero);
  int offset = 0;
  const auto below_highest = [&] { // in `mask`, of `part`
    g.a.vpsrlq(mask, part, 1);
    for (const int by : {1, 2, 4, 8, 16, 32}) {
      g.a.vpsrlq(other, mask, by);
      g.a.vpor(mask, mask, other);
    }
  };
  const auto follow = [&](bool grows) {
    const auto word_at = [&](int n) { return grows ? n : g.words - 1 - n; };
    for (int n = 0; n < g.words; ++n) {
      const int w = word_at(n);
      g.a.vmovdqa(ray, x86::ymmword_ptr(row, offset + kBytes * w));
      g.a.vpbroadcastq(part, g.memory(g.word(i.b, w)));
      g.a.vpandn(part, part, ray); // blockers
      if (grows) {
        g.a.vpaddq(mask, part, ones);
        g.a.vpxor(mask, mask, part);
        g.a.vpand(seen(w), mask, ray);
      } else {
        below_highest();
        g.a.vpandn(seen(w), mask, ray);
      }
      if (n > 0) g.a.vpand(seen(w), seen(w), open);
      g.a.vpbroadcastq(last(w), g.memory(g.word(i.c, w)));
      g.a.vpand(last(w), last(w), seen(w));
      if (n + 1 == g.words) break;
      g.a.vpcmpeqq(n == 0 ? open : other, part, zero);
      if (n > 0) g.a.vpand(open, open, other);
    }
    for (int n = g.words - 1; n >= 0; --n) {
      const int w = word_at(n);
      g.a.vmovdqa(part, last(w));
      if (grows) {
        below_highest();
      } else {
        g.a.vpaddq(mask, part, ones);
        g.a.vpxor(mask, mask, part);
        g.a.vpxor(mask, mask, ones); // above the lowest; none without one
      }
      if (n + 1 < g.words) g.a.vpor(mask, mask, open); // a cell of c has been found further on
      g.a.vpand(mask, mask, seen(w));
      g.a.vpor(sum(w), sum(w), mask);
      if (n == 0) break;
      g.a.vpcmpeqq(other, part, zero);
      g.a.vpxor(other, other, ones);
      if (n + 1 == g.words)
        g.a.vmovdqa(open, other);
      else
        g.a.vpor(open, open, other);
    }
    offset += group;
  };
  if (any_grows) follow(true);
  if (any_shrinks) follow(false);
  g.a.bind(none);
  for (int w = 0; w < g.words; ++w) g.define(g.word(i.d, w), united_lanes(g, sum(w), other));
  g.a.vzeroupper();
}

} // namespace boardwright::runtime::codegen

#endif
