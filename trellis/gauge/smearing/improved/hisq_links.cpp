// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/hisq_links.hpp"

#include <atomic>

#include "trellis/core/base/log.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/improved/link_gradient.hpp"
#include "trellis/gauge/smearing/improved/open_ends.hpp"
#include "trellis/gauge/smearing/improved/path_smearing.hpp"
#include "trellis/gauge/smearing/improved/unitary_projection.hpp"
#include "trellis/gauge/smearing/last_smeared.hpp"

namespace trellis::gauge {
namespace {

std::atomic<double> filtered_in_process{0};

}  // namespace

double filtered_hisq_links() { return filtered_in_process; }

template <class T, int W>
struct HisqLinks<T, W>::Work {
  LastSmeared<T, W> last;      // U
  GaugeField<T, W> fat7, fat;  // V, X
  LongLinks<T, W> far;         // L, W
  GaugeField<T, W> by_unitary, by_thin;
  PathWork<T, W> paths;
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
  filtered_in_process += links;
  if (filtered == 0 || filtered < 2 * reported) return;
  reported = filtered;
  log_warning("the force filter of HISQ links, {}, has acted on {} so far", cut_off,
              plural(std::int64_t(filtered), "link"));
}

template <class T, int W>
HisqLinks<T, W>::HisqLinks(const Lattice& lattice, double force_filter, bool is_open)
    : force_filter_(force_filter), is_open_(is_open) {
  if (!(force_filter >= 0 && force_filter <= 1))
    fail_input("HISQ links: a force filter of {}; it must be from 0 to 1", force_filter);
  work_ = std::make_shared<Work>(lattice);
}

template <class T, int W>
const GaugeField<T, W>& HisqLinks<T, W>::smear(const GaugeField<T, W>& u) const {
  Work& work = *work_;
  work.last.take(u, [&] {
    const GaugeField<T, W>& unitary = work.far.one_step;
    make_fat_links(fat7_coefficients.fat, u, work.fat7, work.paths);
    project_to_unitary(work.fat7, unitary, is_open_);
    make_fat_links(hisq_coefficients.fat, unitary, work.fat, work.paths);
    if (is_open_) correct_fat_links(hisq_coefficients.fat, unitary, work.fat);
    unitary.exchange(Reach::two_steps);
    make_long_links(hisq_coefficients.naik, unitary, work.far.three_steps);
  });
  return work.fat;
}

template <class T, int W>
void HisqLinks<T, W>::forget() const {
  work_->last.forget();
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
  work.last.require_smeared("HISQ links");
  if (!work.by_thin.is_allocated()) {
    work.by_unitary = GaugeField<T, W>(p.lattice(), "gradient of unitary links");
    work.by_thin = GaugeField<T, W>(p.lattice(), "gradient of links");
  }
  const GaugeField<T, W>& unitary = work.far.one_step;
  find_path_gradient(hisq_coefficients, unitary, derivative, by_long != nullptr ? &by_long->three_steps : nullptr,
                     work.by_unitary, work.paths);
  if (is_open_) correct_gradient(hisq_coefficients.fat, derivative, work.by_unitary);
  work.report_filter(transpose_projection(work.fat7, unitary, by_long != nullptr ? &by_long->one_step : nullptr,
                                          force_filter_, work.by_unitary, is_open_),
                     force_filter_);
  const GaugeField<T, W>& by_fat7 = work.by_unitary;
  find_path_gradient<T, W>(fat7_coefficients, work.last.thin(), by_fat7, nullptr, work.by_thin, work.paths);
  add_force_of_gradient(work.last.thin(), work.by_thin, step, p);
}

#define TRELLIS_INSTANTIATE(T, W) template class HisqLinks<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
