// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sources of staggered propagators at or around a site x0, colour vectors side by side:
//   point         delta(x, x0), one vector for each colour
//   corner_wall   one at the sites of the slice x_t = x0_t whose x, y, z differ from x0's by even numbers: one corner
//                 of each spatial cube of side 2. One vector for each colour
//   even_wall     one at the sites of that slice with an even sum of the differences, likewise
//   even_odd_wall one at all sites of that slice, likewise
//   z2_wall       noise on the sites of the corner wall, any number of vectors: +-1 in each colour
//   z4_wall       the same with (+-1 +- i) / sqrt(2)
//   u1_wall       the same with exp(2 pi i u), u uniform
// The corner wall and those of even, or even and odd, sites need gauge-fixed links: their correlators contain products
// of different source sites, which are mostly noise on other links. With noise sources such products average to zero
// for any links (M. Foster and C. Michael, Phys. Rev. D 59 (1999) 074503), and one corner of each cube is enough to
// tell the tastes of all local operators apart.

#include <string_view>

#include "trellis/core/base/named.hpp"
#include "trellis/core/random.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

enum class StaggeredSource {
  point,
  corner_wall,
  even_wall,
  even_odd_wall,
  even_minus_odd_wall,  // minus one at the odd sites: the other quark of a pion_scalar from an even_odd_wall
  z2_wall,
  z4_wall,
  u1_wall
};

inline constexpr std::array<NamedValue<StaggeredSource>, 7> staggered_sources{{
    {"point", StaggeredSource::point},
    {"corner_wall", StaggeredSource::corner_wall},
    {"even_wall", StaggeredSource::even_wall},
    {"even_odd_wall", StaggeredSource::even_odd_wall},
    {"z2_wall", StaggeredSource::z2_wall},
    {"z4_wall", StaggeredSource::z4_wall},
    {"u1_wall", StaggeredSource::u1_wall},
}};

constexpr bool is_noise(StaggeredSource s) {
  return s == StaggeredSource::z2_wall || s == StaggeredSource::z4_wall || s == StaggeredSource::u1_wall;
}
// True if its correlators depend on the gauge.
constexpr bool wants_gauge_fixing(StaggeredSource s) { return !is_noise(s) && s != StaggeredSource::point; }
// True if it has other sites than the corners of spatial cubes, and so makes pion and pion_scalar only.
constexpr bool is_wall_of_parities(StaggeredSource s) {
  return s == StaggeredSource::even_wall || s == StaggeredSource::even_odd_wall ||
         s == StaggeredSource::even_minus_odd_wall;
}

inline constexpr RandomPurpose staggered_wall_purpose{12};

// Noise: vector n is drawn with number first_draw + n. The others need three vectors, and do not draw. InputError for
// a site outside the lattice.
template <int W>
void staggered_source(StaggeredSource kind, const Coordinate& x0, const RandomStream& stream, std::uint32_t first_draw,
                      const FullVectors<double, W>& b);

}  // namespace trellis::measure
