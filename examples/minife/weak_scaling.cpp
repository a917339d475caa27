// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "examples/minife/by_hand.hpp"
#include "examples/minife/measure.hpp"
#include "examples/minife/problem.hpp"
#include "examples/minife/slab.hpp"
#include "examples/minife/system.hpp"

namespace examples::minife {
namespace {

using trellis::comm::Communicator;
using Ell = EllMatrix<>;

constexpr bool on_host = trellis::can_access<trellis::DefaultExecutionSpace, trellis::HostSpace>;

// The exchange by hand (by_hand.hpp): messages that begin and end in the vector itself, hence some for each vector.
class RanksByHand {
 public:
  RanksByHand(const Slab& slab, const std::vector<double*>& vectors)
      : first(slab.own.first), ranks_(slab.ranks), vectors_(vectors) {
    const Index plane = slab.mesh.plane();
    const auto bytes = [&](double* at) { return std::as_writable_bytes(std::span(at, std::size_t(plane))); };
    const int rank = slab.ranks.rank();
    for (double* const v : vectors) {
      double *const begin = v + slab.own.first, *const end = v + slab.own.end;
      std::vector<trellis::comm::Messages::Part> parts;
      if (slab.has_below) parts.push_back({rank - 1, 0, bytes(begin), rank - 1, 1, bytes(begin - plane)});
      if (slab.has_above) parts.push_back({rank + 1, 1, bytes(end - plane), rank + 1, 0, bytes(end)});
      parts_ = int(parts.size());
      messages_.emplace_back(slab.ranks, "planes by hand", parts);
    }
  }

  long first;
  void exchange(double* x) const {
    const auto which = std::find(vectors_.begin(), vectors_.end(), x) - vectors_.begin();
    auto& messages = messages_.at(std::size_t(which));
    messages.expect();
    for (int part = 0; part < parts_; ++part) messages.send(part);
    messages.finish();
  }
  double sum(double local) const { return sum_over_ranks(ranks_, local); }

