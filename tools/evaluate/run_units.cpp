#include "tools/evaluate/run_units.hpp"

#include "runtime/game/thread_group.hpp"
#include "runtime/model/meter.hpp"
#include "tools/console/console.hpp"
#include "tools/console/text_file.hpp"
#include "tools/evaluate/unit_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <mutex>

namespace boardwright::tools {
namespace {

class UnitRunner {
public:
  UnitRunner(const std::vector<Job>& jobs, const RunChoice& choice) : jobs_(jobs), choice_(choice) {
    run_.results.resize(jobs.size());
    // All strengths go on together, so that something is known of each when it is stopped.
    for (std::size_t k = 0; k < jobs.size(); ++k) order_.push_back(k);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return jobs[a].unit.first < jobs[b].unit.first; });
    spent_.resize(jobs.size());
    if (account_ != nullptr) affordable_ = account_->left();
  }

  UnitsRun run() {
    if (!choice_.folder.empty() || choice_.kept != nullptr) read_all();
    runtime::ThreadGroup threads([this] { over_ = true; });
    for (int k = 1; k < choice_.threads; ++k) // where the system gives no more, it takes longer
      if (!threads.start([this] { work(); })) break;
    work();
    threads.join();
    if (account_ != nullptr && !stopped()) pay();
    keep_all();
    run_.stopped = stopped();
    return std::move(run_);
  }

private:
  [[nodiscard]] static runtime::Meter* account_of_command() {
    runtime::Meter* const account = runtime::Meter::current();
    return account == nullptr || account->is_lifted() ? nullptr : account;
  }
  [[nodiscard]] bool stopped() const { return choice_.stop != nullptr && choice_.stop->load(); }
  [[nodiscard]] std::string path_of(const Json& unit) const {
    return (std::filesystem::path(choice_.folder) / unit_file_name(unit)).string();
  }

  void read_all() {
    for (std::size_t k = 0; k < jobs_.size() && !stopped(); ++k) {
      const Json unit = unit_json(*jobs_[k].variant, jobs_[k].unit);
      run_.results[k] = known(unit);
      if (run_.results[k]) ++run_.found;
    }
  }

  [[nodiscard]] std::optional<UnitResult> known(const Json& unit) const {
    if (choice_.kept != nullptr)
      if (const auto found = choice_.kept->find(unit_file_name(unit)); found != choice_.kept->end())
        return found->second;
    if (choice_.folder.empty()) return std::nullopt;
    const std::string path = path_of(unit);
    if (std::error_code error; !std::filesystem::exists(path, error)) return std::nullopt;
    const auto text = read_text_file(path, kMostUnitBytes);
    return text ? result_in(*text, unit) : std::nullopt;
  }

  void keep_all() {
    for (std::size_t k = 0; k < jobs_.size() && choice_.kept != nullptr; ++k)
      if (run_.results[k] && !run_.results[k]->partial)
        choice_.kept->emplace(unit_file_name(unit_json(*jobs_[k].variant, jobs_[k].unit)), *run_.results[k]);
  }

  void work() {
    for (;;) {
      const std::size_t place = next_.fetch_add(1);
      if (place >= jobs_.size() || over_ || spent_all_ || stopped()) return;
      const std::size_t k = order_[place];
      if (run_.results[k] || k % choice_.shards != choice_.shard) continue;
      do_one(k);
    }
  }

  // What the account can still pay for, as far as is known: of the units before this one some may be going
  // on.
  [[nodiscard]] std::uint64_t left_for(std::size_t k) {
    const std::lock_guard lock(mutex_);
    std::uint64_t left = affordable_;
    for (const std::size_t other : order_) {
      if (other == k) break;
      left -= std::min(left, spent_[other]);
    }
    return left;
  }

  [[nodiscard]] UnitDone do_with(std::size_t k, std::uint64_t steps) {
    runtime::Meter meter(steps, choice_.stop);
    UnitDone done;
    {
      const runtime::Meter::Use use(account_ == nullptr ? nullptr : &meter);
      done = carry_out(*jobs_[k].variant, jobs_[k].unit, choice_.stop);
    }
    const std::lock_guard lock(mutex_);
    spent_[k] = std::max<std::uint64_t>(meter.spent(), 1);
    if (account_ != nullptr && meter.is_spent()) spent_all_ = true;
    return done;
  }

  // Several threads may have gone farther than the account reaches. The unit that it doesn't pay in full is
  // done once more with what there is for it.
  void pay() {
    if (run_.fault || !run_.unwritten.empty()) return;
    bool all = true;
    for (const std::size_t k : order_) {
      if (spent_[k] == 0 && (run_.results[k] || k % choice_.shards != choice_.shard)) continue; // from a file
      const std::uint64_t left = account_->left();
      if (all && spent_[k] > 0 && spent_[k] < left) {
        account_->spend(spent_[k]);
        continue;
      }
      if (all && choice_.threads > 1 && left > 0) {
        auto done = do_with(k, left);
        run_.results[k] = done ? std::move(*done) : std::nullopt;
      } else if (!all || choice_.threads > 1) {
        run_.results[k].reset();
      }
      all = false;
    }
    if (all) return;
    run_.gave_up = true;
    account_->spend(account_->left());
  }

  void do_one(std::size_t k) {
    auto done = do_with(k, account_ == nullptr ? 0 : left_for(k));
    if (done && !*done) return;
    std::string unwritten;
    const bool whole = done && !(*done)->partial;
    if (whole && !choice_.folder.empty()) {
      const Json unit = unit_json(*jobs_[k].variant, jobs_[k].unit);
      const std::string path = path_of(unit), other = what_stands_at(path);
      if (!other.empty()) // whoever writes to a FIFO waits for a reader
        unwritten = fmt::format("can't write `{}`: it is {}", printable(path), other);
      else if (const auto written = write_text_file(path, unit_file_text(unit, **done)); !written)
        unwritten = written.error();
    }
    const std::lock_guard lock(mutex_);
    if (!done && !run_.fault) run_.fault = {jobs_[k].variant, std::move(done.error())};
    if (run_.unwritten.empty()) run_.unwritten = std::move(unwritten);
    if (run_.fault || !run_.unwritten.empty()) over_ = true;
    if (!done) return;
    run_.results[k] = std::move(**done);
    if (whole) ++run_.done;
    if (choice_.progress) choice_.progress(run_.found + run_.done, jobs_.size());
  }

  const std::vector<Job>& jobs_;
  const RunChoice& choice_;
  std::vector<std::size_t> order_; // in which they are done
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> over_ = false, spent_all_ = false;
  runtime::Meter* const account_ = account_of_command();
  std::uint64_t affordable_ = 0;
  std::mutex
      mutex_; // of what follows, once the threads have begun; each result has one thread that writes it
  UnitsRun run_;
  std::vector<std::uint64_t> spent_; // steps, by job; 0: it wasn't carried out
};

} // namespace

UnitsRun run_units(const std::vector<Job>& jobs, const RunChoice& choice) {
  return UnitRunner(jobs, choice).run();
}

} // namespace boardwright::tools
