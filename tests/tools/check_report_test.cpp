// What check tells other programs: JSON, SARIF, JUnit's XML, one line a finding; standard input; watching.
#include "tools/console/xml.hpp"
#include "tools/reports/check_report.hpp"

#include "dsl/codes.hpp"
#include "tests/tools/running.hpp"
#include "tools/console/watch.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace check_report_test {

using namespace boardwright::tests;
using boardwright::tools::uri_of;
using boardwright::tools::xml_text;
using nlohmann::json;

namespace {

const std::string kGood = "game: Still\nplayers: [A, B]\nboard: { squares: 3 by 3 }\npieces: { man: a b }\n"
                          "turn: pass\n";
const std::string kFailing = kGood + "tests:\n  - { name: one, moves: pass }\n"
                                     "  - { name: 'two <&> \"x\"', perft: [2] }\n";
const std::string kWarned = kGood + "tests:\n  - name: idle\n";
const std::string kBroken = "game: A\nturn: step(forwad)\n";

std::string file(const std::string& name, const std::string& text) { return scratch().file(name, text); }

// Well-formed? Elements must close in order, and what they hold must be escaped. Gives the names of the
// elements in the order in which they begin.
std::vector<std::string> elements_of(const std::string& xml) {
  std::vector<std::string> all, open;
  for (std::size_t at = xml.find("?>") + 2; at < xml.size(); ++at) {
    REQUIRE(xml[at] != '>');
    if (xml[at] == '&') REQUIRE(xml.find(';', at) - at < 7);
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.front() == '/') {
      REQUIRE_FALSE(open.empty());
      REQUIRE(tag.substr(1) == open.back());
      open.pop_back();
    } else {
      REQUIRE(tag.find('<') == std::string::npos);
      REQUIRE(std::count(tag.begin(), tag.end(), '"') % 2 == 0);
      open.push_back(tag.substr(0, tag.find(' ')));
      all.push_back(open.back());
    }
    at = end;
  }
  REQUIRE(open.empty());
  return all;
}

} // namespace

TEST_CASE("one line for each finding") {
  const std::string failing = file("failing.yaml", kFailing), warned = file("warned.yaml", kWarned);
  const Run bad = run("check --allow all --format line " + failing + " " + warned);
  CHECK(bad.status == 1);
  CHECK(bad.out == failing + ":8:36: error: perft 1 is 1, but the file says 2 [test]\n" + warned +
                       ":7:11: warning: the test `idle` expects nothing [empty-test]\n");
  CHECK(bad.err.empty());
  const Run warning = run("check --allow all --format line " + warned);
  CHECK(warning.status == 0);
  const Run broken =
      run("check --allow all --format line " + file("typo.yaml", kGood + "end: [win when forwad = 1]\n"));
  CHECK(has(broken.out, "unknown name `forwad`; did you mean `forward`? [unknown-name]\n"));
}

TEST_CASE("a report in SARIF has what the standard requires") {
  const std::string failing = file("failing.yaml", kFailing), broken = file("broken.yaml", kBroken);
  const std::string odd = file("odd #1%é.yaml", kWarned);
  const Run report = run("check --allow all --format sarif " + failing + " " + broken + " '" + odd + "'");
  CHECK(report.status == 1);
  const json sarif = json::parse(report.out);
  CHECK(sarif["version"] == "2.1.0");
  REQUIRE(sarif["runs"].size() == 1);
  const json& one = sarif["runs"][0];
  const json& rules = one["tool"]["driver"]["rules"];
  CHECK(one["tool"]["driver"]["name"] == "boardwright");
  CHECK(rules.size() == boardwright::dsl::kCodes.size());
  CHECK(one["invocations"][0]["executionSuccessful"] == true);
  CHECK(one["columnKind"] == "unicodeCodePoints");
  REQUIRE(one["results"].size() > 3);
  for (const json& result : one["results"]) {
    INFO(result);
    CHECK_FALSE(result["message"]["text"].get<std::string>().empty());
    CHECK((result["level"] == "error" || result["level"] == "warning"));
    CHECK(rules.at(result["ruleIndex"].get<std::size_t>())["id"] == result["ruleId"]);
    const json& place = result["locations"].at(0)["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"].get<std::string>().find("file:///") == 0);
    const json& region = place["region"];
    CHECK(region["startLine"].get<int>() >= 1);
    CHECK(region["startColumn"].get<int>() >= 1);
    CHECK(region["endLine"] >= region["startLine"]);
    CHECK((region["endLine"] > region["startLine"] || region["endColumn"] >= region["startColumn"]));
  }
  const json& last = one["results"].back();
  CHECK(last["ruleId"] == "empty-test");
  CHECK(last["level"] == "warning");
  CHECK(has(last["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(),
            "odd%20%231%25%C3%A9.yaml"));
  const Run unread = run("check --allow all --format sarif nosuchfile.yaml");
  CHECK(unread.status == 3);
  CHECK(json::parse(unread.out)["runs"][0]["invocations"][0]["executionSuccessful"] == false);
}

