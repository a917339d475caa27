// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bench/spmd/dslash.hpp"
#include "reference/wilson.hpp"

namespace trellis::bench::spmd {
namespace {

reference::Site site_of(const std::vector<int>& size) { return {size.at(0), size.at(1), size.at(2), size.at(3)}; }

reference::GaugeConfiguration links_of(const std::vector<int>& size) {
  return reference::hot_configuration(site_of(size), 20);
}
// The reference computes only two vectors; the others are multiples of these.
reference::SpinorField spinors_of(const std::vector<int>& size, int which) {
  return reference::random_spinors(site_of(size), static_cast<std::uint64_t>(21 + which));
}
double factor(int vector) { return 1 + vector / 2; }

// f(index in memory, one of two spinor fields, site, component, imaginary part?, factor)
template <class F>
void for_each_number(int volume, const F& f) {
  Index at = 0;
  for (int site = 0; site < volume; ++site)
    for (int component = 0; component < 12; ++component)
      for (int imaginary = 0; imaginary < 2; ++imaginary)
        for (int vector = 0; vector < dslash_vectors; ++vector)
          f(at++, vector % 2, site, component, imaginary, factor(vector));
}

double part(const reference::Complex& z, int imaginary) { return imaginary == 1 ? z.imag() : z.real(); }

}  // namespace

DslashData::DslashData(const std::vector<int>& size) {
  const reference::GaugeConfiguration u = links_of(size);
  const int sites = u.volume();
  links = View<float*, HostSpace>("links", Index(4) * sites * 18);
  in = View<float*, HostSpace>("in", Index(sites) * 24 * dslash_vectors);
  neighbours = View<int*, HostSpace>("neighbours", Index(8) * sites);
  for (int n = 0; n < sites; ++n) {
    for (int mu = 0; mu < 4; ++mu) {
      const reference::Site x = u.site(n);
      neighbours((2 * mu) * sites + n) = u.index(reference::shift(x, mu));
      neighbours((2 * mu + 1) * sites + n) = u.index(reference::shift(x, mu, -1));
      for (int k = 0; k < 9; ++k) {
        for (int i = 0; i < 2; ++i) {
          links((Index(mu) * sites + n) * 18 + 2 * k + i) = static_cast<float>(part(u.link(x, mu)[std::size_t(k)], i));
        }
      }
    }
  }
  const reference::SpinorField two[2] = {spinors_of(size, 0), spinors_of(size, 1)};
  for_each_number(sites, [&](Index at, int which, int site, int component, int imaginary, double times) {
    in(at) = static_cast<float>(times * part(two[which][std::size_t(site)][std::size_t(component)], imaginary));
  });
}

std::string check_dslash(const std::vector<int>& size, const View<float*, HostSpace>& out) {
  static std::map<std::vector<int>, std::vector<reference::SpinorField>> known;
  auto& expected = known[size];
  const reference::GaugeConfiguration u = links_of(size);
  if (expected.empty()) {
    reference::WilsonQuark quark;
    quark.boundary_angle_over_pi = {};
    for (int which = 0; which < 2; ++which) {
      expected.push_back(reference::apply_d(reference::WilsonMatrix(u, quark), spinors_of(size, which)));
    }
  }
  std::string wrong;
  for_each_number(u.volume(), [&](Index at, int which, int site, int component, int imaginary, double times) {
    const double number =
        times * part(expected[std::size_t(which)][std::size_t(site)][std::size_t(component)], imaginary);
    if (!(std::fabs(double(out(at)) - number) <= 2e-5 * times) && wrong.empty()) {
      wrong = fmt::format("component {} of vector {} at site {} is {}, not {}", component, at % dslash_vectors, site,
                          out(at), number);
    }
  });
  return wrong;
}

}  // namespace trellis::bench::spmd
