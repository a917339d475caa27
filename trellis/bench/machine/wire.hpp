// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The measured costs of communication between ranks, and the time that an exchange should take according to them:
//   messages latency + bytes / bandwidth of the links
// Measured in the same way as halos are sent (lattice/halo/transport.hpp): MPI messages as in links.hpp or, if the GPUs
// of one machine send the messages, exchanges of a field with little and of one with much to send.

#include <string>

#include "trellis/bench/machine/links.hpp"
#include "trellis/bench/model/ghost_count.hpp"

namespace trellis::bench {

struct Wire {
  LinkFigures links;
  double sum_seconds = 0;  // a sum over all ranks
  std::string transport = "none";
};

// All of these ranks must call it; all get the same result.
Wire measure_wire(const comm::Communicator& ranks);

// What a rank sends in an exchange.
struct Sent {
  double messages = 0, bytes = 0;
  double outside = 0;  // the fraction of them that goes to other machines
};
// For a rank with a block of this many sites, in the given exchanges.
Sent sent_in(const std::vector<HaloWork>& exchanges, const Coordinate& block, const Coordinate& grid);
// The largest fraction that any rank sends to other machines.
double outside_part(const Coordinate& lattice, const Coordinate& grid, int ranks_on_machine);
double exchange_seconds(const Wire& wire, const Sent& sent);

}  // namespace trellis::bench
