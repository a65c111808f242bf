// Repetition: code that calls itself.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::lowering {

// Any repetition.
void repeat(Context& cx, const Todo* todo, const AbstractDraft& d);
// Rounds as code that calls itself; `memo`: what their moves are counted by.
void rounds(Context& cx, const Todo* todo, const AbstractDraft& d, const std::vector<Reg>* memo);
// counting.cpp: where the moves that come needn't be enumerated to be counted, they are counted so. That may
// depend on conditions which are the same for the whole turn: then both ways are compiled.
void search_rounds(Context& cx, const Todo* todo, const AbstractDraft& d);
// perhaps.cpp: one round or none. Its choices are those of rounds: whether there is another one.
void search_perhaps(Context& cx, const Todo* todo, const AbstractDraft& d);
void play_perhaps(Context& cx, const Todo* todo, const AbstractDraft& d);

// ---- drafts that code is called with

// What is known of a draft wherever the code is called from: where the walker is stands in registers of its
// own. `within`: actions that may have been carried out between the calls. `of`: more may be assumed there.
[[nodiscard]] AbstractDraft generalised(Context& cx, const AbstractDraft& d,
                                        const std::vector<NodeId>& within, NodeId of = kNoNode);
// Puts a draft where code that is compiled for the general one looks for it.
void write_place(Context& cx, const AbstractDraft& d, const AbstractDraft& general);
// From here on choices are written behind those so far, whose number is in `base`.
void begin_choices(Context& cx, AbstractDraft& d, Reg base);
// The registers that have been taken since then: a call keeps them for its caller.
std::int32_t spill_area_since(Context& cx, const Emitter::Registers& begin);
// The registers by which drafts are compared at a place, besides the state.
std::int32_t draft_key(Context& cx, AbstractDraft d, std::int32_t frame, int more = -1);

} // namespace boardwright::runtime::lowering
