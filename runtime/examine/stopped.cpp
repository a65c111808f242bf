#include "runtime/examine/stopped.hpp"

#include "runtime/reference/observer.hpp"
#include "runtime/reference/walker.hpp"

namespace boardwright::runtime {
namespace {

class LastFailed final : public Observer {
public:
  void began(NodeId id) override { innermost_ = id; }
  void found(const Draft& /*move*/) override {}
  void acted(NodeId id, const Draft& from, bool went_on, bool /*moved*/) override {
    // An action within which nothing else began since is the one that failed.
    if (!went_on && innermost_ == id) at_ = StoppedAt{id, from.here == kNoCell ? kNowhere : from.here};
  }
  void asked(NodeId /*id*/, const Draft& /*in*/, const Value& /*value*/) override {}
  void ended_carrying(const Draft& /*draft*/) override {}
  [[nodiscard]] const std::optional<StoppedAt>& at() const { return at_; }

private:
  NodeId innermost_ = kNoNode; // that has begun last
  std::optional<StoppedAt> at_;
};

} // namespace

std::optional<StoppedAt> stopped_before_fault(const Program& program, const Position& position,
                                              std::uint64_t most_steps) {
  LastFailed last;
  if (Walker(program, most_steps, &last).derive(position, {})) return std::nullopt;
  return last.at();
}

} // namespace boardwright::runtime
