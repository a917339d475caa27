// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dslash.hpp"

#include <algorithm>

#include "trellis/core/parallel.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/tuning/wilson_setup.hpp"

namespace trellis::bench {

namespace {

// MIX through the memory of a variant, whatever its layout: blocks of links and vectors in the right proportion.
template <class T>
void mix(std::span<const T> links, std::span<const T> in, std::span<T> out) {
  constexpr int width = backend::most_lane_bytes / int(sizeof(T));
  using S = lanes_t<T, width>;
  constexpr Index block = 48 * width;  // vector numbers per loop index, and links in proportion
  constexpr int chains = 8;
  const Index blocks = Index(in.size()) / block, registers = Index(links.size()) / width;
  const T *const u = links.data(), *const v = in.data();
  T* const w = out.data();
  parallel_for("mix", RangePolicy<FieldSpace>(0, blocks), [=](Index n) {
    S sums[chains];
    for (int k = 0; k < chains; ++k) sums[k] = S(T(0));
    const Index end = (n + 1) * registers / blocks;
    Index i = n * registers / blocks;
    for (; i + chains <= end; i += chains)
      for (int k = 0; k < chains; ++k) sums[k] = sums[k] + load_lanes<S>(u + (i + k) * width);
    for (; i < end; ++i) sums[0] = sums[0] + load_lanes<S>(u + i * width);
    for (int k = 0; k < 48; ++k)
      stream_lanes<S>(w + n * block + k * width, sums[k % chains] + load_lanes<S>(v + n * block + k * width));
  });
}

template <class T>
SpinorField<T, 1> random_vector(const Lattice& lattice, int parity) {
  SpinorField<T, 1> x(lattice, parity);
  const auto view = create_mirror_view(x.view());
  T* numbers = view.data();
  const Index count = view.size();
  for (Index k = 0; k < count; ++k) numbers[k] = T(0.001) * T(k * 7919 % 2003 - 1001);
  deep_copy(x.view(), view);
  return x;
}

template <class T>
study::WilsonVariantRun<T> setup(const Coordinate& size, const study::WilsonVariant& variant) {
  if (!study::is_compiled<T>(variant)) fail_input("this variant is not compiled: {}", study::description(variant));
  const Lattice sites(size);
  study::WilsonVariantRun<T> run = [&] {
    const GaugeField<T, 1> u(sites);
    gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
    return study::WilsonVariantRun<T>(variant, u);
  }();
  run.set_source(random_vector<T>(sites, 1));
  return run;
}

template <class T>
study::WilsonVariant fastest_order(const Coordinate& size, const study::WilsonVariant& variant,
                                   const tuning::TuningParameters& parameters) {
  constexpr double gain_that_counts = 0.01;
  constexpr int repeats = 5;
  study::WilsonVariantRun<T> run = setup<T>(size, variant);
  const Stopwatch watch;
  const auto ratio_of = [&](const study::WilsonVariant& challenger, const study::WilsonVariant& best) {
    const auto [of_challenger, of_best] = tuning::times_in_turn(
        {repeats, parameters.seconds},
        [&] {
          run.set_order(challenger);
          run.apply(0);
        },
        [&] {
          run.set_order(best);
          run.apply(0);
        });
    return tuning::median_ratio(of_challenger, of_best);
  };
  study::WilsonVariant best = variant;
  std::vector<study::WilsonVariant> tried{best};
  for (bool improved = true; improved;) {
    improved = false;
    for (const study::WilsonVariant& other : study::orders_around(best, size)) {
      if (std::find(tried.begin(), tried.end(), other) != tried.end()) continue;
      if (watch.seconds() > parameters.budget) return best;
      tried.push_back(other);
      // Twice, since of many candidates the luckiest would win.
      if (ratio_of(other, best) > 1 - gain_that_counts || ratio_of(other, best) > 1 - gain_that_counts) continue;
      best = other;
      improved = true;
      break;
    }
  }
  return best;
}

template <class T>
DslashFigure measure(const Coordinate& size, const study::WilsonVariant& variant,
                     const tuning::TimingParameters& timing) {
  study::WilsonVariantRun<T> run = setup<T>(size, variant);
  const auto links = run.link_numbers(0);
  const auto in = run.spinor_numbers(1), out = run.spinor_numbers(0);
  const auto times = [&](const auto& yardstick) {
    return tuning::times_in_turn(timing, [&] { run.apply(0); }, yardstick);
  };
  const auto [kernel, mixed] = [&] {
    if constexpr (fields_on_host) {
      return times([&] { mix<T>(links, in, out); });
    } else {
      // The operators', which streams as many bytes.
      const tuning::WilsonSetup<T, 1> operators(size, {}, variant.links, run.right_hand_sides());
      return times([&] { operators.mix(); });
    }
  }();
  return {.flops = run.flops(),
          .bytes = run.bytes(),
          .seconds = median(kernel),
          .mix_seconds = median(mixed),
          .of_mix = tuning::median_ratio(mixed, kernel),
          .streaming = dirac::passes_caches(variant.stores, run.bytes())};
}

}  // namespace

DslashFigure measure_variant(const Coordinate& size, Precision precision, const study::WilsonVariant& variant,
                             const tuning::TimingParameters& timing) {
  if (precision == Precision::double_) return measure<double>(size, variant, timing);
  if (precision == Precision::single) return measure<float>(size, variant, timing);
  fail_input("the study's variants are compiled for double and single precision, not for {}", name_of(precision));
}

study::WilsonVariant tune_order(const Coordinate& size, Precision precision, const study::WilsonVariant& variant,
                                const tuning::TuningParameters& parameters) {
  if (precision == Precision::double_) return fastest_order<double>(size, variant, parameters);
  return fastest_order<float>(size, variant, parameters);
}

}  // namespace trellis::bench