TEST_CASE("a path becomes the reference of a URI") {
  CHECK(uri_of("games/my-game_1.yaml") == "games/my-game_1.yaml");
  CHECK(uri_of("/a b") == "file:///a%20b");
  CHECK(uri_of("a:b?#%") == "a%3Ab%3F%23%25"); // no scheme, no query
  CHECK(uri_of("<stdin>") == "%3Cstdin%3E");
  CHECK(uri_of("\xFF\n") == "%FF%0A");
}

TEST_CASE("a report in JUnit's XML is well-formed, and counts what failed") {
  const std::string failing = file("failing.yaml", kFailing), broken = file("broken.yaml", kBroken);
  const Run report = run("check --allow all --format junit " + failing + " " + broken);
  CHECK(report.status == 1);
  const auto elements = elements_of(report.out);
  CHECK(elements == std::vector<std::string>{"testsuites", "testsuite", "testcase", "system-out", "testcase",
                                             "testcase", "failure", "testsuite", "testcase", "error"});
  CHECK(has(report.out, "<testsuites name=\"boardwright check\" tests=\"4\" failures=\"1\" errors=\"1\""));
  CHECK(has(report.out, "name=\"two &lt;&amp;&gt; &quot;x&quot;\""));
  CHECK(has(report.out, "<failure message=\"perft 1 is 1, but the file says 2\" type=\"test\">"));
  CHECK(has(report.out, "see: boardwright perft --depth 1 --divide ")); // the board and more stand before it
  const Run warned = run("check --allow all --format junit " + file("warned.yaml", kWarned));
  CHECK(warned.status == 0);
  CHECK(elements_of(warned.out) ==
        std::vector<std::string>{"testsuites", "testsuite", "testcase", "system-out", "testcase"});
}

TEST_CASE("text is made fit for XML") {
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(xml_text("plain é 漢 𝄞") == "plain é 漢 𝄞");
  CHECK(xml_text("<a b=\"c\" d='e'>&amp;]]>") == "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;amp;]]&gt;");
  CHECK(xml_text("a\nb\tc\rd") == "a&#10;b&#9;c&#13;d");
  CHECK(xml_text(std::string("\0\x1b", 2)) == replaced + replaced);
  CHECK(xml_text("\x7F") == "\x7F"); // allowed by XML 1.0
  CHECK(xml_text("\xC3(") == replaced + "(");
  CHECK(xml_text("\xC0\xAF") == replaced + replaced);                               // overlong
  CHECK(xml_text("\xE0\x80\xAF") == replaced + replaced + replaced);                // overlong
  CHECK(xml_text("\xED\xA0\x80") == replaced + replaced + replaced);                // a surrogate
  CHECK(xml_text("\xEF\xBF\xBE") == replaced + replaced + replaced);                // U+FFFE is no character
  CHECK(xml_text("\xEF\xBF\xBD") == replaced);                                      // but U+FFFD is
  CHECK(xml_text("\xF4\x90\x80\x80") == replaced + replaced + replaced + replaced); // beyond Unicode
  CHECK(xml_text("\xF0\x9D\x84") == replaced + replaced + replaced);                // cut off
}

TEST_CASE("a file's name with odd bytes does no harm") {
  const std::string odd = file("a\"<\xFF>\n'.yaml", kBroken.substr(0, 8));
  const std::string quoted = "\"$(printf '" + scratch().path("") + "a\\042<\\377>\\n\\047.yaml')\"";
  CHECK(json::parse(run("check --allow all --format sarif " + quoted).out)["runs"][0]["results"].size() >= 1);
  CHECK(json::parse(run("check --allow all --json " + quoted).out)["ok"] == false);
  CHECK(elements_of(run("check --allow all --format junit " + quoted).out).size() == 4);
  const Run lines = run("check --allow all --format line " + quoted);
  CHECK(lines.status == 1);
  CHECK(std::count(lines.out.begin(), lines.out.end(), '\n') ==
        static_cast<std::ptrdiff_t>(
            json::parse(run("check --allow all --json " + quoted).out)["files"][0]["diagnostics"].size()));
}

TEST_CASE("a file is read from standard input") {
  const std::string failing = file("failing.yaml", kFailing);
  const Run plain = run("check --allow all - < " + failing);
  CHECK(plain.status == 1);
  CHECK(has(plain.out, "<stdin>: 2 tests, 1 failed; looked at "));
  const Run named = run("check --allow all - --name here/mygame.yaml --format line < " + failing);
  CHECK(has(named.out, "here/mygame.yaml:8:36: error: "));
  const std::string base = file("base.yaml", kGood);
  const std::string beside = scratch().path("variant.yaml");
  const Run variant =
      run("check --allow all - --name " + beside + " <<'END'\nextends: base\ngame: Other\nEND\n");
  CHECK(variant.status == 0);
  CHECK(run("check --allow all - < /dev/null").status == 1);
  CHECK(run("check --allow all - < /").status == 3);
  CHECK(run("check --allow all - - < /dev/null").status == 2);
  CHECK(run("check --allow all - --watch < /dev/null").status == 2);
  CHECK(run("check --allow all --name x.yaml " + base).status == 2);
}

