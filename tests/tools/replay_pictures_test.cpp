// replay --svg and --html: a recorded game as pictures, and as a page.
#include "tests/tools/running.hpp"
#include "tools/commands/replay_pictures.hpp"
#include "tools/records/replay_page.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

namespace replay_pictures_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

const std::string kRules =
    "game: Steps & <Leaps>\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
    "pieces: { man: b w }\nsetup: { b: a1, w: c3 }\nturn: from own, step(forward, empty)\n"
    "end:\n  - lose when no move\n";
const std::string kHead = "[Rules \"leaps.yaml\"]\n[Player \"Black: <b>\"]\n";
const std::string kGame = kHead + "; before </script><b> & all\n1. a1-a2\n; well \"played\"\n2. c3-c2\n";

std::string record(const std::string& name, const std::string& text) {
  fs::create_directories(scratch().path("pictures"));
  static const std::string rules = scratch().file("pictures/leaps.yaml", kRules);
  return scratch().file("pictures/" + name, text);
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// What stands between two texts, the first time.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return "";
  const std::size_t end = text.find(to, begin + from.size());
  return text.substr(begin + from.size(), end - begin - from.size());
}

// What the page's script makes of its data: places in `parts`, by frame.
std::vector<std::vector<std::size_t>> frames_of(const nlohmann::json& data) {
  std::vector<std::vector<std::size_t>> frames = {data["first"]};
  for (const auto& change : data["changes"]) {
    const auto before = frames.back();
    auto next = before.begin();
    std::vector<std::size_t> now;
    for (std::size_t i = 0; i < change.size(); i += 3) {
      const auto kept = change[i].get<std::ptrdiff_t>(), gone = change[i + 1].get<std::ptrdiff_t>();
      now.insert(now.end(), next, next + kept);
      next += kept + gone;
      for (const std::size_t added : change[i + 2]) now.push_back(added);
    }
    now.insert(now.end(), next, before.end());
    frames.push_back(now);
  }
  return frames;
}

tools::SvgDrawing drawing(std::vector<std::string> elements) {
  return {std::move(elements), {}, 0, 0, 10, 10};
}

} // namespace

TEST_CASE("a record becomes a picture a move") {
  const std::string file = record("good.txt", kGame), folder = scratch().path("pictures/frames");
  const Run made = run("replay " + file + " --svg " + folder);
  CHECK(made.status == 0);
  CHECK(made.out.empty());
  CHECK(made.err.empty());
  CHECK(files_in(folder) == std::set<std::string>{"000.svg", "001.svg", "002.svg"});
  const std::string first = read(folder + "/000.svg"), second = read(folder + "/001.svg");
  CHECK(first.starts_with("<svg "));
  CHECK(first.ends_with("</svg>\n"));
  CHECK(has(first, ">Steps &amp; &lt;Leaps&gt;</text>"));
  CHECK(has(first, "&lt;/script&gt;"));
  CHECK(has(second, ">1. Black: a1-a2</text>"));
  CHECK(has(second, ">well &quot;played&quot;</text>"));
  CHECK_FALSE(has(first, "#e8b400")); // the last move is marked
  CHECK(has(second, "#e8b400"));
}

TEST_CASE("frames take the place of frames, and of nothing else") {
  const std::string folder = scratch().path("pictures/again");
  const std::string two = record("two.txt", kGame), one = record("one.txt", kHead + "1. a1-a2\n");
  REQUIRE(run("replay " + two + " --svg " + folder).status == 0);
  REQUIRE(run("replay " + one + " --svg " + folder + "/").status == 0);
  CHECK(files_in(folder) == std::set<std::string>{"000.svg", "001.svg"});

  static_cast<void>(scratch().file("pictures/again/letter.txt", "dear"));
  const Run refused = run("replay " + two + " --svg " + folder);
  CHECK(refused.status == 3);
  CHECK(has(refused.err, "other files are there"));
  CHECK(files_in(folder) == std::set<std::string>{"000.svg", "001.svg", "letter.txt"});
  CHECK(run("replay " + one + " --svg /no/such/place/frames").status == 3);
  const Run no_folder = run("replay " + one + " --svg " + one);
  CHECK(no_folder.status == 3);
  CHECK(has(no_folder.err, "it is no folder"));
  CHECK(has(read(one), "a1-a2"));
}

