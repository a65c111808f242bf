// Places of nodes in the text of the file that they come from: for findings of random games.
#pragma once

#include "dsl/rule_file.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace boardwright::interpreter {

class TextPlaces {
public:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes

  TextPlaces(const runtime::Program& program, const dsl::RuleFile& file, const dsl::Sources& sources)
      : program_(program), file_(file), sources_(sources) {}

  // The place of an origin in the sources of this load.
  [[nodiscard]] std::optional<dsl::Span> span_of(std::uint32_t origin) const {
    const auto& place = program_.origins[origin];
    const std::string& name = program_.files[place.file];
    for (dsl::FileId file = 0; file < sources_.size(); ++file)
      if (!name.empty() && sources_.name(file) == name) return dsl::Span{file, place.begin, place.end};
    return std::nullopt;
  }
  // The place, if it is in the file itself.
  [[nodiscard]] std::optional<dsl::Span> own_span(runtime::NodeId id) const {
    const auto span = span_of(program_.nodes[id].origin);
    return span && span->file == file_.file ? span : std::nullopt;
  }
  [[nodiscard]] Place place_in_text(runtime::NodeId id) const {
    const auto& origin = program_.origins[program_.nodes[id].origin];
    return {origin.file, origin.begin, origin.end};
  }
  // The place of a span of the file itself, as nodes have it.
  [[nodiscard]] std::optional<Place> place_of(dsl::Span span) const {
    for (std::uint32_t file = 0; file < program_.files.size(); ++file)
      if (program_.files[file] == sources_.name(span.file)) return Place{file, span.begin, span.end};
    return std::nullopt;
  }
  [[nodiscard]] std::string text_of(dsl::Span span) const {
    return std::string(sources_.text(span.file).substr(span.begin, span.end - span.begin));
  }

private:
  const runtime::Program& program_;
  const dsl::RuleFile& file_;
  const dsl::Sources& sources_;
};

} // namespace boardwright::interpreter
