// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/tuning/kernel_work.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::tuning {

namespace {

using dirac::Stores;

// Fewer threads may win while other processes use the machine, which may soon change.
constexpr double gain_that_counts = 0.01, gain_of_fewer_threads = 0.1;
constexpr int repeats = 5;  // per candidate, at least

const std::vector<int> far_ahead{0, 1, 2, 3, 4, 6, 8, 12, 16}, fresh_distances{0, 1, 2, 3, 4, 6};
// Of staggered quarks.
const std::vector<int> far_ahead_alike{0, 2, 4, 8, 12, 16, 24, 32};

class Search {
 public:
  Search(const TuningCase& what, const TuningParameters& parameters,
         const std::function<void(const TuningStep&)>& watch)
      : what_(what), parameters_(parameters), watch_(watch), work_(make_work(what, {})) {
    best_ = untuned();
  }

  KernelTuning run() {
    set_thread_count(best_.threads);
    shapes();
    if (has_hops(what_)) stores();
    if (fields_on_host) {
      if (has_hops(what_)) distances();
      if (what_.kernel == TunedKernel::wilson) threads();
    } else if (has_hops(what_)) {
      along<int>("blocks", {block_sizes.begin(), block_sizes.end()},
                 [](KernelTuning& t) -> int& { return t.settings.block_threads; });
    }
    const auto reference = best_.shape == LatticeShape{} ? work_ : make_work(what_, {});
    const auto [tuned_times, untuned_times] = times(*work_, best_, *reference, untuned(), 2);
    // Their ratio counts, not their medians: what else the machine did meanwhile slowed both.
    const double ratio = median_ratio(tuned_times, untuned_times);
    if (ratio > 1 - gain_that_counts) {
      best_ = untuned();
      best_.seconds = best_.untuned_seconds = median(untuned_times);
    } else {
      best_.seconds = median(tuned_times);
      best_.untuned_seconds = best_.seconds / ratio;
    }
    return best_;
  }

 private:
  bool is_alike() const { return what_.kernel != TunedKernel::wilson; }

  // The defaults, spelled out: distances for the size of the case, applied unconditionally.
  KernelTuning untuned() const {
    KernelTuning how{.settings = default_settings(what_), .threads = what_.threads};
    ahead(how) = how.settings.distances(what_.vectors, work_->bytes());
    how.settings.always_ahead = true;
    return how;
  }

  // Columns to try on a GPU: with one lane those that are not thin, otherwise those that cover all of y.
  bool is_for_device(const std::array<int, 2>& column) const {
    constexpr int thin = 32;
    if (what_.lanes == 1) return column[0] * column[1] >= thin;
    return column[0] == work_->lattice().block()[1];
  }

  void apply(const KernelWork& work, const KernelTuning& how) const {
    if (how.threads != concurrency()) set_thread_count(how.threads);
    work.run(how.settings);
  }
  std::array<std::vector<double>, 2> times(const KernelWork& a, const KernelTuning& how_a, const KernelWork& b,
                                           const KernelTuning& how_b, double factor = 1) const {
    return times_in_turn({repeats, factor * parameters_.seconds}, [&] { apply(a, how_a); }, [&] { apply(b, how_b); });
  }
  bool out_of_time() const { return watch_time_.seconds() > parameters_.budget; }

