// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/tuning.hpp"

#include <algorithm>
#include <memory>

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/tuning/timing.hpp"
#include "trellis/tuning/wilson_setup.hpp"

namespace trellis::tuning {

namespace {

using dirac::Stores;

// Fewer threads may win while other processes use the machine, which may soon change.
constexpr double gain_that_counts = 0.01, gain_of_fewer_threads = 0.1;
constexpr int repeats = 5;  // per candidate, at least

const std::vector<int> far_ahead{0, 1, 2, 3, 4, 6, 8, 12, 16}, fresh_distances{0, 1, 2, 3, 4, 6};
template <class T, int W>
class Search {
 public:
  Search(const TuningCase& what, const TuningParameters& parameters,
         const std::function<void(const TuningStep&)>& watch)
      : what_(what), parameters_(parameters), watch_(watch), setup_(make({})) {
    best_ = untuned();
  }

  WilsonTuning run() {
    set_thread_count(best_.threads);
    // On a GPU an unnecessary cut in t spreads the boundary's factors over many tiles: 2 to 19 % slower at 32^4.
    const int cuts_in_t = fields_on_host ? what_.lanes : setup_->lattice().lane_grid()[3];
    for (const Coordinate& grid : lane_grids(what_.size, what_.lanes))
      if (grid[3] <= cuts_in_t) try_shape("virtual nodes", {grid, {}}, grid == setup_->lattice().lane_grid());
    const Coordinate grid = setup_->lattice().lane_grid();
    for (const auto& column : columns(what_.size, grid))
      if (fields_on_host || is_for_device(column))
        try_shape("columns", {grid, column}, column == setup_->lattice().column());
    if (!fields_on_host)
      for (const int mu : {3, 2, 1, 0})
        for (const auto& brick : bricks(setup_->lattice(), mu)) {
          const Lattice& best = setup_->lattice();
          try_shape("bricks", {grid, best.column(), brick}, brick == best.brick());
        }
    stores();
    if (fields_on_host) {
      distances();
      threads();
    }
    const auto reference = best_.shape == LatticeShape{} ? setup_ : make({});
    const auto [tuned_times, untuned_times] = times(*setup_, best_, *reference, untuned(), 2);
    best_.seconds = median(tuned_times);
    if (median_ratio(tuned_times, untuned_times) > 1 - gain_that_counts) {
      best_ = untuned();
      best_.seconds = median(untuned_times);
    }
    best_.untuned_seconds = median(untuned_times);
    return best_;
  }

 private:
  using Setup = WilsonSetup<T, W>;

  // The defaults, spelled out: distances for the size of the case, applied unconditionally.
  WilsonTuning untuned() const {
    WilsonTuning how{.threads = what_.threads};
    ahead(how) = how.settings.distances(what_.vectors, setup_->bytes());
    how.settings.always_ahead = true;
    return how;
  }

  // Columns to try on a GPU: with one lane those that are not thin, otherwise those that cover all of y.
  bool is_for_device(const std::array<int, 2>& column) const {
    constexpr int thin = 32;
    if (what_.lanes == 1) return column[0] * column[1] >= thin;
    return column[0] == setup_->lattice().block()[1];
  }

  std::shared_ptr<const Setup> make(const LatticeShape& shape) const {
    return std::make_shared<const Setup>(what_.size, shape, what_.links, what_.vectors);
  }
  static void apply(const Setup& setup, const WilsonTuning& how) {
    set_thread_count(how.threads);
    setup.hops(how.settings);
  }
  std::array<std::vector<double>, 2> times(const Setup& a, const WilsonTuning& how_a, const Setup& b,
                                           const WilsonTuning& how_b, double factor = 1) const {
    return times_in_turn({repeats, factor * parameters_.seconds}, [&] { apply(a, how_a); }, [&] { apply(b, how_b); });
  }
  bool out_of_time() const { return watch_time_.seconds() > parameters_.budget; }