TEST_CASE("the format is one of those that there are") {
  const Run wrong = run("check --format xml x.yaml");
  CHECK(wrong.status == 2);
  CHECK(has(wrong.err, "`xml` is none of text, json, sarif, junit and line"));
  CHECK(run("check --allow all --format line --json x.yaml").status == 2);
  const std::string warned = file("warned.yaml", kWarned);
  for (const char* format : {"text", "json", "sarif", "junit", "line"})
    CHECK(run("check --allow all --format " + std::string(format) + " " + warned).status ==
          0); // warnings alone
}

// The shell changes a file once the first check is done, and ends the program once the second one is: no time
// decides, only how long a lost cause is waited for.
TEST_CASE("check --watch checks again when a file changes, an extended one too") {
  const std::string base = file("watched_base.yaml", kGood);
  const std::string variant = file("watched.yaml", "extends: watched_base\ngame: Other\n");
  const std::string out = scratch().path("watch_out"), script = R"sh(
    > OUT; PROGRAM check --no-games VARIANT --watch > OUT 2>&1 &
    pid=$!
    await() { i=0; while [ "$(grep -c "$1" OUT)" -lt "$2" ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done; }
    await 'waiting for changes' 1
    echo 'turn: [' >> BASE
    await 'waiting for changes' 2
    kill -INT $pid
    wait $pid
    echo "status $?"
  )sh";
  std::string filled = script;
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"OUT", out}, {"PROGRAM", "'" + program_path() + "'"}, {"VARIANT", variant}, {"BASE", base}})
    for (std::size_t at; (at = filled.find(key)) != std::string::npos;) filled.replace(at, key.size(), value);
  const std::string path = file("watch.sh", filled);
  FILE* pipe = popen(("sh " + path).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string said;
  for (int c; (c = fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  pclose(pipe);
  CHECK(said == "status 130\n");
  const std::string text = read(out);
  CHECK(has(text, variant + ": no tests\n"));
  CHECK(has(text, "\n" + base + " has changed\n"));
  CHECK(has(text, variant + ": does not load\n"));
}

TEST_CASE("check tells the same in the order of the files, however many are checked at a time") {
  std::string files;
  for (const char* name : {"one", "two", "three", "four", "five"})
    files += " " + file(std::string(name) + ".yaml", name[0] == 't' ? kWarned : kGood);
  files += " nosuchfile.yaml " + file("six.yaml", kGood + "end: [win when forwad = 1]\n");
  for (const std::string form : {"", "--json ", "--format line ", "--format sarif "}) {
    INFO(form);
    const Run one = run("check --no-games " + form + "--jobs 1" + files);
    CHECK(one.status == 3);
    const Run other = run("check --no-games " + form + "--jobs 4" + files);
    if (form != "--json ") CHECK(other.out == one.out); // JSON has the seconds that tests took
    CHECK(other.err == one.err);
  }
  CHECK(run("check --jobs 0" + files).status == 2);
}

TEST_CASE("the last line counts what was told while a file was read, too") {
  CHECK(has(run("check --no-games " + file("warned.yaml", kWarned)).out, ": 1 test, passed, 2 warnings\n"));
}

TEST_CASE("a finding of random games tells the seed") {
  const std::string endless = file("endless.yaml", "game: E\nplayers: [A, B]\nboard: { squares: 3 by 3 }\n"
                                                   "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\n"
                                                   "turn: from own, step(all, empty)\n");
  CHECK(has(run("check --seed 7 " + endless).out, ", 1 note; looked at "));
  CHECK(has(run("check --seed 7 " + endless).out, " (seed 7)\n"));
  CHECK(json::parse(run("check --json --seed 7 " + endless).out)["seed"] == 7);
  CHECK_FALSE(json::parse(run("check --json --no-games " + endless).out).contains("seed"));
}

TEST_CASE("every form says how much was looked at, and an effort looks at more") {
  const std::string quick = file(
      "quick.yaml", "game: Q\nplayers: [A, B]\nboard: { squares: 3 by 3 }\npieces: { man: w b }\n"
                    "setup: { w: a1, b: c3 }\nturn: from own, step(all, empty)\nend: [draw when ply = 20]\n");
  const auto looked = [&](const std::string& more) {
    return json::parse(run("check --json " + more + quick).out)["files"][0]["looked_at"];
  };
  const json once = looked(""), twice = looked("--effort 2 ");
  CHECK(once["games"] > 100);
  CHECK(once["positions"] > 1000);
  CHECK(once["rules"] == 780);
  CHECK(once["rules_in_part"] == 0);
  CHECK(twice["games"] > once["games"]);
  CHECK(twice["rules"] == 1565);
  CHECK(looked("--effort 2 ") == twice);
  const std::string text = "looked at ";
  CHECK(has(run("check " + quick).out, text));
  CHECK_FALSE(has(run("check --no-games " + quick).out, text));
  CHECK(has(run("check --format junit " + quick).out, text));
  const json sarif = json::parse(run("check --format sarif " + quick).out);
  const json& told = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  REQUIRE(told.size() == 1);
  CHECK(has(told[0]["message"]["text"].get<std::string>(), text));
  CHECK(run("check --effort 0 " + quick).status == 2);
}

} // namespace check_report_test
