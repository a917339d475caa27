// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/site_map.hpp"

#include "trellis/lattice/dispatch.hpp"

namespace trellis {

SiteMap::SiteMap(const Lattice& from, const Lattice& to) : from_(from), to_(to) {
  if (from.size() != to.size()) fail("site map: the two lattices differ in size");
  if (from.order() != SiteOrder::even_odd || to.order() != SiteOrder::even_odd)
    fail("site map: both lattices must be in even/odd order");
  const Lattice &source = from_, &target = to_;
  if (from.local_size() != to.local_size()) fail("site map: the two lattices are cut between ranks in different ways");
  const HostView<std::int32_t*> map("site map", to.places());
  std::int32_t* sources = map.data();
  const int lanes = to.lanes(), tiles = to.tiles() / 2;
  parallel_for("site map", RangePolicy<DefaultHostExecutionSpace>(0, 2 * tiles), [=, &source, &target](Index n) {
    const int tile = target.first_tile(int(n) / tiles) + int(n) % tiles;
    const LaneSites sites = target.host_sites()(tile);
    for (int lane = 0; lane < lanes; ++lane)
      sources[Index(tile) * lanes + lane] = static_cast<std::int32_t>(source.index(source.coordinate(sites[lane])));
  });
  sources_ = in_field_memory(map);
}

namespace site_map_detail {

namespace {
constexpr int most_reals = 72;

// A site's numbers of one vector: the first of them, the distance from one group of them to the next, and their scale
// if they have one.
template <class T>
struct SiteNumbers {
  T* first;
  int group, apart;
  float* scale;

  TRELLIS_INLINE T& operator[](int k) const {
    constexpr bool groups = lane_group == 2 || fields_side_by_side<1>;  // for some fields at least
    return first[groups ? k / group * apart + k % group : k * apart];
  }

  template <class Fields>
  TRELLIS_INLINE static SiteNumbers at(const Fields& fields, int lanes, std::int64_t tile, int lane, int n) {
    const std::int64_t place = tile * fields.vectors + n;
    float* const scale = fields.scales == nullptr ? nullptr : fields.scales + place * lanes + lane;
    if (fields.side_by_side)
      return {fields.data + tile * fields.vectors * fields.reals + 2 * n, 2, 2 * fields.vectors, scale};
    const int group = fields.group;
    return {fields.data + place * fields.reals * lanes + group * lane, group, group * lanes, scale};
  }
};

template <class To, class From>
TRELLIS_INLINE void copy_site(int reals, const SiteNumbers<stored_t<From>>& from, const SiteNumbers<stored_t<To>>& to) {
  arithmetic_t<To> values[most_reals];
  for (int k = 0; k < reals; ++k) {
    if constexpr (is_fixed_point<From>)
      values[k] = float(from[k]) * *from.scale;
    else
      values[k] = static_cast<arithmetic_t<To>>(from[k]);
  }
  if constexpr (is_fixed_point<To>) {
    const auto unit = FixedPointScale<float>::of(values, reals);
    *to.scale = unit.scale;
    for (int k = 0; k < reals; ++k) to[k] = nearest_int16(values[k] * unit.inverse);
  } else {
    for (int k = 0; k < reals; ++k) to[k] = values[k];
  }
}
}  // namespace

template <class To, class From>
void gather(const SiteMap& map, int first, int last, const Numbers<From>& from, const Numbers<To>& to) {
  const int from_lanes = map.from().lanes(), to_lanes = map.to().lanes(), vectors = to.vectors, reals = to.reals;
  const Index half = map.to().local_parity_volume(), count = (last - first + 1) * half;
  const Index from_first = Index(map.from().first_tile(first)) * from_lanes,
              to_odd = Index(map.to().first_tile(1)) * to_lanes;
  const Index to_first = first * to_odd;
  const std::int32_t* sources = map.sources();
  const double bytes =
      double(count) * (vectors * (site_bytes<From>(reals) + site_bytes<To>(reals)) + sizeof(std::int32_t));
  // Of one parity: vectors; otherwise links or momenta.
  parallel_for(
      {first == last ? "convert vectors" : "convert fields", bytes}, RangePolicy<FieldSpace>(0, count),
      TRELLIS_KERNEL(Index n_site) {
        const Index site = n_site < half ? n_site : n_site - half + to_odd;
        const Index source = sources[to_first + site] - from_first;
        for (int n = 0; n < vectors; ++n)
          copy_site<To, From>(
              reals,
              SiteNumbers<stored_t<From>>::at(from, from_lanes, source / from_lanes, int(source % from_lanes), n),
              SiteNumbers<stored_t<To>>::at(to, to_lanes, site / to_lanes, int(site % to_lanes), n));
      });
}

#define TRELLIS_INSTANTIATE(TO, FROM) \
  template void gather(const SiteMap&, int, int, const Numbers<FROM>&, const Numbers<TO>&);
TRELLIS_INSTANTIATE(float, float)
TRELLIS_INSTANTIATE(float, double)
TRELLIS_INSTANTIATE(float, Fixed16)
TRELLIS_INSTANTIATE(double, float)
TRELLIS_INSTANTIATE(double, double)
TRELLIS_INSTANTIATE(double, Fixed16)
TRELLIS_INSTANTIATE(Fixed16, float)
TRELLIS_INSTANTIATE(Fixed16, double)
TRELLIS_INSTANTIATE(Fixed16, Fixed16)
#undef TRELLIS_INSTANTIATE

}  // namespace site_map_detail

}  // namespace trellis
