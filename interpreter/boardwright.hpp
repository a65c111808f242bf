// Everything that a program which embeds Boardwright needs. Installed as <boardwright/boardwright.hpp>.
#pragma once

#include "interpreter/fen.hpp"
#include "interpreter/load.hpp"
#include "interpreter/position_text.hpp"
#include "interpreter/self_test.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/search/make_player.hpp"
