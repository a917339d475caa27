// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/wilson_halo.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/halo/complex_numbers.hpp"
#include "trellis/lattice/halo/halo_jobs.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

namespace {

// f.template operator()<Step, Adjoint>() for a step that is known only at run time.
template <int Step = 0, class F>
TRELLIS_INLINE void with_step(int step, bool adjoint, const F& f) {
  if constexpr (Step < 8) {
    if (step != Step) return with_step<Step + 1>(step, adjoint, f);
    if (adjoint)
      f.template operator()<Step, true>();
    else
      f.template operator()<Step, false>();
  }
}

// Read by spin::project().
template <class From>
struct Psi {
  const From& from;
  TRELLIS_INLINE auto load(int spin, int colour) const { return from.load(3 * spin + colour); }
};

template <class From, class To>
TRELLIS_INLINE void project_spinor(int step, bool adjoint, const From& from, const To& to) {
  with_step(step, adjoint, [&]<int Step, bool Adjoint>() {
    const auto h = spin::project<Step, Adjoint, typename From::complex_type>(Psi<From>{from});
    for (int k = 0; k < 6; ++k) to.store(k, h.e[k / 3][k % 3]);
  });
}

template <class From, class To>
TRELLIS_INLINE void complete_spinor(int step, bool adjoint, const From& from, const To& to) {
  using C = typename From::complex_type;
  using A = typename ComplexTraits<C>::scalar;
  using S = typename ComplexTraits<C>::real;
  for (int k = 0; k < 6; ++k) to.store(k, from.load(k));
  with_step(step, adjoint, [&]<int Step, bool Adjoint>() {
    for (int r = 0; r < 2; ++r) {
      // psi_r + i^phase psi_column: the zero must be -0 where it is added and 0 where it is subtracted.
      const auto row = spin::gamma_row(Step % 4, r);
      const int phase = (row.phase + spin::sign_of(Step, Adjoint)) % 4;
      const A re = phase == 0 || phase == 1 ? A(-0.0) : A(0.0), im = phase == 0 || phase == 3 ? A(-0.0) : A(0.0);
      for (int c = 0; c < 3; ++c) to.store(3 * row.column + c, C{S(re), S(im)});
    }
  });
}

// Spinors of jobs, `count` side by side.
template <class T, int W, bool Pack>
void run(const HaloPart& part, const HaloJobs& jobs) {
  const HaloJob& any = jobs.jobs[0];
  const int count = part.words * part.word / (24 * int(sizeof(T))), origin = any.origin;
  const bool adjoint = part.option != 0;
  const ParityAccess<T, 24, W> field{reinterpret_cast<T*>(part.data), count};
  const double sites = double(jobs.entries()) * (any.whole_tiles ? W : 1);
  const Kernel kernel{Pack ? "pack half spinors" : "unpack half spinors", sites * count * 36 * sizeof(T)};
  if (any.whole_tiles)
    parallel_for(
        kernel, TilePolicy<FieldSpace>(jobs.space, int(jobs.entries()), W, count), TRELLIS_KERNEL(int entry, int n) {
          using S = lanes_t<T, W>;
          const auto found = jobs.find(entry);
          const HaloJob& job = jobs.jobs[found.job];
          const auto place = field.at((Pack ? job.own : job.ghosts)[found.entry] - origin, n);
          const NumbersOfTile<S, std::remove_cv_t<decltype(place)>> full{place};
          const NumbersOfTile<S, T*> half{reinterpret_cast<T*>(job.buffer) + (found.entry * count + n) * (12 * W)};
          if (Pack)
            project_spinor(job.way, adjoint, full, half);
          else
            complete_spinor(job.way, adjoint, half, full);
        });
  else if (W > 1)
    parallel_for(
        kernel, RangePolicy<FieldSpace>(jobs.space, 0, jobs.entries() * count), TRELLIS_KERNEL(Index n) {
          const auto found = jobs.find(n / count);
          const HaloJob& job = jobs.jobs[found.job];
          const int vector = int(n % count), site = (Pack ? job.own : job.ghosts)[found.entry];
          const Index spinor = Index(site / W - origin) * count + vector;
          const auto full = numbers_of_site<W>(field.data + spinor * (24 * W) + site % W * lane_group);
          const NumbersOfSite<T> half{reinterpret_cast<T*>(job.buffer) + (found.entry * count + vector) * 12, 2, 1};
          if (Pack)
            project_spinor(job.way, adjoint, full, half);
          else
            complete_spinor(job.way, adjoint, half, full);
        });
}

}  // namespace

template <class T, int W>
HaloPart projected_spinors(const SpinorField<T, W>& in, HopSign sign) {
  HaloPart part = in.halo_parts()[0];
  part.sent_words /= 2;
  part.pack = run<T, W, true>;
  part.unpack = run<T, W, false>;
  part.option = sign == HopSign::plain ? 0 : 1;
  return part;
}

#define TRELLIS_INSTANTIATE(T, W) template HaloPart projected_spinors<T, W>(const SpinorField<T, W>&, HopSign);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
