// What a player knows of a game, for people and as JSON.
#pragma once

#include "runtime/model/program.hpp"
#include "runtime/sight/knowledge.hpp"
#include "tools/console/json.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// The present position as he sees it.
[[nodiscard]] const runtime::sight::Seen& seen_now(const runtime::sight::Knowledge& knowledge);

// A line for the beginning, and one for each move: what he read of it, and what he sees then, if that is new.
[[nodiscard]] std::vector<std::string> lines_known(const runtime::Program& program,
                                                   const runtime::sight::Knowledge& knowledge);

// {"text": …, "cells": {"a1": "w"}, "dark": ["c1"], "covered": ["b1"]}: a covered piece has its owner's name
// in its letter's place.
[[nodiscard]] Json seen_json(const runtime::Program& program, const runtime::sight::Seen& seen);

} // namespace boardwright::tools
