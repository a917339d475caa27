// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/one_level_links.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/improved/link_gradient.hpp"
#include "trellis/gauge/smearing/improved/open_ends.hpp"
#include "trellis/gauge/smearing/improved/path_smearing.hpp"
#include "trellis/gauge/smearing/last_smeared.hpp"

namespace trellis::gauge {

template <class T, int W>
struct OneLevelLinks<T, W>::Work {
  LastSmeared<T, W> last;
  GaugeField<T, W> fat, gradient;
  LongLinks<T, W> far;
  PathWork<T, W> paths;
};

template <class T, int W>
OneLevelLinks<T, W>::OneLevelLinks(const ImprovedCoefficients& coefficients, const Lattice& lattice, bool is_open)
    : coefficients_(coefficients), is_open_(is_open), work_(std::make_shared<Work>()) {
  work_->fat = GaugeField<T, W>(lattice, "fat links");
  if (coefficients.naik != 0) work_->far.three_steps = GaugeField<T, W>(lattice, "long links");
}

template <class T, int W>
const GaugeField<T, W>& OneLevelLinks<T, W>::smear(const GaugeField<T, W>& u) const {
  Work& work = *work_;
  const bool with_long = coefficients_.naik != 0;
  if (with_long) {
    work.far.one_step = u;
    u.exchange(Reach::two_steps);  // before the fingerprint, which contains them
  }
  work.last.take(u, [&] {
    make_fat_links(coefficients_.fat, u, work.fat, work.paths);
    if (is_open_) correct_fat_links(coefficients_.fat, u, work.fat);
    if (with_long) make_long_links(coefficients_.naik, u, work.far.three_steps);
  });
  return work.fat;
}

template <class T, int W>
void OneLevelLinks<T, W>::forget() const {
  work_->last.forget();
}

template <class T, int W>
const LongLinks<T, W>* OneLevelLinks<T, W>::long_links() const {
  return coefficients_.naik != 0 ? &work_->far : nullptr;
}

template <class T, int W>
void OneLevelLinks<T, W>::add_force(const GaugeField<T, W>& derivative, const LongLinks<T, W>* by_long, double step,
                                    const AlgebraField<T, W>& p) const {
  Work& work = *work_;
  work.last.require_smeared("improved links");
  if (by_long != nullptr && coefficients_.naik == 0) fail("these smeared links have no long ones");
  if (!work.gradient.is_allocated()) work.gradient = GaugeField<T, W>(p.lattice(), "gradient of links");
  find_path_gradient(coefficients_, work.last.thin(), derivative, by_long != nullptr ? &by_long->three_steps : nullptr,
                     work.gradient, work.paths);
  if (is_open_) correct_gradient(coefficients_.fat, derivative, work.gradient);
  if (by_long != nullptr) add_derivative(by_long->one_step, work.gradient);
  add_force_of_gradient(work.last.thin(), work.gradient, step, p);
}

#define TRELLIS_INSTANTIATE(T, W) template class OneLevelLinks<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
