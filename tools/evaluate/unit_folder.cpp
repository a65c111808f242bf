#include "tools/evaluate/unit_folder.hpp"

#include "runtime/model/fingerprint.hpp"
#include "tools/console/console.hpp"
#include "tools/console/text_file.hpp"
#include "tools/evaluate/unit_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace boardwright::tools {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kUnitEnd = ".unit.json", kPlanEnd = ".plan.json";

bool ends_with(const std::string& name, std::string_view end) {
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// "varied:3 against varied:1, games 5 to 8, of rules 0123456789abcdef"
std::string unit_in_words(const Json& unit) {
  const auto word = [&](const char* key) {
    return unit.contains(key) && unit[key].is_string() ? unit[key].get<std::string>() : "?";
  };
  const auto number = [&](const char* key) {
    return unit.contains(key) && unit[key].is_number_unsigned() ? unit[key].get<std::uint64_t>() : 0;
  };
  if (word("kind") == "coverage") return printable("the use of the rules " + word("rules"));
  if (word("kind") == "playouts")
    return printable(fmt::format("random games {} to {}, of rules {}", number("first") + 1,
                                 number("first") + number("count"), word("rules")));
  if (word("kind") == "match")
    return printable(fmt::format("pairs of games {} to {} of a match, of rules {}", number("first") + 1,
                                 number("first") + number("count"), word("rules")));
  return printable(fmt::format("{} against {}, games {} to {}, of rules {}", word("strong"), word("weak"),
                               number("first") + 1, number("first") + number("count"), word("rules")));
}

class Merger {
public:
  explicit Merger(std::string into) : into_(std::move(into)) {}

  // "" or what is wrong.
  std::string add(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      names.push_back(it->path().filename().string());
    if (error) return fmt::format("can't read the folder `{}`: {}", printable(folder), error.message());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (!ends_with(name, kUnitEnd) && !ends_with(name, kPlanEnd)) continue;
      const auto text = read_text_file((fs::path(folder) / name).string(), kMostUnitBytes);
      if (!text) return text.error();
      const std::string wrong =
          ends_with(name, kUnitEnd) ? add_unit(name, *text, folder) : add_plan_file(name, *text);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  tl::expected<MergedUnits, std::string> merged() {
    if (versions_.size() > 1)
      return tl::unexpected(fmt::format("the units are of several versions, whose games may differ: {}",
                                        fmt::join(versions_, ", ")));
    if (std::string wrong = write_all(); !wrong.empty()) return tl::unexpected(std::move(wrong));
    MergedUnits all;
    all.units = texts_.size();
    all.duplicates = duplicates_;
    for (const auto& [name, plan] : plans_) all.plans.push_back(state_of(plan));
    std::sort(all.plans.begin(), all.plans.end(),
              [](const PlanState& a, const PlanState& b) { return a.command < b.command; });
    return all;
  }

private:
  std::string add_unit(const std::string& name, const std::string& text, const std::string& folder) {
    const Json json = Json::parse(text, nullptr, false);
    const std::string path = printable((fs::path(folder) / name).string());
    if (!json.is_object() || !json.contains("unit") || unit_file_name(json["unit"]) != name ||
        !result_in(text, json["unit"]))
      return fmt::format(
          "`{}` is not the result of the unit that its name says, or was changed since; without "
          "it the unit is done again",
          path);
    const Json& unit = json["unit"];
    versions_.insert(printable(unit.contains("version") ? to_text(unit["version"]) : "?"));
    const auto [place, fresh] = texts_.emplace(name, text);
    if (fresh) return "";
    ++duplicates_;
    return place->second == text
               ? ""
               : fmt::format("`{}` and another folder have different results of one unit", path);
  }

  std::string add_plan_file(const std::string& name, const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("units") || !json["units"].is_array() ||
        !json.contains("command") || !json["command"].is_string())
      return fmt::format("`{}` is no plan", printable(name));
    plans_.emplace(name, json);
    if (!into_.empty()) plan_texts_.emplace(name, text);
    return "";
  }

  [[nodiscard]] PlanState state_of(const Json& plan) const {
    PlanState state{plan["command"].get<std::string>(), plan["units"].size(), {}};
    for (const Json& unit : plan["units"])
      if (texts_.find(unit_file_name(unit)) == texts_.end()) state.missing.push_back(unit_in_words(unit));
    return state;
  }

  std::string write_all() {
    if (into_.empty()) return "";
    std::error_code error;
    fs::create_directories(into_, error);
    for (const auto* files : {&texts_, &plan_texts_})
      for (const auto& [name, text] : *files) {
        const std::string path = (fs::path(into_) / name).string();
        if (fs::exists(path, error)) continue;
        if (const auto written = write_text_file(path, text); !written) return written.error();
      }
    return "";
  }

  std::string into_;
  std::map<std::string, std::string> texts_, plan_texts_; // by file name
  std::map<std::string, Json> plans_;
  std::set<std::string> versions_;
  std::size_t duplicates_ = 0;
};

} // namespace

std::string write_plan(const std::string& folder, const std::vector<Job>& jobs, const std::string& command) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error)) return fmt::format("can't make the folder `{}`", printable(folder));
  Json units = Json::array();
  for (const Job& job : jobs) units.push_back(unit_json(*job.variant, job.unit));
  const Json plan = {{"plan", kUnitFormat}, {"command", command}, {"units", units}};
  std::string name = unit_file_name(plan);
  name.replace(name.size() - kUnitEnd.size(), kUnitEnd.size(), kPlanEnd);
  const std::string path = (fs::path(folder) / name).string();
  if (fs::exists(path, error)) return "";
  const auto written = write_text_file(path, to_text(plan) + "\n");
  return written ? "" : written.error();
}

tl::expected<MergedUnits, std::string> merge_units(const std::vector<std::string>& folders,
                                                   const std::string& into) {
  Merger merger(into);
  std::vector<std::string> all = folders;
  std::error_code error;
  if (!into.empty() && fs::is_directory(into, error) && std::find(all.begin(), all.end(), into) == all.end())
    all.push_back(into);
  for (const std::string& folder : all)
    if (std::string wrong = merger.add(folder); !wrong.empty()) return tl::unexpected(std::move(wrong));
  return merger.merged();
}

} // namespace boardwright::tools
