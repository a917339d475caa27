// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_loops.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"

namespace trellis::app {

template <int W>
void check_defect(const VerifyCase<W>& c, VerifyReport& report) {
  if (!c.input.tempering) return;
  report.section("Tempering: the gauge action of replicas; their sweeps and swaps are not checked");
  const auto& lattice = c.u.lattice();
  const auto parameters = c.input.tempering->parameters();
  try {
    gauge::require_valid(parameters.defect, lattice.size());
  } catch (const InputError& error) {
    report.check("nothing: the defect does not fit this lattice, --size chooses another",
                 [&] { return for_information(fmt::format("length {}", parameters.defect.length)); });
    return;
  }
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  const auto v = displaced(c.u, {}, seed);
  const auto defect = coupled_defect<W>(c.accurate, lattice);
  const auto terms = make_terms<W>(c.accurate, lattice, {}, {}, defect);
  // A middle replica and the last one.
  const auto& couplings = parameters.couplings;
  for (const double coupling : {couplings[couplings.size() / 2], couplings.back()}) {
    if (coupling == defect->coupling) continue;
    defect->coupling = coupling;
    const auto with = fmt::format("with coupling {:.4g}", coupling);
    report.check(fmt::format("change of S in a random step {}, over its bound", with), [&] {
      return compare_energies_with_defect(terms, v, c.u, c.input.action.weights(), parameters.defect, coupling);
    });
    for (const auto& term : terms)
      report.check(fmt::format("force of '{}' {}", term->name(), with), [&] { return check_force(*term, c.u, seed); });
  }
}

#define TRELLIS_INSTANTIATE(W) template void check_defect<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
