// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/link_halo.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/halo/complex_numbers.hpp"
#include "trellis/lattice/halo/halo_jobs.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge {

namespace {

template <class From, class To>
TRELLIS_INLINE void keep_two_rows(const From& from, const To& to) {
  for (int k = 0; k < 6; ++k) to.store(k, from.load(k));
}

template <class From, class To>
TRELLIS_INLINE void restore_third_row(const From& from, const To& to) {
  using S = typename ComplexTraits<typename From::complex_type>::real;
  Matrix<S> u;
  for (int k = 0; k < 6; ++k) u.e[k / 3][k % 3] = from.load(k);
  complete_third_row(u);
  for (int k = 0; k < 9; ++k) to.store(k, u.e[k / 3][k % 3]);
}

template <class T, int W, bool Pack>
void move_two_rows(const HaloPart& part, const HaloJobs& jobs) {
  const HaloJob& any = jobs.jobs[0];
  const int origin = any.origin;
  T* const field = reinterpret_cast<T*>(part.data);
  const double sites = double(jobs.entries()) * (any.whole_tiles ? W : 1);
  const Kernel kernel{Pack ? "pack halo" : "unpack halo", sites * 2 * 48 * sizeof(T)};
  if (any.whole_tiles)
    parallel_for(
        kernel, TilePolicy<FieldSpace>(jobs.space, int(jobs.entries()), W, 4), TRELLIS_KERNEL(int entry, int mu) {
          using S = lanes_t<T, W>;
          const auto found = jobs.find(entry);
          const HaloJob& job = jobs.jobs[found.job];
          const Index tile = (Pack ? job.own : job.ghosts)[found.entry] - origin;
          const NumbersOfTile<S, T*> link{field + (tile * 4 + mu) * (18 * W)};
          const NumbersOfTile<S, T*> rows{reinterpret_cast<T*>(job.buffer) + (found.entry * 4 + mu) * (12 * W)};
          if (Pack)
            keep_two_rows(link, rows);
          else
            restore_third_row(rows, link);
        });
  else if (W > 1)
    parallel_for(
        kernel, RangePolicy<FieldSpace>(jobs.space, 0, jobs.entries() * 4), TRELLIS_KERNEL(Index n) {
          const auto found = jobs.find(n / 4);
          const HaloJob& job = jobs.jobs[found.job];
          const Index mu = n % 4, site = (Pack ? job.own : job.ghosts)[found.entry];
          const auto link =
              numbers_of_site<W>(field + ((site / W - origin) * 4 + mu) * (18 * W) + site % W * lane_group);
          const NumbersOfSite<T> rows{reinterpret_cast<T*>(job.buffer) + (found.entry * 4 + mu) * 12, 2, 1};
          if (Pack)
            keep_two_rows(link, rows);
          else
            restore_third_row(rows, link);
        });
}

}  // namespace

template <class T, int W>
HaloPart part_of_links(const GaugeField<T, W>& u, int first, int count) {
  constexpr int words_of_link = 18 / lane_group;
  HaloPart part = plain_part(u.view().data(), int(sizeof(T)) * lane_group, 4 * words_of_link);
  part.option = first * words_of_link;
  part.sent_words = count * words_of_link;
  return part;
}

template <class T, int W>
void exchange_direction(const GaugeField<T, W>& u, int mu, Reach reach) {
  const HaloPart part = part_of_links(u, mu, 1);
  exchange_parts(u.lattice(), Halo::both, reach, Faces::all, {&part, 1});
}

template <class T, int W>
ExchangeUnderWay begin_exchange(const GaugeField<T, W>& u, Reach reach) {
  const HaloPart part = part_of_links(u, 0, 4);
  return {u.lattice(), Halo::both, reach, Faces::all, {&part, 1}};
}

template <class T, int W>
ExchangeUnderWay begin_unitary_exchange(const GaugeField<T, W>& u, Reach reach) {
  HaloPart part = part_of_links(u, 0, 4);
  part.sent_words = 48 / lane_group;
  part.pack = move_two_rows<T, W, true>;
  part.unpack = move_two_rows<T, W, false>;
  return {u.lattice(), Halo::both, reach, Faces::all, {&part, 1}};
}

template <class T, int W>
void exchange_unitary(const GaugeField<T, W>& u, Reach reach) {
  begin_unitary_exchange(u, reach).finish();
}

#define TRELLIS_INSTANTIATE(T, W)                                                 \
  template HaloPart part_of_links<T, W>(const GaugeField<T, W>&, int, int);       \
  template ExchangeUnderWay begin_exchange<T, W>(const GaugeField<T, W>&, Reach); \
  template void exchange_direction<T, W>(const GaugeField<T, W>&, int, Reach reach);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W)                                                  \
  template void exchange_unitary<float, W>(const GaugeField<float, W>&, Reach); \
  template ExchangeUnderWay begin_unitary_exchange<float, W>(const GaugeField<float, W>&, Reach);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
