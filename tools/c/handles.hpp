// What stands behind the handles of boardwright.h, and how its functions answer.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/search/player.hpp"
#include "tools/c/boardwright.h"

#include <tl/expected.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace boardwright::c {

// What went wrong.
struct Failure {
  bw_status status = BW_INVALID;
  std::string text;
};
using Answer = tl::expected<void, Failure>;

// Never changes once it is loaded; states and players keep it.
struct RulesData {
  interpreter::Loaded loaded;
  std::string fingerprint;

  [[nodiscard]] const std::shared_ptr<const runtime::Rules>& rules() const { return loaded.rules; }
  [[nodiscard]] const runtime::Program& program() const { return loaded.rules->program(); }
};

// A copy that bw_free frees; null: there is no memory.
[[nodiscard]] char* copy_of(std::string_view text) noexcept;
// Sets `*error`, if there is such a place; makes nothing else, since there may be no memory.
[[nodiscard]] bw_status told(bw_status status, std::string_view text, char** error) noexcept;
[[nodiscard]] bw_status answered(const Answer& answer, char** error) noexcept;
[[nodiscard]] tl::unexpected<Failure> refuse(bw_status status, std::string text);
// That a rule went wrong, with the place in its file.
[[nodiscard]] tl::unexpected<Failure> refuse(const RulesData& rules, const runtime::Fault& fault);
[[nodiscard]] Answer give(const std::string& text, char** to);

// Carries a call out: nothing that is thrown gets into C.
template <class F>
[[nodiscard]] bw_status carry_out(char** error, F&& f) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    return answered(f(), error);
  } catch (const std::bad_alloc&) {
    return told(BW_NO_MEMORY, "there is no memory", error);
  } catch (const std::exception& thrown) {
    return told(BW_FAULT, thrown.what(), error);
  } catch (...) {
    return told(BW_FAULT, "something unknown was thrown", error);
  }
}

} // namespace boardwright::c

struct bw_rules {
  std::shared_ptr<const boardwright::c::RulesData> data;
};

struct bw_state {
  std::shared_ptr<const boardwright::c::RulesData> data;
  boardwright::runtime::Game game;
};

struct bw_player {
  std::shared_ptr<const boardwright::c::RulesData> data;
  std::unique_ptr<boardwright::runtime::search::Player> player;
};

struct bw_stop {
  std::atomic<bool> set = false;
};
