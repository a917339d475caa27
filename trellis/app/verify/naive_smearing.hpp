// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Smearings of the links that quarks see, path by path, for comparison in `trellis verify`. Formulas: those of
// gauge/smearing (stout.hpp, improved/coefficients.hpp, projected.hpp). Projections by the eigenvectors of V^dagger V.

#include <optional>

#include "trellis/app/verify/naive_links.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::app {

struct NaiveSmearing {
  NaiveLinks fat;
  // With a Naik term: L, and the links w that it is made of.
  std::optional<NaiveLinks> three_steps = {}, one_step = {};

  // What a quark with this epsilon of its Naik term sees: X + epsilon / 8 w and (1 + epsilon) L.
  NaiveHopLinks of(double epsilon) const;
};

// parameters: complete. Nothing for a kind that has no formula here. Cost per link: 85 products of up to seven matrices
// for fat links, twice for HISQ.
std::optional<NaiveSmearing> naive_smearing(const NaiveLinks& u, const gauge::SmearingParameters& parameters);

}  // namespace trellis::app
