// What takes the time when rules are carried out: where in the rules a thread is, looked at a thousand times
// a second.
//
// A timer interrupts the thread; where native code is then says which of its instructions runs, and so which
// place of the rules (codegen/native_code.hpp). Where native code has called a C++ function, what it called
// it for counts. The figures are of this machine and this run: no verdict goes by them.
#pragma once

#include "runtime/game/rules.hpp"
#include "runtime/model/position.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace boardwright::runtime {

// Of one kind of work: how often the thread was found where.
struct ProfiledWork {
  std::map<std::uint32_t, std::uint64_t> rules; // by origin (Program::origins); 0: of no place in the rules
  std::uint64_t elsewhere = 0;                  // lists and searches themselves, and code that turns share
  [[nodiscard]] std::uint64_t samples() const;
};

struct Profile {
  ProfiledWork listing; // Game::moves, in positions of random games
  ProfiledWork playing; // random games
  // What plays best by itself (`auto`) thinks, in positions of random games; nothing where nobody can.
  std::optional<ProfiledWork> searching;
  bool stopped = false;
};

struct ProfileOptions {
  double seconds = 1; // CPU time of each kind of work
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
};

// Is there native code, and a timer that tells where it is?
[[nodiscard]] bool can_profile();

// Takes about three times `seconds` and uses SIGPROF, of which a process has one: only one thread may ask at
// a time. An error says what is missing, or which rule went wrong.
[[nodiscard]] tl::expected<Profile, std::string> profile(const std::shared_ptr<const Rules>& rules,
                                                         const ProfileOptions& options);

} // namespace boardwright::runtime
