// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/staggered.hpp"

#include "trellis/bench/fill_vectors.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_force.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/site_map.hpp"
#include "trellis/solver/multi_shift_cg.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::bench {

namespace {

constexpr int shifts = 10, poles = 10;

// Even sites: what D_eo reads and writes, in the order of memory. LinkNumbers: complex ones of a site.
template <class T, int W, int LinkNumbers>
struct Mix {
  using S = lanes_t<T, W>;
  using C = ComplexTraits<complex<S>>;
  const T* links;
  ParityAccess<T, 6, W> from, to;

  TRELLIS_INLINE void operator()(int tile, int first, int last) const {
    const T* p = links + std::int64_t(tile) * 2 * LinkNumbers * W;
    complex<S> sums[3];
    for (int k = 0; k < 3; ++k) sums[k] = C::load_once(p + 2 * k * W);
    TRELLIS_UNROLL
    for (int i = 3; i < LinkNumbers; ++i) sums[i % 3] += C::load_once(p + 2 * i * W);
    for (int n = first; n < last; ++n)
      for (int k = 0; k < 3; ++k) stream_complex(to.at(tile, n), k, sums[k] + load_complex<S>(from.at(tile, n), k));
  }
};

template <class T, int W>
void mix(const dirac::StaggeredLinks<T, W>& links, const ColourVectorField<T, W>& in,
         const ColourVectorField<T, W>& out) {
  constexpr int together = fields_side_by_side<W> ? 1 : 64;  // vectors per GPU thread
  const auto over_links = [&]<int LinkNumbers>() {
    for_each_batch<together>("mix", in.lattice(), in.count(),
                             Mix<T, W, LinkNumbers>{links.data(), in.access(), out.access()});
  };
  if (links.kind() == dirac::LinkKind::fat_and_long)
    over_links.template operator()<128>();
  else
    over_links.template operator()<48>();
}

template <class T, int W>
class Bench {
 public:
  Bench(const Coordinate& size, const tuning::TimingParameters& timing)
      : timing_(timing),
        lattice_(size, W),
        u_(lattice_),
        links_(lattice_),
        operator_(links_, {}, 0.05),
        in_(lattice_, 0),
        out_(lattice_, 0),
        odd_(lattice_, 1),
        even_sites_(double(lattice_.local_volume()) / 2) {
    gauge::hot_start({1, 0, gauge::hot_start_purpose}, u_);
    links_.pack(u_);
    fill_vectors(in_);
    fill_vectors(odd_);
  }

  void hop(int count) {
    const ColourVectorField<T, W> from(lattice_, 1, count), to(lattice_, 0, count);
    fill_vectors(from);
    add({"D_eo", count, 570.0 * count, reals(96 + 12 * count)}, from, to, [&] { operator_.hop(from, to); });
  }
  // The same with fat and long links.
  void naik_hop(int count) {
    const dirac::StaggeredOperator<T, W> d = with_long_links();
    const ColourVectorField<T, W> from(lattice_, 1, count), to(lattice_, 0, count);
    fill_vectors(from);
    StaggeredFigure figure{"D_eo HISQ", count, dirac::naik_flops * count, reals(256 + 12 * count)};
    figure.mix_bytes = figure.bytes;
    const auto [seconds, mix_seconds] =
        tuning::medians_in_turn(timing_, [&] { d.hop(from, to); }, [&] { mix(d.links(), from, to); });
    finish(figure, seconds, mix_seconds);
  }
  // The same in 16 bits, where MIX is only a bandwidth.
  void hop_in_16_bits(int count) {
    const dirac::StaggeredLinks<Fixed16, W> links(u_);
    const dirac::HopTable<T, W> table(lattice_, dirac::staggered_coefficient({}, lattice_.size()));
    const ColourVectorField<T, W> source(lattice_, 1, count), sink(lattice_, 0, count);
    const ColourVectorField<Fixed16, W> from(lattice_, 1, count), to(lattice_, 0, count);
    fill_vectors(source);
    convert_vectors(SiteMap(lattice_, lattice_), source, from);
    add({"D_eo 16-bit", count, 570.0 * count, 96.0 * sizeof(std::int16_t) + 2 * count * site_bytes<Fixed16>(6)}, source,
        sink, [&] { dirac::apply_hops(links, table, from, to); });
  }
  void apply() {
    add({"operator", 1, 2 * 570 + 24, reals(2 * 96 + 5 * 6)}, [&] { operator_(in_, out_); });
  }
  // The time of an iteration is the difference between many and few.
  void conjugate_gradient() {
    conjugate_gradient("CG iteration", operator_, dirac::staggered_flops);
    conjugate_gradient("CG iter. HISQ", with_long_links(), dirac::naik_flops);
  }
  void multi_shift() {
    std::vector<double> sigma;
    for (int i = 0; i < shifts; ++i) sigma.push_back(i == 0 ? 0 : 1e-4 * double(1 << i));
    const ColourVectorField<T, W> x(lattice_, 0, shifts);
    const solver::MultiShiftParameters parameters{.tolerance = 1e-30, .finish = false};
    const auto run = [&](int iterations) {
      auto p = parameters;
      p.max_iterations = iterations;
      solver::multi_shift_cg(operator_, sigma, in_, x, p);
    };
    const double vectors = 5 + 6 + 1 + 4.0 * shifts / parameters.deferred;
    add_iteration({"multi-shift iter.", shifts, 2 * 570 + 24 + 36 + 30.0 * shifts, reals(2 * 96 + vectors * 6)}, run);
  }
  void force() {
    const ColourVectorField<T, W> x(lattice_, 0, poles), y(lattice_, 1, poles);
    const GaugeField<T, W> derivative(lattice_);
    const dirac::HopTable<T, W> table(lattice_, dirac::staggered_coefficient({}, lattice_.size()));
    fill_vectors(x);
    fill_vectors(y);
    const std::vector<double> weights(poles, 1e-3);
    add({"staggered force", poles, 2 * 4 * 72.0 * poles, reals(2 * (6 * poles + 144))},
        [&] { dirac::add_staggered_derivative<T, W>(table, weights, x, y, derivative); });
  }
  void stout() {
    const gauge::StoutLinks<T, W> smeared({0.15, 1}, lattice_);
    const GaugeField<T, W> v = u_.clone();
    gauge::update_links(1e-2, momenta_(), v);
    bool turn = false;
    // Links that are already smeared are not smeared again.
    add({"stout smearing", 1, 2 * (46 * product_flops + 4 * (350 + product_flops)), reals(2 * (72 + 72 + 32))},
        [&] { smeared.smear((turn = !turn) ? v : u_); });
    const AlgebraField<T, W> p(lattice_);
    add({"stout force", 1, 2 * (6 * 2200 + 4 * (1000 + product_flops)), reals(2 * (72 + 72 + 72 + 32 + 2 * 32))},
        [&] { smeared.add_force(u_, 1e-3, p); });
  }

