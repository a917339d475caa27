// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/configuration_file.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/sound_links.hpp"
#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// The result of a trajectory, to be compared bit by bit; this rank's links in file order.
struct Trajectory {
  double dH = 0, plaquette = 0;
  std::vector<double> links;
  bool operator==(const Trajectory&) const = default;
};

// This rank's links. Not their ghosts, which are filled only as far as what came before needed them.
template <int W>
std::vector<double> own_links(const GaugeField<double, W>& u) {
  std::vector<double> links;
  for (std::int64_t n = 0; n < u.lattice().volume(); ++n) {
    const auto x = u.lattice().coordinate(n);
    if (!u.lattice().owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu) {
      const auto link = u.link(x, mu);
      links.insert(links.end(), link.begin(), link.end());
    }
  }
  return links;
}

template <int W>
Trajectory after(const hmc::TrajectoryRecord& record, const GaugeField<double, W>& u) {
  return {record.dH, gauge::plaquette(u).average, own_links(u)};
}

// A temporary folder of the first rank that all ranks can find: in the current folder if they are on several machines.
class SharedFolder {
 public:
  explicit SharedFolder(const comm::Communicator& ranks) : ranks_(ranks) {
    const bool one_machine = ranks.ranks_on_machine() == ranks.size();
    std::string path;
    io::on_first_rank(ranks, "make a folder", [&] {
      path = folder_.emplace(one_machine ? fs::temp_directory_path() : fs::current_path()).path().string();
    });
    path_ = ranks.broadcast("make a folder", path);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  // Not before all have left it.
  ~SharedFolder() {
    if (std::uncaught_exceptions() == 0) ranks_.barrier("leave a folder");
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  comm::Communicator ranks_;
  std::optional<io::TemporaryFolder> folder_;
  fs::path path_;
};

// The links of a file, with ghosts as deep as the quarks' hops need.
template <int W>
GaugeField<double, W> links_of(const fs::path& file, const RunInput& input, const comm::ProcessGrid& grid) {
  const GaugeField<double, W> u(
      Lattice(input.size, W, SiteOrder::even_odd, {.vector_reach = gauge::longest_hop(input.quarks.smearing)}, grid));
  io::read_links(io::GaugeReader(file, read_options(input.boundary, input.size), grid.ranks()), file, u);
  return u;
}

// The first trajectory from the links of a file, as the run would begin.
template <int W>
Trajectory first_trajectory(const RunInput& input, const fs::path& start, const comm::ProcessGrid& grid) {
  const auto u = links_of<W>(start, input, grid);
  const auto algorithm = make_algorithm<W>(input, u.lattice(), make_terms<W>(input, u.lattice()));
  const auto record =
      algorithm({.seed = static_cast<std::uint64_t>(input.chain.seed), .trajectory = 0, .accept_always = true}, u, {});
  return after(record, u);
}

// Two trajectories, the first always accepted; a checkpoint after each.
template <int W>
struct TwoTrajectories {
  hmc::ChainState<double, W> state;
  std::vector<hmc::TrajectoryRecord> records;
  Trajectory first;

  void go_on(const RunInput& input, const hmc::Algorithm<double, W>& algorithm, bool reversibility,
             const fs::path& checkpoint) {
    hmc::ChainCallbacks<double, W> callbacks;
    callbacks.on_trajectory = [&](const hmc::TrajectoryRecord& record, const hmc::ChainState<double, W>& now) {
      if (records.empty()) first = after(record, now.links);
      records.push_back(record);
    };
    callbacks.on_checkpoint = [&](const hmc::ChainState<double, W>& now) {
      if (now.completed == 1)
        save_chain(checkpoint, io::link_source(now.links),
                   {.completed = now.completed, .statistics = now.statistics, .physics = input.resolved});
    };
    const auto result = hmc::run_chain<double, W>({.seed = static_cast<std::uint64_t>(input.chain.seed),
                                                   .trajectories = 2,
                                                   .thermalisation = 1,
                                                   .accept_always = 1,
                                                   .checkpoint_every = 1,
                                                   .reversibility_every = reversibility ? 2U : 0U},
                                                  algorithm, state, callbacks);
    if (result.end != hmc::ChainEnd::finished) fail("the chain ended early: {}", result.reason);
  }
};

// The largest other compiled lane count that divides the lattice; 0 if there is none.
int other_lanes(const Lattice& lattice) {
  int other = 0;
  for (const int lanes : compiled_lane_counts())
    if (lanes != lattice.lanes() && Lattice::divides(lattice.local_size(), lanes)) other = std::max(other, lanes);
  return other;
}

// Of links that the boundary takes from the variables.
template <int W>
double largest_change_of_fixed(const GaugeField<double, W>& a, const GaugeField<double, W>& b,
                               const gauge::Boundary& boundary) {
  const auto& lattice = a.lattice();
  double largest = 0;
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const auto x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu) {
      if (naive_is_variable(boundary, lattice.size(), x[3], mu)) continue;
      const auto before = a.link(x, mu), after = b.link(x, mu);
      for (std::size_t k = 0; k < before.size(); ++k)
        if (const double change = std::abs(after[k] - before[k]); !(change <= largest)) largest = change;
    }
  }
  return largest;
}

