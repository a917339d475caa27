// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What ranks cost one another, measured, and what an exchange should take by that:
//   messages latency + bytes / bandwidth of the links
// By the way that halos go (lattice/halo/transport.hpp): messages of MPI as links.hpp measures them, or, where the GPUs
// of one machine send themselves, exchanges of a field of little and of one with much to send.

#include <string>

#include "trellis/bench/machine/links.hpp"
#include "trellis/bench/model/ghost_count.hpp"

namespace trellis::bench {

struct Wire {
  LinkFigures links;
  double sum_seconds = 0;  // a sum over all ranks
  std::string transport = "none";
};

// All of these ranks call it; all get the same.
Wire measure_wire(const comm::Communicator& ranks);

// What a rank sends in an exchange.
struct Sent {
  double messages = 0, bytes = 0;
  double outside = 0;  // the part of them that goes to other machines
};
// Of a rank with a block of this many sites, in some exchanges.
Sent sent_in(const std::vector<HaloWork>& exchanges, const Coordinate& block, const Coordinate& grid);
// The part that the rank sends to other machines that sends most there.
double outside_part(const Coordinate& lattice, const Coordinate& grid, int ranks_on_machine);
double exchange_seconds(const Wire& wire, const Sent& sent);

}  // namespace trellis::bench
