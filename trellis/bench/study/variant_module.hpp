// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bodies of the study's variants for registers take as long to compile as the rest of this room, so they are a
// separate module (target trellis_wilson_variants), which is loaded when a variant is requested (child_program.hpp says
// from where). Where lanes are threads the bodies are part of the program.

#include <string>

#include "trellis/bench/study/variant_bodies.hpp"
#include "trellis/core/simd.hpp"

namespace trellis::bench::study {

struct WilsonVariantModule {
  CompiledBodies<float> single;
  CompiledBodies<double> double_;
  std::string why_none;  // if there is no module: one sentence that says what to do
};

// What must have been the same when the module and the program were compiled.
inline std::string wilson_variant_interface() {
  return fmt::format("{}; registers of {} bytes; arguments of {} and {} bytes, bodies of {}", __VERSION__,
                     backend::most_lane_bytes, sizeof(BodyArguments<float>), sizeof(BodyArguments<double>),
                     sizeof(CompiledBody<float>));
}

// Loads the module on the first call, if there is one.
const WilsonVariantModule& wilson_variant_module();

}  // namespace trellis::bench::study

// What the module exports.
extern "C" {
std::string* trellis_wilson_variant_interface();
void trellis_add_wilson_variants(trellis::bench::study::WilsonVariantModule* to);
}
