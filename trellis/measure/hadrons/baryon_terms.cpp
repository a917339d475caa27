// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/baryon_terms.hpp"

#include <algorithm>

namespace trellis::measure {

namespace {

// weight eps_abc (q_0 G q_1) q_2
struct Ordered {
  std::array<int, 3> q;
  double weight;
};

class List {
 public:
  explicit List(const std::array<int, 3>& quarks) : quarks_(quarks) {}

  // Of one baryon with one choice of matrices: all pairs of a term at the sink and one at the source. symmetry: that of
  // G, so that (q G q') = symmetry (q' G q).
  void add(int baryon, const BaryonSpins& spins, const std::vector<Ordered>& sum, int symmetry, double weight) {
    const int number = static_cast<int>(list_.spins.size());
    list_.spins.push_back(spins);
    for (const auto& [sink, sink_weight] : sum)
      for (const auto& [source, source_weight] : sum) {
        const double factor = weight * sink_weight * source_weight;
        const auto sign = [&](int expected) { return source[0] == expected ? 1 : symmetry; };
        if (source[2] == sink[2])
          add_term(baryon, number, sink, factor * sign(sink[0]), 0);
        else if (source[2] == sink[0])
          add_term(baryon, number, sink, 0, factor * sign(sink[2]));
        else
          add_term(baryon, number, {sink[1], sink[0], sink[2]}, 0, factor * symmetry * sign(sink[2]));
      }
  }
  void add_term(int baryon, int spins, const std::array<int, 3>& flavours, double direct, double exchange) {
    BaryonTerm term{{}, spins, baryon, direct, exchange};
    // The first of those with the same propagator.
    for (std::size_t k = 0; k < 3; ++k)
      term.quarks[k] = static_cast<int>(std::find(quarks_.begin(), quarks_.end(), quarks_[std::size_t(flavours[k])]) -
                                        quarks_.begin());
    for (auto& other : list_.terms)
      if (other.baryon == baryon && other.spins == spins &&
          std::equal(std::begin(term.quarks), std::end(term.quarks), std::begin(other.quarks))) {
        other.direct += direct;
        other.exchange += exchange;
        return;
      }
    list_.terms.push_back(term);
  }
  void add_spins(const BaryonSpins& spins) { list_.spins.push_back(spins); }
  int spins() const { return static_cast<int>(list_.spins.size()); }
  BaryonTerms take() { return std::move(list_); }

 private:
  std::array<int, 3> quarks_;
  BaryonTerms list_;
};

}  // namespace

BaryonTerms baryon_terms(const std::array<int, 3>& quarks, const std::vector<std::string>& names) {
  using namespace spin_matrices;
  const SpinMatrix scalar = charge_conjugation * gamma5;
  List list(quarks);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const int baryon = static_cast<int>(n);
    if (names[n] == "proton") {
      list.add_spins(BaryonSpins::of(scalar, scalar, one));
      list.add_term(baryon, list.spins() - 1, {0, 2, 1}, 1, 1);
      if (quarks[0] != quarks[1]) list.add_term(baryon, list.spins() - 1, {1, 2, 0}, 1, 1);
    } else if (names[n] == "lambda") {
      list.add(baryon, BaryonSpins::of(scalar, scalar, one), {{{0, 1, 2}, 2}, {{0, 2, 1}, 1}, {{1, 2, 0}, -1}}, -1,
               1.0 / 6);
    } else {
      // <N_j Nbar_i> with X = delta_ij - gamma_i gamma_j / 3
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          list.add(baryon,
                   BaryonSpins::of(charge_conjugation * gamma[j], charge_conjugation * gamma[i], gamma[i] * gamma[j]),
                   {{{0, 1, 2}, 1}, {{1, 2, 0}, 1}, {{2, 0, 1}, 1}}, 1, 2.0 / 9 * (i == j ? 2.0 / 3 : -1.0 / 3));
    }
  }
  return list.take();
}

}  // namespace trellis::measure
