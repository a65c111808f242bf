// Rays and slides on boards of several words, four lines at once (AVX2).
#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

using x86::Xmm;
using x86::Ymm;

constexpr std::size_t kLanes = 4;

// Of one word a line at a time takes no longer.
bool Generator::can_see_by_vectors(std::size_t lines) const {
  const auto& all = around_.lines[lines];
  const auto grows = at(std::count_if(all.begin(), all.end(), [](const auto& line) { return line.grows; }));
  const bool even =
      std::all_of(all.begin(), all.end(), [](const auto& line) { return line.grows != line.shrinks; });
  return words_ >= 2 && words_ <= 4 && even && all.size() > 2 && grows <= kLanes &&
         all.size() - grows <= kLanes && asmjit::CpuInfo::host().features().x86().hasAVX2();
}

// Behind the code: by cell the rays of the lines that grow, then of those that shrink: of each word four
// lanes.
const Label& Generator::ray_table(std::size_t lines) {
  const auto [known, fresh] = ray_tables_.try_emplace(lines);
  if (fresh) known->second = a_.newLabel();
  return known->second;
}

void Generator::embed_ray_tables() {
  const auto words = at(words_);
  for (const auto& [lines, label] : ray_tables_) {
    std::vector<std::uint64_t> table;
    for (std::size_t cell = 0; cell < at(code_.layout.cells); ++cell)
      for (const bool grows : {true, false}) {
        std::vector<const std::uint64_t*> rays;
        for (const auto& line : around_.lines[lines])
          if (line.grows == grows) rays.push_back(line.rays + cell * words);
        if (rays.empty()) continue;
        for (std::size_t w = 0; w < words; ++w)
          for (std::size_t k = 0; k < kLanes; ++k) table.push_back(k < rays.size() ? rays[k][w] : 0);
      }
    a_.align(asmjit::AlignMode::kData, 32);
    a_.bind(label);
    a_.embed(table.data(), table.size() * sizeof(std::uint64_t));
  }
}

// As `slides`: up to the lowest blocker where lines grow, to the highest where they shrink.
void Generator::slides_by_vectors(const I& i, bool with_last) {
  const auto& lines = around_.lines[at(i.x)];
  const bool any_grows = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.grows; });
  const bool any_shrinks =
      std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.shrinks; });
  constexpr int kBytes = 8 * static_cast<int>(kLanes);
  const int group = kBytes * words_;
  const Ymm ones = x86::ymm0, zero = x86::ymm1, ray = x86::ymm2, blockers = x86::ymm3, seen = x86::ymm4,
            open = x86::ymm5, other = x86::ymm6;
  const auto& has = asmjit::CpuInfo::host().features().x86();
  const bool leading_zeros = has.hasAVX512_F() && has.hasAVX512_VL() && has.hasAVX512_CDI();
  const Ymm highest = x86::ymm7;
  const auto through = [](int w) { return x86::ymm(static_cast<std::uint32_t>(8 + w)); };
  const auto sum = [](int w) { return x86::ymm(static_cast<std::uint32_t>(12 + w)); };
  const Gp where = copy_of(number(i.a)), row = fresh();
  const Label none = a_.newLabel();
  for (int w = 0; w < words_; ++w) a_.vpxor(sum(w), sum(w), sum(w));
  a_.test(where.r32(), where.r32());
  a_.js(none);
  a_.imul(where, where, group * ((any_grows ? 1 : 0) + (any_shrinks ? 1 : 0)));
  a_.lea(row, x86::ptr(ray_table(at(i.x))));
  a_.add(row, where);
  for (int w = 0; w < words_; ++w) a_.vpbroadcastq(through(w), memory(word(i.b, w)));
  a_.vpcmpeqd(ones, ones, ones);
  a_.vpxor(zero, zero, zero);
  if (leading_zeros) a_.vpsllq(highest, ones, 63);
  int offset = 0;
  const auto see = [&](bool grows) {
    for (int n = 0; n < words_; ++n) {
      const int w = grows ? n : words_ - 1 - n;
      a_.vmovdqa(ray, x86::ymmword_ptr(row, offset + kBytes * w));
      a_.vpandn(blockers, through(w), ray);
      if (grows) {
        a_.vpaddq(seen, blockers, ones);
        a_.vpxor(seen, seen, blockers); // all ones without a blocker
        a_.vpand(seen, seen, ray);
      } else {
        if (leading_zeros) { // all from the highest blocker on
          a_.vplzcntq(other, blockers);
          a_.vpsravq(seen, highest, other);
          a_.vpand(seen, seen, ray);
        } else {
          a_.vpsrlq(seen, blockers, 1); // all below it
          for (const int by : {1, 2, 4, 8, 16, 32}) {
            a_.vpsrlq(other, seen, by);
            a_.vpor(seen, seen, other);
          }
          a_.vpandn(seen, seen, ray);
        }
      }
      if (n > 0) a_.vpand(seen, seen, open);
      a_.vpor(sum(w), sum(w), seen);
      if (n + 1 == words_) break;
      a_.vpcmpeqq(n == 0 ? open : other, blockers, zero);
      if (n > 0) a_.vpand(open, open, other);
    }
    offset += group;
  };
  if (any_grows) see(true);
  if (any_shrinks) see(false);
  a_.bind(none);
  for (int w = 0; w < words_; ++w) {
    const Xmm low = sum(w).xmm(), high = other.xmm();
    const Gp found = fresh();
    a_.vextracti128(high, sum(w), 1);
    a_.vpor(low, low, high);
    a_.vpsrldq(high, low, 8);
    a_.vpor(low, low, high);
    a_.vmovq(found, low);
    if (!with_last) a_.and_(found, memory(word(i.b, w)));
    define(word(i.d, w), found);
  }
  a_.vzeroupper();
}

