// sweep: variants, wishes, and which is best.
#include "tests/tools/running.hpp"
#include "tools/evaluate/sweep.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace sweep_test {

using namespace boardwright::tests;
using namespace boardwright::tools;
using nlohmann::json;

TEST_CASE("values of a sweep: ranges, lists, both; what is wrong is said") {
  using Values = std::vector<std::string>;
  CHECK(values_in("7..9") == Values{"7", "8", "9"});
  CHECK(values_in("true,false") == Values{"true", "false"});
  CHECK(values_in("5,7..8,lost") == Values{"5", "7", "8", "lost"});
  CHECK(values_in("-1..1") == Values{"-1", "0", "1"});
  for (const char* wrong : {"", "5,", "9..7", "1..x", "1..100000000"}) CHECK_FALSE(values_in(wrong));
  const auto all = combinations_of({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});
  REQUIRE(all.size() == 6);
  CHECK(all[1] == boardwright::interpreter::Settings{{"a", "1"}, {"b", "y"}});
  CHECK(combinations_of({}).size() == 1);
}

TEST_CASE("wishes: between, below, above, in per cent or not; how far a game is from them") {
  const auto wishes = read_wishes("advantage 48 .. 52 %, draws < 5 %, length >= 20");
  REQUIRE(wishes);
  REQUIRE(wishes->size() == 3);
  CHECK((*wishes)[0].low == Approx(0.48));
  CHECK((*wishes)[0].high == Approx(0.52));
  CHECK((*wishes)[1].high == Approx(0.05));
  CHECK((*wishes)[2].low == 20);
  for (const char* wrong :
       {"", "beauty > 3", "advantage", "draws 9 .. 5 %", "draws < x", "advantage 48 .. 52 %,"})
    CHECK_FALSE(read_wishes(wrong));
  Evaluation fair;
  for (const char* id : {"advantage", "draws"})
    fair.measures.push_back({id, id, true, Estimate{0.5, 0.49, 0.51}, "", "", "", ""});
  CHECK(fulfilment_of({{"advantage", 0.48, 0.52}}, fair).distance == 0);
  CHECK(fulfilment_of({{"advantage", 0.48, 0.52}}, fair).sure);
  CHECK_FALSE(fulfilment_of({{"advantage", 0.495, 0.52}}, fair).sure);
  CHECK(fulfilment_of({{"draws", 0, 0.3}}, fair).distance == Approx(2));
  CHECK_FALSE(fulfilment_of({{"length", 0, 3}}, fair).known);
}

TEST_CASE("sweep: the product of options, as text, CSV, JSON and a page; the best is told") {
  const std::string wanted = "sweep breakthrough --set columns=2,3 --set rows=5,6 --games 8 --strengths "
                             "random,varied:1 --want 'length > 14' ";
  const Run csv = run(wanted + "--csv");
  CHECK(csv.status == 0);
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 5);
  CHECK(has(csv.out, "file,game,columns,rows,games,advantage,advantage_low,advantage_high,"));
  const std::string header = csv.out.substr(0, csv.out.find('\r'));
  for (std::size_t begin = 0; begin < csv.out.size();) { // no field of these has a comma
    const std::size_t end = csv.out.find("\r\n", begin);
    const std::string line = csv.out.substr(begin, end - begin);
    CHECK(std::count(line.begin(), line.end(), ',') == std::count(header.begin(), header.end(), ','));
    begin = end + 2;
  }
  const Run answer = run(wanted + "--json --threads 3");
  CHECK(answer.out == run(wanted + "--json").out);
  const json sweep = json::parse(answer.out);
  CHECK(sweep["variants"].size() == 4);
  CHECK(sweep["variants"][3]["settings"]["columns"] == "3");
  CHECK(sweep["variants"][3]["settings"]["rows"] == "6");
  const std::size_t best = sweep["best"].get<std::size_t>();
  for (const json& one : sweep["variants"])
    CHECK(one["wanted"]["distance"] >= sweep["variants"][best]["wanted"]["distance"]);
  const Run text = run(wanted);
  CHECK(has(text.out, "Breakthrough, columns 2, rows 5"));
  CHECK((has(text.out, "best for `length > 14`: ") || has(text.out, "nearest to `length > 14`: ")));
  const Run page = run(wanted + "--html -");
  CHECK(has(page.out, "how far from what is wanted"));
  CHECK_FALSE(has(page.out, "nan"));
}

TEST_CASE("sweep: games are added until it is known well enough, the same on any number of threads") {
  const std::string wanted =
      "sweep breakthrough --set columns=2,4 --set rows=5 --games 8 --strengths random --until 12% --json";
  const Run one = run(wanted), two = run(wanted + " --threads 2");
  CHECK(one.out == two.out);
  const json told = json::parse(one.out);
  for (const json& variant : told["variants"]) {
    const json& first = variant["evaluation"]["measures"]["advantage"];
    CHECK(first["high"].get<double>() - first["low"].get<double>() <= 0.24);
    CHECK(variant["evaluation"]["games_of_each"] > 8);
  }
}

TEST_CASE("sweep: what is wrong on the command line") {
  for (const char* wrong :
       {"breakthrough --set columns=9..2", "breakthrough --want beauty", "breakthrough --until 99",
        "breakthrough --until 5 --units x --shard 1/2", "breakthrough --on parallel:4",
        "breakthrough --csv --json", "breakthrough --set width=3"})
    CHECK(run(std::string("sweep ") + wrong).status == 2);
}

} // namespace sweep_test
