// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/certified_file.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::app {
namespace {

template <int W>
bool holds(const std::filesystem::path& file, const GaugeField<double, W>& u) {
  const GaugeField<double, W> found(u.lattice(), "links of a file");
  io::read_links(io::GaugeReader(file, {.open_in_time = true}, u.lattice().ranks()), file, found);
  found.exchange();
  u.exchange();
  return fingerprint(found) == fingerprint(u);
}

}  // namespace

template <int W>
void write_certified(hmc::Certificate<double, W>* certificate, const std::filesystem::path& file,
                     const GaugeField<double, W>& u, const std::function<GaugeField<double, W>()>& expected,
                     const std::function<void()>& write) {
  if (certificate == nullptr) return write();
  for (bool again = false;; again = true) {
    certificate->check_at_rest(u, "before " + file.string() + " is written");
    write();
    if (holds(file, expected())) return;
    if (again) fail("{}: does not hold the links that were written to it, twice", file.string());
    certificate->found(file.string() + ": does not hold the links that were written to it; it is written again");
  }
}

#define TRELLIS_INSTANTIATE(W)                                                                                  \
  template void write_certified<W>(hmc::Certificate<double, W>*, const std::filesystem::path&,                  \
                                   const GaugeField<double, W>&, const std::function<GaugeField<double, W>()>&, \
                                   const std::function<void()>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
