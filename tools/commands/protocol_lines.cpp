#include "tools/commands/protocol_lines.hpp"

#include "tools/console/line_reader.hpp"

#include <utility>

namespace boardwright::tools {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kLineOverhead = 64; // bytes of a line besides its text
constexpr milliseconds kGlance{2};        // how often it is looked whether something has changed

} // namespace

Exit ProtocolLines::run(const std::function<bool(const std::string&)>& take,
                        const std::function<void(const LineToObey&)>& obey) {
  worker_ = std::thread([this, &obey] { work(obey); });
  LineReader reader(kMaxProtocolLineBytes);
  while (!gone_) {
    const auto line = reader.read("");
    if (line && reader.too_long())
      enqueue_for_sure({"", nullptr, reader.longest()});
    else if (!line || !take(*line))
      break;
  }
  finish();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return interrupted() ? Exit::interrupted : Exit::good;
}

void ProtocolLines::say(const std::string& line) {
  const std::lock_guard<std::mutex> lock(speaking_);
  console_.out(line + "\n");
  if (!console_.flush()) gone_ = true;
}

bool ProtocolLines::enqueue(LineToObey line) {
  {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    if (waiting_bytes_ + line.line.size() + kLineOverhead > kMostWaiting) return false;
  }
  return enqueue_for_sure(std::move(line)), true; // nobody else puts lines there
}

void ProtocolLines::enqueue_for_sure(LineToObey line) {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  waiting_bytes_ += line.line.size() + kLineOverhead;
  if (line.going) goings_.push_back(line.going);
  waiting_.push_back(std::move(line));
  arrived_.notify_one();
}

bool ProtocolLines::is_thinking() {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  return !goings_.empty();
}

// Stops what thinks; is there still something that counts?
bool ProtocolLines::is_counting() {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  bool counts = false;
  for (const auto& going : goings_)
    if (going->counts)
      counts = true;
    else
      *going->stop = true;
  return counts;
}

void ProtocolLines::stop() {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  for (const auto& going : goings_) *going->stop = true;
}

void ProtocolLines::drop() {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  for (const auto& going : goings_) going->dropped = true, *going->stop = true;
}

void ProtocolLines::hit() {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  if (goings_.empty()) return;
  Going& going = *goings_.back();
  if (going.time) alarm_.set(steady_clock::now() + *going.time, going.stop);
  going.held = false;
}

std::optional<steady_clock::time_point> ProtocolLines::deadline(Going& going, steady_clock::time_point now,
                                                                milliseconds time) {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  if (!going.held) return now + time;
  going.time = time;
  return std::nullopt;
}

void ProtocolLines::wait_until_wanted(const Going& going) {
  while (going.held && !*going.stop) std::this_thread::sleep_for(kGlance);
}

void ProtocolLines::done(const Going& going) {
  const std::lock_guard<std::mutex> lock(waiting_for_);
  std::erase_if(goings_, [&](const auto& other) { return other.get() == &going; });
}

void ProtocolLines::work(const std::function<void(const LineToObey&)>& obey) {
  try {
    while (const auto line = next()) obey(*line);
  } catch (...) { // there is no memory
    thrown_ = std::current_exception();
    gone_ = true;
  }
}

// Nothing: there will be no more.
std::optional<LineToObey> ProtocolLines::next() {
  std::unique_lock<std::mutex> lock(waiting_for_);
  arrived_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  LineToObey line = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= line.line.size() + kLineOverhead;
  return line;
}

void ProtocolLines::finish() {
  if (!worker_.joinable()) return;
  while (is_counting() && !interrupted() && !gone_) std::this_thread::sleep_for(kGlance);
  stop();
  {
    const std::lock_guard<std::mutex> lock(waiting_for_);
    closed_ = true;
  }
  arrived_.notify_one();
  worker_.join();
  alarm_.call_off();
}

} // namespace boardwright::tools