  bool challenge(const std::string& coordinate, const WilsonTuning& how, const std::shared_ptr<const Setup>& setup) {
    const double needed = 1 - (how.threads < best_.threads ? gain_of_fewer_threads : gain_that_counts);
    double ratio = 0;
    // Time a seemingly faster candidate twice: of many candidates the luckiest would win.
    for (int look = 0; look < 2 && (look == 0 || ratio < needed); ++look) {
      const auto [challenger, best] = times(*setup, how, *setup_, best_);
      ratio = std::max(ratio, median_ratio(challenger, best));
    }
    const bool accepted = ratio < needed;
    if (accepted) {
      best_ = how;
      setup_ = setup;
    }
    if (watch_) watch_({coordinate, how, ratio, accepted});
    return accepted;
  }
  void try_shape(const std::string& coordinate, const LatticeShape& shape, bool is_best) {
    if (is_best || out_of_time()) return;
    WilsonTuning how = best_;
    how.shape = shape;
    challenge(coordinate, how, make(shape));
  }
  // Tries values of one setting, all against the best so far.
  template <class Value, class Get>
  void along(const std::string& coordinate, const std::vector<Value>& values, const Get& get) {
    for (const Value& value : values) {
      if (out_of_time()) return;
      WilsonTuning how = best_;
      if (get(how) == value) continue;
      get(how) = value;
      challenge(coordinate, how, setup_);
    }
  }
  void stores() {
    const bool streaming = dirac::passes_caches(best_.settings.stores, setup_->bytes());
    if (!is_fixed_point<T>)
      along<Stores>("stores", {streaming ? Stores::cached : Stores::streaming},
                    [](WilsonTuning& t) -> Stores& { return t.settings.stores; });
  }
  void distances() {
    along<int>("prefetch links", far_ahead, [&](WilsonTuning& t) -> int& { return ahead(t).links; });
    along<int>("prefetch spinors", far_ahead, [&](WilsonTuning& t) -> int& { return ahead(t).spinors; });
    along<int>("prefetch fresh", fresh_distances, [&](WilsonTuning& t) -> int& { return ahead(t).fresh; });
  }
  dirac::PrefetchDistances& ahead(WilsonTuning& t) const { return t.settings.distances(what_.vectors); }
  void threads() {
    std::vector<int> fewer;
    for (int n = what_.threads / 2; n >= 1; n /= 2) fewer.push_back(n);
    along<int>("threads", fewer, [](WilsonTuning& t) -> int& { return t.threads; });
    set_thread_count(what_.threads);
  }

  TuningCase what_;
  TuningParameters parameters_;
  std::function<void(const TuningStep&)> watch_;
  Stopwatch watch_time_;
  std::shared_ptr<const Setup> setup_;  // the setup of the best so far
  WilsonTuning best_;
};

}  // namespace

std::string describe(const TuningCase& what) {
  return fmt::format("{} {} {}, {} lane{}, {} reals a link, {} vector{}, {} thread{}", what.kernel,
                     to_string(what.size), name_of(what.precision), what.lanes, what.lanes == 1 ? "" : "s",
                     int(what.links), what.vectors, what.vectors == 1 ? "" : "s", what.threads,
                     what.threads == 1 ? "" : "s");
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

bool fits(const TuningCase& what, const WilsonTuning& how) {
  const auto is_distance = [](int n) { return n >= 0 && n <= farthest_ahead; };
  const auto& ahead = how.settings.distances(what.vectors);
  if (!is_distance(ahead.links) || !is_distance(ahead.spinors) || !is_distance(ahead.fresh)) return false;
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

WilsonTuning tune(const TuningCase& what, const TuningParameters& parameters,
                  const std::function<void(const TuningStep&)>& watch) {
  if (what.kernel != "wilson") fail_input("tuning: there is no kernel '{}'; known is wilson", what.kernel);
  if (what.vectors < 1) fail_input("tuning: {} vectors; at least 1", what.vectors);
  const int threads = concurrency();
  const auto result = with_precision(what.precision, [&]<class T>() {
    return with_lanes<arithmetic_t<T>>(what.lanes,
                                       [&]<int W>() { return Search<T, W>(what, parameters, watch).run(); });
  });
  set_thread_count(threads);
  return result;
}

}  // namespace trellis::tuning
