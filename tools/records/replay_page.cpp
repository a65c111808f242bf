// Entry point: ReplayPage.
#include "tools/records/replay_page.hpp"

#include "tools/console/xml.hpp"
#include "tools/drawing/svg_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace boardwright::tools {
namespace {

constexpr std::string_view kReplayStyle = R"(
:root { color-scheme: light dark; --faint: #8886; --now: #e8b40055; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { margin: 0 0 .3rem; font-size: 1.5rem; }
dl { margin: 0 0 1rem; display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
dl div { display: flex; gap: .5rem; }
dt { opacity: .7; }
dd { margin: 0; unicode-bidi: isolate; }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
#board { flex: 3 1 22rem; min-width: 0; }
#board svg { display: block; width: 100%; height: auto; max-height: 68vh; }
#told { min-height: 3.2em; margin: .5rem 0; }
#told p { margin: 0; }
#controls { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
#controls[hidden] { display: none; }
#controls button { font: inherit; min-width: 2.6rem; padding: .2rem .5rem; }
#slider { flex: 1 1 8rem; min-width: 6rem; }
#count { min-width: 5em; text-align: right; font-variant-numeric: tabular-nums; }
#moves { flex: 1 1 16rem; min-width: 0; margin: 0; padding: 0; list-style: none; overflow-y: auto;
  position: relative; max-height: 84vh; border: 1px solid var(--faint); border-radius: 6px; }
#moves li { padding: .1rem .7rem; overflow-wrap: anywhere; unicode-bidi: isolate; }
#moves li.now { background: var(--now); }
#moves a { color: inherit; text-decoration: none; display: block; }
#moves a:hover { text-decoration: underline; }
.number { display: inline-block; min-width: 2.6em; opacity: .7; font-variant-numeric: tabular-nums; }
.owner { display: inline-block; width: .7em; height: .7em; border-radius: 50%; border: 1px solid #8888;
  margin-right: .5em; }
.comment { margin: 0 0 .2rem; opacity: .8; font-style: italic; }
.keys { margin: .4rem 0; opacity: .7; font-size: .85rem; }
)";

// The pictures are put together from parts that were escaped when they were made; other text is set as text.
constexpr std::string_view kScript = R"(
'use strict';
(() => {
  const find = id => document.getElementById(id);
  const game = JSON.parse(find('game').textContent);
  const frames = [Uint32Array.from(game.first)];
  for (const change of game.changes) {
    const before = frames[frames.length - 1], now = [];
    let next = 0;
    for (let i = 0; i < change.length; i += 3) {
      for (let kept = 0; kept < change[i]; ++kept) now.push(before[next++]);
      next += change[i + 1];
      now.push(...change[i + 2]);
    }
    now.push(...before.subarray(next));
    frames.push(Uint32Array.from(now));
  }
  const last = frames.length - 1;
  const frame = find('frame'), slider = find('slider'), play = find('play'), list = find('moves');
  const rows = [...list.querySelectorAll('li[data-at]')];
  let at = 0, timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = '\u25b6';
    play.setAttribute('aria-label', 'Play');
  };
  const show = to => {
    const before = at;
    at = Math.max(0, Math.min(last, to));
    frame.innerHTML = Array.from(frames[at].subarray(game.common), i => game.parts[i]).join('');
    slider.value = at;
    find('count').textContent = at + ' / ' + last;
    const row = rows[at];
    rows[before].classList.remove('now');
    rows[before].removeAttribute('aria-current');
    row.classList.add('now');
    row.setAttribute('aria-current', 'step');
    const told = row.cloneNode(true);
    told.querySelectorAll('a').forEach(a => a.replaceWith(...a.childNodes));
    find('told').replaceChildren(...told.childNodes);
    const above = row.offsetTop, below = above + row.offsetHeight;
    if (above < list.scrollTop || below > list.scrollTop + list.clientHeight)
      list.scrollTop = above - list.clientHeight / 3;
    if (at === last) stop();
  };
  const start = () => {
    if (at === last) show(0);
    clearInterval(timer);
    timer = setInterval(() => show(at + 1), Number(find('speed').value));
    play.textContent = '\u2016';
    play.setAttribute('aria-label', 'Pause');
  };
  const go = to => { stop(); show(to); };
  const toggle = () => timer === null ? start() : stop();
  const steps = { first: () => go(0), back: () => go(at - 1), play: toggle, next: () => go(at + 1),
    last: () => go(last) };
  for (const id in steps) find(id).addEventListener('click', steps[id]);
  slider.max = last;
  slider.addEventListener('input', () => go(Number(slider.value)));
  find('speed').addEventListener('change', () => { if (timer !== null) start(); });
  list.addEventListener('click', event => {
    const row = event.target.closest('li[data-at]');
    if (row === null) return;
    event.preventDefault();
    go(Number(row.dataset.at));
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
    const keys = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ' ': 'play' };
    const step = keys[event.key];
    if (step === undefined || (event.key === ' ' && event.target.tagName === 'BUTTON')) return;
    event.preventDefault();
    steps[step]();
  });
  find('controls').hidden = false;
  const asked = /^#move(\d+)$/.exec(location.hash);
  show(asked === null ? 0 : Number(asked[1]));
  // The browser would go to the row of the move, and away from the board.
  if (asked !== null) addEventListener('load', () => setTimeout(() => scrollTo(0, 0)));
})();
)";