  std::vector<StaggeredFigure> figures;

 private:
  void conjugate_gradient(const char* name, const dirac::StaggeredOperator<T, W>& a, double hop_flops) {
    const auto run = [&](int iterations) {
      out_.set_zero();
      solver::conjugate_gradient(a, in_, out_, {1e-30, iterations});
    };
    add_iteration({name, 1, 2 * hop_flops + 24 + 48, reals(2 * a.links().reals() + (5 + 8) * 6)}, run);
  }
  dirac::StaggeredOperator<T, W> with_long_links() const {
    const dirac::StaggeredLinks<T, W> links(lattice_, dirac::LinkKind::fat_and_long);
    links.pack(u_, u_);
    return {links, {}, 0.05};
  }
  double reals(double an_even_site) const { return an_even_site * sizeof(T); }
  AlgebraField<T, W> momenta_() const {
    const AlgebraField<T, W> p(lattice_);
    gauge::draw_momenta({1, 0, gauge::momenta_purpose}, p);
    return p;
  }
  void finish(StaggeredFigure figure, double seconds, double mix_seconds) {
    figure.flops *= even_sites_;
    figure.bytes *= even_sites_;
    figure.seconds = seconds;
    figure.lanes = W;
    figure.mix_bytes *= even_sites_;
    figure.mix_seconds = mix_seconds;
    figures.push_back(figure);
  }
  template <class F>
  void add(StaggeredFigure figure, const ColourVectorField<T, W>& from, const ColourVectorField<T, W>& to, const F& f) {
    figure.mix_bytes = reals(96 + 12 * from.count());
    const auto [seconds, mix_seconds] = tuning::medians_in_turn(timing_, f, [&] { mix(links_, from, to); });
    finish(figure, seconds, mix_seconds);
  }
  template <class F>
  void add(const StaggeredFigure& figure, const F& f) {
    add(figure, odd_, out_, f);
  }
  template <class F>
  void add_iteration(StaggeredFigure figure, const F& run) {
    // Complete deferred passes; where iterations are launched together, complete launches too: what is left over would
    // be launched in another way, and the difference would not be that of iterations.
    const bool together = solver::shorter_than_launches(out_);
    const int few = together ? solver::resident_turns : 8, many = together ? 3 * few : 5 * few;
    figure.mix_bytes = reals(96 + 12);
    const auto [short_, long_, mix_seconds] =
        tuning::medians_in_turn(timing_, [&] { run(few); }, [&] { run(many); }, [&] { mix(links_, odd_, out_); });
    finish(figure, (long_ - short_) / (many - few), mix_seconds);
  }

  tuning::TimingParameters timing_;
  Lattice lattice_;
  GaugeField<T, W> u_;
  dirac::StaggeredLinks<T, W> links_;
  dirac::StaggeredOperator<T, W> operator_;
  ColourVectorField<T, W> in_, out_, odd_;
  double even_sites_;
};

}  // namespace

template <class T, int W>
std::vector<StaggeredFigure> staggered_hops(const Coordinate& size, std::span<const int> right_hand_sides,
                                            const tuning::TimingParameters& timing) {
  Bench<T, W> bench(size, timing);
  for (const int count : right_hand_sides) {
    bench.hop(count);
    bench.naik_hop(count);
  }
  return std::move(bench.figures);
}

template <class T, int W>
std::vector<StaggeredFigure> staggered_kernels(const Coordinate& size,
                                               [[maybe_unused]] std::span<const int> right_hand_sides,
                                               const tuning::TimingParameters& timing) {
  Bench<T, W> bench(size, timing);
  if constexpr (is_single<T>)
    for (const int count : right_hand_sides) bench.hop_in_16_bits(count);
  bench.apply();
  bench.conjugate_gradient();
  bench.multi_shift();
  bench.force();
  bench.stout();
  return std::move(bench.figures);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                        \
  template std::vector<StaggeredFigure> staggered_hops<T, W>(const Coordinate&, std::span<const int>,    \
                                                             const tuning::TimingParameters&);           \
  template std::vector<StaggeredFigure> staggered_kernels<T, W>(const Coordinate&, std::span<const int>, \
                                                                const tuning::TimingParameters&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::bench