 private:
  Communicator ranks_;
  std::vector<double*> vectors_;
  mutable std::vector<trellis::comm::Messages> messages_;
  int parts_ = 0;
};

// Of solves on the ranks of a group: medians of seconds, and of ratios of calls in turn.
struct Times {
  double trellis = 0, by_hand = 0, fraction = 0;
  double alone = 0, of_alone = 0;  // every rank for itself, without messages and sums; relative to Trellis' time
  double bytes = 0;                // that all ranks move
  Index rows = 0;
};

// The slowest rank's seconds of a call.
template <class F>
double seconds(const Communicator& ranks, const F& f) {
  ranks.barrier("a timed solve");
  double time = 0;
  trellis::timed(time, f);
  ranks.maximum("time", {&time, 1});
  return time;
}

void require_sound(const Slab& slab, const Convergence& c, const Vector& x, const Vector& hand) {
  if (!(std::abs(c.actual - c.recursive) <= 1e-10 * c.first))
    trellis::fail("the residual of the solution is {:.6e}, that of the recursion {:.6e}", c.actual, c.recursive);
  if (!on_host) return;
  const Vector difference("difference", x.extent(0));
  waxpby(slab.own, 1, x, -1, hand, difference);
  const double size = sum_over_ranks(slab.ranks, dot(slab.own, hand, hand)),
               distance = sum_over_ranks(slab.ranks, dot(slab.own, difference, difference));
  if (!(distance <= 1e-16 * size))
    trellis::fail("on {} ranks Trellis and the hand-written version differ by {:.3g} (relative)", slab.ranks.size(),
                  std::sqrt(distance / size));
}

Times measure_on(const Communicator& ranks, const WeakScaling& s) {
  const long ny = s.ny > 0 ? s.ny : s.nx, planes = s.planes > 0 ? s.planes : s.nx;
  const Slab slab = make_slab({s.nx, ny, planes * ranks.size() - 1, s.distortion}, ranks);
  const auto system = make_system<Ell>(slab.mesh, ManufacturedHeat{});
  const SlabMatrix<Ell> coupled(system.matrix, slab), separate(system.matrix, slab, false);
  const Index n = slab.mesh.nodes();
  const Workspace work(n);
  const Vector x("x", n), hand("x by hand", n), on_own("x of a rank alone", n);
  Convergence convergence;
  const auto solve = [&](const SlabMatrix<Ell>& a, const Vector& u) {
    waxpby(1, system.start, 0, system.start, u);
    convergence = conjugate_gradient(a, system.load, u, work, s.iterations, 0);
  };
  const by_hand::Ell a{slab.own.count(), system.matrix.columns.data() + row_length * slab.own.first,
                       system.matrix.values.data() + row_length * slab.own.first};
  const RanksByHand together(slab, on_host ? std::vector<double*>{hand.data(), work.p.data()} : std::vector<double*>());
  const auto solve_by_hand = [&] {
    by_hand::waxpby(n, 1, system.start.data(), 0, system.start.data(), hand.data());
    by_hand::conjugate_gradient(a, system.load.data(), hand.data(), work.r.data(), work.p.data(), work.ap.data(),
                                s.iterations, together);
  };

  std::vector<double> ours, theirs, alone, ratios, of_alone;
  for (int turn = -1; turn < s.repetitions; ++turn) {  // the first is not counted
    const double without = seconds(ranks, [&] { solve(separate, on_own); });
    const double one = seconds(ranks, [&] { solve(coupled, x); });
    const double other = on_host ? seconds(ranks, solve_by_hand) : 0;
    if (turn < 0) continue;
    alone.push_back(without);
    ours.push_back(one);
    theirs.push_back(other);
    ratios.push_back(other / one);
    of_alone.push_back(without / one);
  }
  require_sound(slab, convergence, x, hand);
  return {.trellis = median(ours),
          .by_hand = median(theirs),
          .fraction = median(ratios),
          .alone = median(alone),
          .of_alone = median(of_alone),
          .bytes = double(ranks.size()) * conjugate_gradient_bytes(coupled, s.iterations),
          .rows = slab.mesh.plane() * planes * ranks.size()};
}

}  // namespace

Result measure_weak_scaling(const WeakScaling& settings) {
  const Communicator world = Communicator::world();
  std::vector<int> counts;
  for (int count = 1; count < world.size(); count *= 2) counts.push_back(count);
  counts.push_back(world.size());
  Result result{.program = "minife"};
  std::vector<Times> all;
  for (const int count : counts) {
    const Communicator group = world.first(count);
    if (world.rank() < count) all.push_back(measure_on(group, settings));
    world.barrier("the next number of ranks");
  }
  if (!world.is_first()) return result;
  result.setup =
      fmt::format("weak scaling: {} rows per rank, {} steps, {} of {} per rank", all[0].rows, settings.iterations,
                  counted(trellis::concurrency(), "thread"), trellis::DefaultExecutionSpace::name);
  fmt::print("{:>6} {:>12} {:>12} {:>12} {:>12} {:>22}\n", "ranks", "rows", "efficiency", "by hand", "alone",
             "messages and sums take");
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Times& t = all[k];
    const auto percent = [](double part) { return fmt::format("{:.1f} %", 100 * part); };
    fmt::print("{:>6} {:>12} {:>12} {:>12} {:>12} {:>22}\n", counts[k], t.rows, percent(all[0].trellis / t.trellis),
               on_host ? percent(all[0].by_hand / t.by_hand) : "-", percent(all[0].alone / t.alone),
               percent(1 - t.of_alone));
    Row row{.name = fmt::format("CG on {} rank{}", counts[k], counts[k] == 1 ? "" : "s"),
            .unit = "GB/s",
            .trellis = 1e-9 * t.bytes / t.trellis,
            .seconds = t.trellis,
            .ranks = counts[k]};
    if (on_host) {
      row.by_hand = 1e-9 * t.bytes / t.by_hand;
      row.fraction = t.fraction;
      row.hand_seconds = t.by_hand;
    }
    result.rows.push_back(row);
  }
  fmt::print(
      "efficiency: the time of one rank divided by that of several with as many rows each; alone: of ranks that solve\n"
      "their parts separately at the same time, as far as memory and cores are shared\n");
  return result;
}

}  // namespace examples::minife
