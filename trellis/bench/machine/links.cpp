// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/links.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "trellis/comm/messages.hpp"
#include "trellis/core/device/message_memory.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

namespace {

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

// The ranks of each machine, machines in order of first appearance.
std::vector<std::vector<int>> ranks_by_machine(const std::vector<std::string>& machines) {
  std::vector<std::string> seen;
  std::vector<std::vector<int>> ranks;
  for (int rank = 0; rank < int(machines.size()); ++rank) {
    const auto found = std::find(seen.begin(), seen.end(), machines[std::size_t(rank)]);
    if (found == seen.end()) {
      seen.push_back(machines[std::size_t(rank)]);
      ranks.emplace_back();
    }
    ranks[std::size_t(std::find(seen.begin(), seen.end(), machines[std::size_t(rank)]) - seen.begin())].push_back(rank);
  }
  return ranks;
}

std::vector<int> without_partners(std::size_t count) {
  std::vector<int> partners(count);
  for (std::size_t rank = 0; rank < count; ++rank) partners[rank] = int(rank);
  return partners;
}

// A message of this many bytes to a partner and one back.
class Exchange {
 public:
  Exchange(const comm::Communicator& ranks, int partner, std::size_t bytes)
      : first_(ranks.rank() < partner),
        out_(bytes),
        in_(bytes),
        messages_(ranks, "measuring links", parts(ranks, partner, bytes)) {}

  void at_once() {
    messages_.expect();
    messages_.send(0);
    messages_.next();
    messages_.finish();
  }
  // Round trip: one side sends back what it received.
  void in_turn() {
    messages_.expect();
    if (first_) messages_.send(0);
    messages_.next();
    if (!first_) messages_.send(0);
    messages_.finish();
  }

 private:
  std::vector<comm::Messages::Part> parts(const comm::Communicator& ranks, int partner, std::size_t bytes) const {
    if (partner == ranks.rank()) return {};
    return {{.to = partner,
             .send_label = 0,
             .out = {out_.host(), bytes},
             .from = partner,
             .receive_label = 0,
             .in = {in_.host(), bytes}}};
  }

  bool first_;
  MessageMemory<FieldSpace> out_, in_;
  comm::Messages messages_;
};

// Median over this many calls, on the slowest rank.
template <class F>
double slowest(const comm::Communicator& ranks, bool takes_part, int calls, const F& f) {
  std::vector<double> times{0};
  constexpr int warm_up = 3;
  ranks.barrier("measuring links");
  for (int call = 0; takes_part && call < warm_up + calls; ++call) {
    const auto start = std::chrono::steady_clock::now();
    f();
    if (call >= warm_up)
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::array<double, 1> result{median(std::move(times))};
  ranks.maximum("measuring links", result);
  return result[0];
}

std::optional<LinkDescription> measure(const comm::Communicator& ranks, const std::vector<int>& partners) {
  if (partners == without_partners(partners.size())) return {};
  constexpr std::size_t few = 8, many = std::size_t(4) << 20;
  const int partner = partners[std::size_t(ranks.rank())];
  const bool takes_part = partner != ranks.rank();
  Exchange small(ranks, partner, few), large(ranks, partner, many);
  LinkDescription link;
  link.latency = slowest(ranks, takes_part, 1000, [&] { small.in_turn(); }) / 2;
  link.bandwidth = double(many) / slowest(ranks, takes_part, 30, [&] { large.at_once(); });
  return link;
}

}  // namespace

std::vector<int> partners_inside(const std::vector<std::string>& machines) {
  auto partners = without_partners(machines.size());
  for (const auto& ranks : ranks_by_machine(machines))
    for (std::size_t k = 0; k + 1 < ranks.size(); k += 2) {
      partners[std::size_t(ranks[k])] = ranks[k + 1];
      partners[std::size_t(ranks[k + 1])] = ranks[k];
    }
  return partners;
}

std::vector<int> partners_across(const std::vector<std::string>& machines) {
  auto partners = without_partners(machines.size());
  const auto all = ranks_by_machine(machines);
  for (std::size_t m = 0; m + 1 < all.size(); m += 2)
    for (std::size_t k = 0; k < std::min(all[m].size(), all[m + 1].size()); ++k) {
      partners[std::size_t(all[m][k])] = all[m + 1][k];
      partners[std::size_t(all[m + 1][k])] = all[m][k];
    }
  return partners;
}

LinkFigures measure_links(const comm::Communicator& ranks) {
  if (ranks.size() == 1) return {};
  const auto machines = ranks.gather("names of machines", machine_name());
  return {measure(ranks, partners_inside(machines)), measure(ranks, partners_across(machines))};
}

}  // namespace trellis::bench
