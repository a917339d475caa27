// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/hisq_links.hpp"

#include <optional>

#include "trellis/core/base/log.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/improved/link_gradient.hpp"
#include "trellis/gauge/smearing/improved/path_smearing.hpp"
#include "trellis/gauge/smearing/improved/unitary_projection.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::gauge {

template <class T, int W>
struct HisqLinks<T, W>::Work {
  GaugeField<T, W> thin, fat7, fat;  // U, V, X
  LongLinks<T, W> far;               // L, W
  GaugeField<T, W> by_unitary, by_thin;
  PathWork<T, W> paths;
  std::optional<std::uint64_t> of;  // fingerprint of thin when it was smeared
  double filtered = 0, reported = 0;

  explicit Work(const Lattice& lattice)
      : fat7(lattice, "Fat7 links"),
        fat(lattice, "fat links"),
        far{GaugeField<T, W>(lattice, "long links"), GaugeField<T, W>(lattice, "unitary links")} {}
  void report_filter(double links, double cut_off);
};

template <class T, int W>
void HisqLinks<T, W>::Work::report_filter(double links, double cut_off) {
  filtered += links;
  if (filtered == 0 || filtered < 2 * reported) return;
  reported = filtered;
  log_warning("the force filter of HISQ links, {}, has acted on {} links so far", cut_off, filtered);
}

template <class T, int W>
HisqLinks<T, W>::HisqLinks(const Lattice& lattice, double force_filter) : force_filter_(force_filter) {
  if (!(force_filter >= 0 && force_filter <= 1))
    fail_input("HISQ links: a force filter of {}; it must be from 0 to 1", force_filter);
  work_ = std::make_shared<Work>(lattice);
}

template <class T, int W>
const GaugeField<T, W>& HisqLinks<T, W>::smear(const GaugeField<T, W>& u) const {
  Work& work = *work_;
  work.thin = u;
  const std::uint64_t found = fingerprint(u);
  if (work.of == found) return work.fat;
  work.of.reset();
  const GaugeField<T, W>& unitary = work.far.one_step;
  make_fat_links(fat7_coefficients.fat, u, work.fat7, work.paths);
  project_to_unitary(work.fat7, unitary);
  make_fat_links(hisq_coefficients.fat, unitary, work.fat, work.paths);
  unitary.exchange(Reach::two_steps);
  make_long_links(hisq_coefficients.naik, unitary, work.far.three_steps);
  work.of = found;
  return work.fat;
}

template <class T, int W>
void HisqLinks<T, W>::forget() const {
  work_->of.reset();
}

template <class T, int W>
const LongLinks<T, W>* HisqLinks<T, W>::long_links() const {
  return &work_->far;
}

template <class T, int W>
double HisqLinks<T, W>::filtered() const {
  return work_->filtered;
}

template <class T, int W>
void HisqLinks<T, W>::add_force(const GaugeField<T, W>& derivative, const LongLinks<T, W>* by_long, double step,
                                const AlgebraField<T, W>& p) const {
  Work& work = *work_;
  if (!work.thin.is_allocated()) fail("HISQ links: a force was requested before links were smeared");
  if (!work.by_thin.is_allocated()) {
    work.by_unitary = GaugeField<T, W>(p.lattice(), "gradient of unitary links");
    work.by_thin = GaugeField<T, W>(p.lattice(), "gradient of links");
  }
  const GaugeField<T, W>& unitary = work.far.one_step;
  find_path_gradient(hisq_coefficients, unitary, derivative, by_long != nullptr ? &by_long->three_steps : nullptr,
                     work.by_unitary, work.paths);
  work.report_filter(transpose_projection(work.fat7, unitary, by_long != nullptr ? &by_long->one_step : nullptr,
                                          force_filter_, work.by_unitary),
                     force_filter_);
  const GaugeField<T, W>& by_fat7 = work.by_unitary;
  find_path_gradient<T, W>(fat7_coefficients, work.thin, by_fat7, nullptr, work.by_thin, work.paths);
  add_force_of_gradient(work.thin, work.by_thin, step, p);
}

template <class T, int W>
void HisqLinks<T, W>::add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const {
  add_force(derivative, nullptr, step, p);
}

template <class T, int W>
void HisqLinks<T, W>::add_force_with_long(const GaugeField<T, W>& derivative, const LongLinks<T, W>& by_long,
                                          double step, const AlgebraField<T, W>& p) const {
  add_force(derivative, &by_long, step, p);
}

#define TRELLIS_INSTANTIATE(T, W) template class HisqLinks<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