TEST_CASE("of a record that stops on the way nothing is drawn") {
  const std::string bad = record("bad.txt", kHead + "1. a1-a2\n2. c3-c1\n");
  const std::string folder = scratch().path("pictures/none"), page = scratch().path("pictures/none.html");
  const Run made = run("replay " + bad + " --svg " + folder + " --html " + page);
  CHECK(made.status == 1);
  CHECK(has(made.err, "move 2 `c3-c1` is not legal"));
  CHECK_FALSE(fs::exists(folder));
  CHECK_FALSE(fs::exists(page));
}

TEST_CASE("a record becomes a page that needs nothing else") {
  const std::string file = record("page.txt", kGame + "Result: unfinished <i>\n");
  const std::string path = scratch().path("pictures/game.html");
  const Run made = run("replay " + file + " --html " + path);
  CHECK(made.status == 0);
  const std::string page = read(path);
  CHECK(page == run("replay " + file + " --html -").out);
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(has(page, "default-src 'none'")); // nothing is fetched
  const std::string without_name =
      std::string(page).erase(page.find("http://www.w3.org/2000/svg"), std::string("http://").size());
  CHECK_FALSE(has(without_name, "http:"));
  CHECK_FALSE(has(without_name, "https:"));
  // Without scripts: the first position and all moves, with comments.
  const std::string shown = page.substr(0, page.find("<script"));
  CHECK(has(shown, "<svg "));
  CHECK(has(shown, "Black: a1-a2</a>"));
  CHECK(has(shown, "White: c3-c2</a>"));
  CHECK(has(shown, "<p class=\"comment\">well &quot;played&quot;</p>"));
  CHECK(has(shown, "unfinished &lt;i&gt;"));
}

TEST_CASE("the frames of a page are those of its pictures, and text can't break out of it") {
  const std::string page = run("replay " + record("frames.txt", kGame) + " --html -").out;
  CHECK(has(page, "before &lt;/script&gt;&lt;b&gt; &amp; all"));
  CHECK_FALSE(has(page, "</script><b>"));
  CHECK(has(page, "<title>Steps &amp; &lt;Leaps&gt;</title>"));
  CHECK(has(page, "Black: &lt;b&gt;"));
  const auto data =
      nlohmann::json::parse(between(page, "<script type=\"application/json\" id=\"game\">", "</script>"));
  const auto frames = frames_of(data);
  REQUIRE(frames.size() == 3);
  const auto parts = [&](std::size_t frame) {
    std::string text;
    for (std::size_t i = data["common"]; i < frames[frame].size(); ++i)
      text += data["parts"][frames[frame][i]].get<std::string>();
    return text;
  };
  CHECK(between(page, "<g id=\"frame\">\n", "</g>\n</svg>") == parts(0));
  CHECK(parts(0) != parts(1));
  CHECK(has(parts(1), "#e8b400"));
}

TEST_CASE("bytes that are no characters stand in no picture") {
  const std::string file = record("bytes.txt", kHead + "; \xFF\xFE \x01 \xC3\xA9\n1. a1-a2\n");
  const std::string folder = scratch().path("pictures/bytes");
  REQUIRE(run("replay " + file + " --svg " + folder).status == 0);
  const std::string clean = "\uFFFD\uFFFD \uFFFD \u00E9";
  CHECK(has(read(folder + "/000.svg"), ">" + clean + "</text>"));
  CHECK(has(run("replay " + file + " --html -").out, ">" + clean + "</p>"));
}

