// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/site_map.hpp"

#include "trellis/lattice/dispatch.hpp"

namespace trellis {

SiteMap::SiteMap(const Lattice& from, const Lattice& to) : from_(from), to_(to), sources_("site map", to.volume()) {
  if (from.size() != to.size()) fail("site map: the two lattices differ in size");
  if (from.order() != SiteOrder::even_odd || to.order() != SiteOrder::even_odd)
    fail("site map: both lattices must be in even/odd order");
  const Lattice &source = from_, &target = to_;
  std::int32_t* sources = sources_.data();
  parallel_for("site map", RangePolicy<FieldSpace>(0, to.volume()), [=, &source, &target](Index n) {
    const Coordinate x = source.coordinate(n);
    sources[target.index(x)] = static_cast<std::int32_t>(source.index(x));
  });
}

namespace site_map_detail {

template <class To, class From>
void gather(const SiteMap& map, std::int64_t first, std::int64_t count, int reals, const From* from, To* to) {
  const int from_lanes = map.from().lanes(), to_lanes = map.to().lanes();
  const std::int32_t* sources = map.sources();
  const int origin = static_cast<int>(first);
  const double bytes = double(count) * (reals * double(sizeof(From) + sizeof(To)) + sizeof(std::int32_t));
  parallel_for({"convert fields", bytes}, RangePolicy<FieldSpace>(0, count / to_lanes), [=](Index tile) {
    To* out = to + tile * reals * to_lanes;
    for (int lane = 0; lane < to_lanes; ++lane) {
      const int source = sources[first + tile * to_lanes + lane] - origin;
      const From* in = from + std::int64_t(source / from_lanes) * reals * from_lanes + source % from_lanes;
      for (int k = 0; k < reals; ++k) out[k * to_lanes + lane] = static_cast<To>(in[k * from_lanes]);
    }
  });
}

template void gather(const SiteMap&, std::int64_t, std::int64_t, int, const double*, float*);
template void gather(const SiteMap&, std::int64_t, std::int64_t, int, const float*, double*);
template void gather(const SiteMap&, std::int64_t, std::int64_t, int, const double*, double*);
template void gather(const SiteMap&, std::int64_t, std::int64_t, int, const float*, float*);

}  // namespace site_map_detail

}  // namespace trellis