constexpr std::string_view kControls = R"(<div id="controls" hidden>
<button id="first" aria-label="To the beginning">«</button>
<button id="back" aria-label="A move back">‹</button>
<button id="play" aria-label="Play">▶</button>
<button id="next" aria-label="A move on">›</button>
<button id="last" aria-label="To the end">»</button>
<input id="slider" type="range" min="0" max="0" value="0" aria-label="Move">
<span id="count"></span>
<select id="speed" aria-label="Speed">
<option value="2000">slow</option><option value="1000" selected>1 a second</option>
<option value="500">2 a second</option><option value="200">fast</option></select>
<p class="keys">Keys: ← → a move, Home End, the space bar plays.</p>
</div>
)";

std::string comment_text(const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments)
    text += fmt::format("<p class=\"comment\">{}</p>\n", xml_text(comment));
  return text;
}

std::string row_text(std::size_t at, const PageStep& step) {
  std::string text = fmt::format("<li data-at=\"{0}\" id=\"move{0}\"><a href=\"#move{0}\">", at);
  if (step.move.empty())
    text += "Beginning";
  else
    text += fmt::format("<span class=\"number\">{}.</span><span class=\"owner\" style=\"background:{}\" "
                        "title=\"{}\"></span>{}: {}",
                        at, step.colour, xml_text(step.player), xml_text(step.player), xml_text(step.move));
  return text + "</a>" + comment_text(step.comments) + "</li>\n";
}

// What ends the element that holds it can't stand in it.
std::string script_data(const nlohmann::json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

// How a list becomes another: how many of its members stay, how many are left out, which ones are put in, and
// so on; those behind all that stay. What is in both and in order stays, as long as nothing changes places.
std::string change_text(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now) {
  std::unordered_map<std::uint32_t, std::size_t> last; // where each was
  for (std::size_t i = 0; i < before.size(); ++i) last[before[i]] = i;
  std::vector<std::string> hunks;
  std::size_t kept = 0, gone = 0, i = 0;
  std::vector<std::uint32_t> added;
  const auto finish = [&] {
    if (gone > 0 || !added.empty())
      hunks.push_back(fmt::format("{},{},[{}]", kept, gone, fmt::join(added, ",")));
    kept = gone = 0;
    added.clear();
  };
  for (const std::uint32_t part : now) {
    const auto place = last.find(part);
    if (place == last.end() || place->second < i) {
      added.push_back(part);
      continue;
    }
    while (before[i] != part) {
      ++gone;
      ++i;
    }
    if (gone > 0 || !added.empty()) finish();
    ++kept;
    ++i;
  }
  gone += before.size() - i;
  finish();
  return fmt::format("[{}]", fmt::join(hunks, ","));
}

} // namespace

