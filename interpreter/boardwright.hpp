// Everything that a program which embeds Boardwright needs. Installed as <boardwright/boardwright.hpp>.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/search/make_player.hpp"
#include "runtime/sight/knowledge.hpp"