  bool challenge(const std::string& coordinate, const KernelTuning& how,
                 const std::shared_ptr<const KernelWork>& work) {
    const double needed = 1 - (how.threads < best_.threads ? gain_of_fewer_threads : gain_that_counts);
    double ratio = 0;
    // Time a seemingly faster candidate twice: of many candidates the luckiest would win.
    for (int look = 0; look < 2 && (look == 0 || ratio < needed); ++look) {
      const auto [challenger, best] = times(*work, how, *work_, best_);
      ratio = std::max(ratio, median_ratio(challenger, best));
    }
    const bool accepted = ratio < needed;
    if (accepted) {
      best_ = how;
      work_ = work;
    }
    if (watch_) watch_({coordinate, how, ratio, accepted});
    return accepted;
  }
  void try_shape(const std::string& coordinate, const LatticeShape& shape, bool is_best) {
    if (is_best || out_of_time()) return;
    KernelTuning how = best_;
    how.shape = shape;
    challenge(coordinate, how, make_work(what_, shape));
  }
  void shapes() {
    // On a GPU an unnecessary cut in t spreads the boundary's factors over many tiles: 2 to 19 % slower at 32^4.
    const int cuts_in_t = fields_on_host ? what_.lanes : work_->lattice().lane_grid()[3];
    for (const Coordinate& grid : lane_grids(what_.size, what_.lanes))
      if (grid[3] <= cuts_in_t) try_shape("virtual nodes", {grid, {}}, grid == work_->lattice().lane_grid());
    const Coordinate grid = work_->lattice().lane_grid();
    for (const auto& column : columns(what_.size, grid))
      if (fields_on_host || is_for_device(column))
        try_shape("columns", {grid, column}, column == work_->lattice().column());
    if (!fields_on_host)
      for (const int mu : {3, 2, 1, 0})
        for (const auto& brick : bricks(work_->lattice(), mu)) {
          const Lattice& best = work_->lattice();
          try_shape("bricks", {grid, best.column(), brick}, brick == best.brick());
        }
  }
  // Tries values of one setting, all against the best so far.
  template <class Value, class Get>
  void along(const std::string& coordinate, const std::vector<Value>& values, const Get& get) {
    for (const Value& value : values) {
      if (out_of_time()) return;
      KernelTuning how = best_;
      if (get(how) == value) continue;
      get(how) = value;
      challenge(coordinate, how, work_);
    }
  }
  void stores() {
    const bool in_16_bits = what_.kernel == TunedKernel::wilson && what_.precision == Precision::fixed16;
    const bool streaming = dirac::passes_caches(best_.settings.stores, work_->bytes());
    if (!in_16_bits)
      along<Stores>("stores", {streaming ? Stores::cached : Stores::streaming},
                    [](KernelTuning& t) -> Stores& { return t.settings.stores; });
  }
  void distances() {
    const auto& far = is_alike() ? far_ahead_alike : far_ahead;
    along<int>("prefetch links", far, [&](KernelTuning& t) -> int& { return ahead(t).links; });
    // Of several Wilson vectors it is the next one that is prefetched, or none.
    const bool next = !is_alike() && what_.vectors > 1;
    along<int>("prefetch vectors", next ? std::vector<int>{0, 1} : far,
               [&](KernelTuning& t) -> int& { return ahead(t).vectors; });
    if (!is_alike())
      along<int>("prefetch fresh", fresh_distances, [&](KernelTuning& t) -> int& { return ahead(t).fresh; });
  }
  dirac::PrefetchDistances& ahead(KernelTuning& t) const { return t.settings.distances(what_.vectors); }
  void threads() {
    std::vector<int> fewer;
    for (int n = what_.threads / 2; n >= 1; n /= 2) fewer.push_back(n);
    along<int>("threads", fewer, [](KernelTuning& t) -> int& { return t.threads; });
    set_thread_count(what_.threads);
  }

  TuningCase what_;
  TuningParameters parameters_;
  std::function<void(const TuningStep&)> watch_;
  Stopwatch watch_time_;
  std::shared_ptr<const KernelWork> work_;  // that of the best so far
  KernelTuning best_;
};

}  // namespace

std::string describe(const TuningCase& what) {
  const auto* const kernel = std::ranges::find(tuned_kernels, what.kernel, &NamedValue<TunedKernel>::value);
  std::string text = fmt::format("{} {} {}, {} lane{}", kernel->name, to_string(what.size), name_of(what.precision),
                                 what.lanes, what.lanes == 1 ? "" : "s");
  const bool in_su3 = what.quark_links == dirac::LinkKind::su3;
  if (has_hops(what) && in_su3) text += fmt::format(", {} reals a link", int(what.links));
  if (!in_su3) text += what.quark_links == dirac::LinkKind::fat ? ", fat links" : ", fat and long links";
  if (has_hops(what) && what.kernel != TunedKernel::dynamics)
    text += fmt::format(", {} vector{}", what.vectors, what.vectors == 1 ? "" : "s");
  text += fmt::format(", {} thread{}", what.threads, what.threads == 1 ? "" : "s");
  const char* before = ", cut in ";
  for (int mu = 0; mu < 4; ++mu)
    if (what.cut[mu] != 0) text += fmt::format("{}{}", std::exchange(before, ", "), "xyzt"[mu]);
  return text;
}

