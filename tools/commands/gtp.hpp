// `gtp`: the Go Text Protocol, version 2 (G. Farnebäck).
#pragma once

#include "tools/commands/protocol_engine.hpp"
#include "tools/console/console.hpp"

namespace boardwright::tools {

// Until the other program leaves. The engine has a player.
[[nodiscard]] Exit serve_gtp(ProtocolEngine& engine, Console& console);

} // namespace boardwright::tools
