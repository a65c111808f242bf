// `xboard`: the protocol of that program, which is also called CECP, version 2 (T. Mann, H. G. Muller).
#pragma once

#include "tools/commands/protocol_engine.hpp"
#include "tools/console/console.hpp"

namespace boardwright::tools {

// Until the other program leaves. The engine has a player.
[[nodiscard]] Exit serve_xboard(ProtocolEngine& engine, Console& console);

} // namespace boardwright::tools