dirac::HopSettings default_settings(const TuningCase& what) {
  const bool is_staggered = what.kernel == TunedKernel::staggered || what.kernel == TunedKernel::dynamics;
  if (!is_staggered) return {};
  return what.quark_links == dirac::LinkKind::fat_and_long ? dirac::naik_settings : dirac::staggered_settings;
}

std::vector<Coordinate> lane_grids(const Coordinate& size, int lanes) {
  std::vector<Coordinate> grids;
  const auto fits_in = [&](int mu, int n) { return size[mu] % (2 * n) == 0; };
  for (int t = 1; t <= lanes; ++t)
    for (int z = 1; z <= lanes / t; ++z)
      for (int y = 1; y <= lanes / t / z; ++y) {
        const int x = lanes / t / z / y;
        if (x * y * z * t == lanes && fits_in(0, x) && fits_in(1, y) && fits_in(2, z) && fits_in(3, t))
          grids.push_back({x, y, z, t});
      }
  return grids;
}

std::vector<std::array<int, 2>> columns(const Coordinate& size, const Coordinate& lane_grid) {
  std::vector<std::array<int, 2>> all;
  const int y_block = size[1] / lane_grid[1], z_block = size[2] / lane_grid[2];
  for (int z = 1; z <= z_block; ++z)
    for (int y = 1; y <= y_block; ++y)
      if (y_block % y == 0 && z_block % z == 0) all.push_back({y, z});
  return all;
}

std::vector<Coordinate> bricks(const Lattice& lattice, int mu) {
  const Coordinate extents{lattice.block()[0], lattice.column()[0], lattice.column()[1], lattice.block()[3]};
  std::vector<Coordinate> all;
  for (int length = mu == 0 ? 2 : 1; length <= std::min(8, extents[mu]); length *= 2)
    if (extents[mu] % length == 0) {
      all.push_back(lattice.brick());
      all.back()[mu] = length;
    }
  return all;
}

bool fits(const TuningCase& what, const KernelTuning& how) {
  const auto is_distance = [](int n) { return n >= 0 && n <= farthest_ahead; };
  const auto& ahead = how.settings.distances(what.vectors);
  if (!is_distance(ahead.links) || !is_distance(ahead.vectors) || !is_distance(ahead.fresh)) return false;
  const int block = how.settings.block_threads;
  if (block != 0 && std::ranges::find(block_sizes, block) == block_sizes.end()) return false;
  if (how.threads < 0 || how.threads > what.threads) return false;
  if (!(how.seconds >= 0 && how.seconds < 1e6 && how.untuned_seconds >= 0 && how.untuned_seconds < 1e6)) return false;
  const Coordinate& grid = how.shape.lane_grid;
  const std::array<int, 2>& column = how.shape.column;
  const Coordinate& brick = how.shape.brick;
  if (grid == Coordinate{}) return column == std::array<int, 2>{} && brick == Coordinate{};
  std::int64_t lanes = 1;
  for (int mu = 0; mu < 4; ++mu) {
    if (grid[mu] < 1 || grid[mu] > what.lanes || what.size[mu] % (2 * grid[mu]) != 0) return false;
    lanes *= grid[mu];
  }
  if (lanes != what.lanes) return false;
  if (column == std::array<int, 2>{}) return brick == Coordinate{};
  for (const int k : {0, 1})
    if (column[k] < 1 || what.size[k + 1] / grid[k + 1] % column[k] != 0) return false;
  if (brick == Coordinate{}) return true;
  const Coordinate extents{what.size[0] / grid[0], column[0], column[1], what.size[3] / grid[3]};
  for (int mu = 0; mu < 4; ++mu)
    if (brick[mu] < 1 || extents[mu] % brick[mu] != 0) return false;
  return brick[0] % 2 == 0;
}

KernelTuning tune(const TuningCase& what, const TuningParameters& parameters,
                  const std::function<void(const TuningStep&)>& watch) {
  if (what.vectors < 1) fail_input("tuning: {} vectors; at least 1", what.vectors);
  KernelProfile trial;  // so that no active profile counts these kernels
  const ActiveProfile active(trial);
  const int threads = concurrency();
  const auto result = Search(what, parameters, watch).run();
  set_thread_count(threads);
  return result;
}

}  // namespace trellis::tuning
