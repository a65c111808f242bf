// What operations mean, where more than one file asks: each is a function of the walk, its node and the
// draft. The others stand in unnamed namespaces of walker_values.cpp, walker_actions.cpp, walker_lists.cpp
// and walker_loops.cpp.
#pragma once

#include "runtime/reference/walker_walk.hpp"

#include <vector>

namespace boardwright::runtime::reference {

void write_gone(Walk& w, const Node& n, Draft& d);
Value list_value(Walk& w, const Node& n, const Draft& d);
std::int64_t total_for(Walk& w, const Node& n, const Draft& d, bool product);
std::int64_t extreme_for(Walk& w, const Node& n, const Draft& d, bool greatest);
Value end_of_list(Walk& w, const Node& n, const Draft& d);
bool repeat(Walk& w, const Node& n, Draft&& d, Sink out);
bool reach_from_all(Walk& w, const Node& loop_node, std::vector<Draft> starts, Sink out);

} // namespace boardwright::runtime::reference