template <int W>
void check_reversibility(const RunInput& input, const TwoTrajectories<W>& whole, VerifyReport& report) {
  const auto& back = whole.records.at(1).reversibility;
  if (!back) return;
  const double dH = whole.records.at(1).dH;
  const double volume = double(whole.state.links.lattice().volume());
  report.check("reversibility: largest change of a link, there and back",
               [&] { return check_reversibility_of_links(back->links, input, dH); });
  report.check("reversibility: change of the energy, there and back",
               [&] { return check_reversibility_of_energy(std::abs(back->energy), input, volume, dH); });
}

}  // namespace

template <int W>
void check_bits(const VerifyCase<W>& c, VerifyReport& report) {
  RunInput input = c.input;
  input.chain.save_precision = "double";
  const auto& lattice = c.u.lattice();
  const auto& grid = lattice.grid();
  const SharedFolder folder(grid.ranks());
  const auto start = folder / "start.ildg", checkpoint = folder / "chain.checkpoint";

  report.section("Files and bits");
  report.check("configuration as ILDG in double precision, written and read", [&] {
    write_configuration(start, input, 0, c.u);
    return same_bits(own_links(links_of<W>(start, input, grid)) == own_links(c.u));
  });

  TwoTrajectories<W> whole{{c.u.clone(), 0, {}}, {}, {}};
  bool done = false;
  report.check("two trajectories as the input asks: dH", [&] {
    whole.go_on(input, make_algorithm<W>(input, lattice, c.terms), true, checkpoint);
    done = true;
    return for_information(fmt::format("{:.3f}, {:.3f}", whole.records.at(0).dH, whole.records.at(1).dH));
  });
  if (!done) return;
  check_reversibility(input, whole, report);
  if (!input.boundary.is_periodic())
    report.check("links that are no variables, after both: largest change",
                 [&] { return at_most(largest_change_of_fixed(c.u, whole.state.links, input.boundary), 0); });
  report.check("the second again, from a checkpoint after the first", [&] {
    const auto saved = comm::together(grid.ranks(), "read a checkpoint", [&] { return read_saved_chain(checkpoint); });
    TwoTrajectories<W> parts{{links_of<W>(checkpoint, input, grid), saved.completed, saved.statistics}, {}, {}};
    parts.go_on(input, make_algorithm<W>(input, lattice, make_terms<W>(input, lattice)), false, folder / "unused");
    const auto sums = [](const hmc::ChainStatistics& s) { return std::tuple(s.accepted, s.sum_dH, s.sum_exp); };
    return same_bits(parts.records.size() == 1 && parts.records[0].dH == whole.records[1].dH &&
                     sums(parts.state.statistics) == sums(whole.state.statistics) &&
                     own_links(parts.state.links) == own_links(whole.state.links));
  });
  const int threads = concurrency(), other_threads = threads > 1 ? 1 : 2;
  report.check(
      fmt::format("the first with {} thread{}, and with {}", other_threads, other_threads == 1 ? "" : "s", threads),
      [&] {
        set_thread_count(other_threads);
        std::optional<Trajectory> again;
        try {
          again = first_trajectory<W>(input, start, grid);
        } catch (...) {
          set_thread_count(threads);
          throw;
        }
        set_thread_count(threads);
        return same_bits(*again == whole.first);
      });
  const int lanes = other_lanes(lattice);
  const auto name = lanes == 0
                        ? fmt::format("the first with another number of SIMD lanes than {}", W)
                        : fmt::format("the first with {} SIMD lane{}, and with {}", lanes, lanes == 1 ? "" : "s", W);
  report.check(name, [&] {
    if (lanes == 0) return for_information("no other count fits");
    return same_bits(with_lanes(lanes, [&]<int V>() { return first_trajectory<V>(input, start, grid); }) ==
                     whole.first);
  });
}

#define TRELLIS_INSTANTIATE(W) template void check_bits<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
