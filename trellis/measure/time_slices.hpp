// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums over time slices with momenta, of real numbers on all sites:
//   C(t) = sum over x with x_t = (t + origin_t) mod L_t of exp(-i q.(x - origin)) f(x),
//   q_i = (2 pi n_i + pi w_i) / L_i
// for integer n; t counts from the origin's slice. w gives the phase exp(i pi w) that f picks up around the lattice: 0
// for a meson, three times the quark's angle for a baryon. In space it shifts the momenta; in time, contributions that
// have crossed the boundary are multiplied by exp(i pi w_t), so that C does not depend on where the boundary is. Sums
// are exact (core/sums/exact_sum.hpp): no bit depends on lanes, threads or ranks. Cost per site and momentum: 24 flops
// and 40 additions per number.

#include <complex>
#include <string>
#include <vector>

#include "trellis/dirac/stencil/quark_slices.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::measure {

using Momentum = std::array<int, 3>;

// Each position at `count` equidistant times, beginning with its own, of a lattice with `times` time slices.
std::vector<Coordinate> spread_in_time(const std::vector<Coordinate>& positions, int count, int times);
// How many times, counted from the source, every source has on slices with quarks that follow it: all `times` of the
// lattice if it is periodic.
int times_after(const std::vector<Coordinate>& sources, const dirac::QuarkSlices& slices, int times);
// The places of the sources that an average at time t, counted from the source, is over: those for which it is on a
// slice with quarks that follows the source; if there is none, those for which it precedes the source, beyond the last
// slice; if it is on a slice without quarks for all, all.
std::vector<std::size_t> sources_at(int t, const std::vector<Coordinate>& sources, const dirac::QuarkSlices& slices,
                                    int times);
// InputError that begins with `what` for a position off the lattice, a count that does not divide the number of time
// slices, or a momentum beyond the Brillouin zone.
void require_on_lattice(const std::string& what, const std::vector<Coordinate>& positions, int count,
                        const std::vector<Momentum>& momenta, const Coordinate& size);
// InputError that begins with `what` for a source on a slice without quarks; quarks: "Wilson quarks".
void require_on_slices(const std::string& what, const std::vector<Coordinate>& sources,
                       const dirac::QuarkSlices& slices, const std::string& quarks);
// The same for what is at a time that counts from each of the sources; the time has to be one of the lattice's.
void require_time_on_slices(const std::string& what, int time, const std::vector<Coordinate>& sources,
                            const dirac::QuarkSlices& slices, const std::string& quarks, const Coordinate& size);

// `count` real numbers on each site of a lattice in even/odd order: [tile][number][lane].
template <int W>
class SiteNumbers {
 public:
  SiteNumbers(const Lattice& lattice, int count);

  struct Access {
    double* data;
    int count;
    // Pointer to the first number of the tile's first lane.
    TRELLIS_INLINE double* at(int tile) const { return data + std::int64_t(tile) * count * W; }
  };

  const Lattice& lattice() const { return lattice_; }
  int count() const { return count_; }
  Access access() const { return {data_.data(), count_}; }
  // Sets one number of one site; for tests.
  void set(const Coordinate& x, int number, double value) const;

 private:
  Lattice lattice_;
  int count_;
  FieldView<double**, SingleLayout<W>> data_;
};

struct SliceParameters {
  Coordinate origin{0, 0, 0, 0};
  std::vector<Momentum> momenta{{0, 0, 0}};
  std::array<double, 4> winding_over_pi{0, 0, 0, 0};  // w
};

// C[number][momentum][t], t fastest.
template <int W>
std::vector<std::complex<double>> time_slice_sums(const SiteNumbers<W>& f, const SliceParameters& parameters);

}  // namespace trellis::measure
