// Everything that a program which embeds Boardwright needs. Installed as <boardwright/boardwright.hpp>.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/self_test.hpp"
#include "runtime/game.hpp"
#include "runtime/perft.hpp"
#include "runtime/playout.hpp"