void ReplayPage::add_tag(const std::string& name, const std::string& value) {
  tags_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_text(name), xml_text(value));
}

bool ReplayPage::add(const SvgDrawing& drawing, const PageStep& step) {
  constexpr std::size_t kNumberBytes = 6; // of an element's place, with a comma
  Frame frame;
  for (const std::string& element : drawing.elements) {
    const auto [place, is_new] = known_.emplace(element, static_cast<std::uint32_t>(parts_.size()));
    if (is_new) {
      parts_.push_back(element);
      bytes_ += element.size();
    }
    frame.push_back(place->second);
  }
  grow(drawing);
  if (frames_ == 0) {
    first_ = frame;
    common_ = frame.size();
    bytes_ += frame.size() * kNumberBytes;
  } else {
    const std::string change = change_text(latest_, frame);
    changes_ += (frames_ > 1 ? "," : "") + change;
    bytes_ += change.size();
  }
  common_ = std::min(common_, frame.size());
  const auto end = first_.begin() + static_cast<std::ptrdiff_t>(common_);
  common_ =
      static_cast<std::size_t>(std::mismatch(first_.begin(), end, frame.begin()).first - first_.begin());
  latest_ = std::move(frame);
  const std::string row = row_text(frames_++, step);
  list_ += row;
  bytes_ += row.size();
  return bytes_ <= limit_;
}

void ReplayPage::grow(const SvgDrawing& drawing) {
  if (frames_ == 0) size_ = {{}, {}, drawing.left, drawing.top, drawing.right, drawing.bottom};
  size_.left = std::min(size_.left, drawing.left);
  size_.top = std::min(size_.top, drawing.top);
  size_.right = std::max(size_.right, drawing.right);
  size_.bottom = std::max(size_.bottom, drawing.bottom);
}

// The first position, for who has no scripts.
std::string ReplayPage::picture() const {
  std::string text = svg_opening(size_);
  text += svg_rectangle({size_.left, size_.top}, size_.right - size_.left, size_.bottom - size_.top,
                        {"#ffffff", "", 0, 1});
  for (std::size_t i = 0; i < common_; ++i) text += parts_[first_[i]];
  text += "<g id=\"frame\">\n";
  for (std::size_t i = common_; i < first_.size(); ++i) text += parts_[first_[i]];
  return text + "</g>\n</svg>\n";
}

std::string ReplayPage::data() const {
  return fmt::format("{{\"common\":{},\"first\":[{}],\"changes\":[{}],\"parts\":{}}}", common_,
                     fmt::join(first_, ","), changes_, script_data(parts_));
}

std::string ReplayPage::finish(const std::string& result) const {
  if (frames_ == 0) return "";
  const std::string end =
      result.empty() ? "" : fmt::format("<li><strong>{}</strong></li>\n", xml_text(result));
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
      "<dl>\n{2}</dl>\n<main>\n<div id=\"board\">\n",
      xml_text(title_), kReplayStyle, tags_);
  page += picture();
  page += "<div id=\"told\" aria-live=\"polite\"></div>\n";
  page += kControls;
  page += "<noscript><p class=\"keys\">The board shows the moves where scripts are allowed.</p></noscript>\n"
          "</div>\n<ol id=\"moves\" tabindex=\"0\">\n";
  page += list_ + end + "</ol>\n</main>\n<script type=\"application/json\" id=\"game\">" + data() +
          "</script>\n<script>";
  page += kScript;
  page += "</script>\n</body>\n</html>\n";
  return page.size() <= limit_ ? page : "";
}

} // namespace boardwright::tools