TEST_CASE("a long game is a small page") {
  const std::string file = scratch().path("pictures/long.txt"), page = scratch().path("pictures/long.html");
  static_cast<void>(record("any.txt", kGame));
  REQUIRE(run("play chess --new --random all --seed 1 --record " + file + " < /dev/null").status == 0);
  REQUIRE(run("replay " + file + " --html " + page).status == 0);
  CHECK(fs::file_size(page) < 2'000'000);
}

TEST_CASE("each frame of a page tells only what differs from the one before") {
  const std::vector<std::vector<std::string>> drawn = {
      {"a", "b", "c", "d"}, {"a", "c", "e", "d"}, {"a", "d", "c", "e"}, {"a"},
      {"a", "x", "x", "b"}, {"a", "x", "x", "b"}, {"a", "b", "x"}};
  tools::ReplayPage page("title");
  for (const auto& elements : drawn) REQUIRE(page.add(drawing(elements), {}));
  const auto data = nlohmann::json::parse(
      between(page.finish(""), "<script type=\"application/json\" id=\"game\">", "</script>"));
  CHECK(data["common"] == 1);
  CHECK(data["changes"][0].dump() == "[1,1,[],1,0,[4]]");
  CHECK(data["changes"][4].dump() == "[]");
  const auto frames = frames_of(data);
  REQUIRE(frames.size() == drawn.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    std::vector<std::string> elements;
    for (const std::size_t part : frames[i]) elements.push_back(data["parts"][part]);
    CHECK(elements == drawn[i]);
  }
}

TEST_CASE("a page has a limit") {
  const auto page = [](std::size_t limit) {
    tools::ReplayPage made("title", limit);
    const bool fits = made.add(drawing({"<g/>\n"}), {}) && made.add(drawing({"<g/>\n", "<a/>\n"}), {});
    return fits ? made.finish("") : std::string();
  };
  const std::size_t size = page(tools::kMaxPageBytes).size();
  REQUIRE(size > 0);
  CHECK(page(size).size() == size);
  CHECK(page(size - 1).empty());
  tools::ReplayPage small("title", 1000);
  CHECK_FALSE(small.add(drawing({std::string(1001, 'x')}), {}));
}

TEST_CASE("frames have a limit, and then none of them stay") {
  const std::string folder = scratch().path("pictures_limit");
  const auto write = [&](std::size_t limit) {
    tools::FrameFolder made(folder, 2, limit);
    CHECK(made.begin().empty());
    for (const char* text : {"12345", "67890"})
      if (const std::string why = made.add(text); !why.empty()) return why;
    return made.keep();
  };
  CHECK(has(write(9), "more than 9 bytes"));
  CHECK_FALSE(fs::exists(folder));
  CHECK(write(10).empty());
  CHECK(read(folder + "/001.svg") == "67890");
  CHECK(has(write(9), "more than 9 bytes"));
  CHECK(read(folder + "/001.svg") == "67890"); // the old ones are still there
}

TEST_CASE("as many digits as the last frame needs") {
  const std::string folder = scratch().path("pictures_digits");
  tools::FrameFolder made(folder, 1001);
  REQUIRE(made.begin().empty());
  REQUIRE(made.add("x").empty());
  REQUIRE(made.keep().empty());
  CHECK(files_in(folder) == std::set<std::string>{"0000.svg"});
}

TEST_CASE("pictures of a record may be seen from the other side, and are no other answer") {
  const std::string file = record("flip.txt", kGame);
  const Run flipped = run("replay " + file + " --flip --at 0");
  CHECK(has(flipped.out, "1  . . b\n2  . . .\n3  w . .\n   c b a\n"));
  CHECK(run("replay " + file + " --flip --html -").out != run("replay " + file + " --html -").out);
  for (const std::string other : {"--moves", "--json", "--at 1"})
    CHECK(run("replay " + file + " --html - " + other).status == 2);
}

} // namespace replay_pictures_test