// As `between`. First the cells of the lines as far as the first blocker are seen, then from the other end
// the last cells of c among them are looked for.
void Generator::between_by_vectors(const I& i) {
  const auto& lines = around_.lines[at(i.x)];
  const bool any_grows = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.grows; });
  const bool any_shrinks =
      std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.shrinks; });
  constexpr int kBytes = 8 * static_cast<int>(kLanes);
  const int group = kBytes * words_;
  const Ymm ones = x86::ymm0, zero = x86::ymm1, ray = x86::ymm2, part = x86::ymm3, mask = x86::ymm4,
            open = x86::ymm5, other = x86::ymm6;
  const auto sum = [](int w) { return x86::ymm(static_cast<std::uint32_t>(7 + w)); };
  const auto seen = [](int w) { return x86::ymm(static_cast<std::uint32_t>(10 + w)); };
  const auto last = [](int w) { return x86::ymm(static_cast<std::uint32_t>(13 + w)); };
  const Gp where = copy_of(number(i.a)), row = fresh();
  const Label none = a_.newLabel();
  for (int w = 0; w < words_; ++w) a_.vpxor(sum(w), sum(w), sum(w));
  a_.test(where.r32(), where.r32());
  a_.js(none);
  a_.imul(where, where, group * ((any_grows ? 1 : 0) + (any_shrinks ? 1 : 0)));
  a_.lea(row, x86::ptr(ray_table(at(i.x))));
  a_.add(row, where);
  a_.vpcmpeqd(ones, ones, ones);
  a_.vpxor(zero, zero, zero);
  int offset = 0;
  const auto below_highest = [&] { // in `mask`, of `part`
    a_.vpsrlq(mask, part, 1);
    for (const int by : {1, 2, 4, 8, 16, 32}) {
      a_.vpsrlq(other, mask, by);
      a_.vpor(mask, mask, other);
    }
  };
  const auto follow = [&](bool grows) {
    const auto word_at = [&](int n) { return grows ? n : words_ - 1 - n; };
    for (int n = 0; n < words_; ++n) {
      const int w = word_at(n);
      a_.vmovdqa(ray, x86::ymmword_ptr(row, offset + kBytes * w));
      a_.vpbroadcastq(part, memory(word(i.b, w)));
      a_.vpandn(part, part, ray); // blockers
      if (grows) {
        a_.vpaddq(mask, part, ones);
        a_.vpxor(mask, mask, part);
        a_.vpand(seen(w), mask, ray);
      } else {
        below_highest();
        a_.vpandn(seen(w), mask, ray);
      }
      if (n > 0) a_.vpand(seen(w), seen(w), open);
      a_.vpbroadcastq(last(w), memory(word(i.c, w)));
      a_.vpand(last(w), last(w), seen(w));
      if (n + 1 == words_) break;
      a_.vpcmpeqq(n == 0 ? open : other, part, zero);
      if (n > 0) a_.vpand(open, open, other);
    }
    for (int n = words_ - 1; n >= 0; --n) {
      const int w = word_at(n);
      a_.vmovdqa(part, last(w));
      if (grows) {
        below_highest();
      } else {
        a_.vpaddq(mask, part, ones);
        a_.vpxor(mask, mask, part);
        a_.vpxor(mask, mask, ones); // above the lowest; none without one
      }
      if (n + 1 < words_) a_.vpor(mask, mask, open); // a cell of c has been found further on
      a_.vpand(mask, mask, seen(w));
      a_.vpor(sum(w), sum(w), mask);
      if (n == 0) break;
      a_.vpcmpeqq(other, part, zero);
      a_.vpxor(other, other, ones);
      if (n + 1 == words_)
        a_.vmovdqa(open, other);
      else
        a_.vpor(open, open, other);
    }
    offset += group;
  };
  if (any_grows) follow(true);
  if (any_shrinks) follow(false);
  a_.bind(none);
  for (int w = 0; w < words_; ++w) {
    const Xmm low = sum(w).xmm(), high = other.xmm();
    const Gp found = fresh();
    a_.vextracti128(high, sum(w), 1);
    a_.vpor(low, low, high);
    a_.vpsrldq(high, low, 8);
    a_.vpor(low, low, high);
    a_.vmovq(found, low);
    define(word(i.d, w), found);
  }
  a_.vzeroupper();
}

} // namespace boardwright::runtime::codegen

#endif
