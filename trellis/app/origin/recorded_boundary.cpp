// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/recorded_boundary.hpp"

#include "trellis/app/input/input_boundary.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {

std::optional<gauge::Boundary> recorded_boundary(const std::filesystem::path& file) {
  try {
    const auto records = io::read_run_records(file);
    if (!records.input.empty()) return parse_boundary(records.input, io::input_record);
    if (!records.provenance.empty()) return boundary_in_lines(io::own_lines(records.provenance), io::provenance_record);
    return boundary_in_lines(io::functional_lines(io::GaugeReader(file).info().header), file.string());
  } catch (const Error&) {  // records of a later version
    return std::nullopt;
  }
}

bool has_recorded_weights(const std::filesystem::path& file) {
  try {
    const auto input = io::read_run_records(file).input;
    return !input.empty() && !parse_boundary(input, io::input_record).is_periodic();
  } catch (const Error&) {
    return false;
  }
}

std::optional<gauge::Boundary> recorded_functional(const std::filesystem::path& file) {
  const auto boundary = recorded_boundary(file);
  return boundary && boundary->kind == gauge::BoundaryKind::schroedinger_functional ? boundary : std::nullopt;
}

std::string functional_text(const gauge::Boundary& boundary) {
  if (boundary.kind != gauge::BoundaryKind::schroedinger_functional) return {};
  const auto known = [](const std::array<double, 3>& angles) {
    return angles == std::array<double, 3>{} ? std::nullopt : std::optional(angles);
  };
  return io::functional_text(boundary.extent, known(boundary.phi), known(boundary.phi_prime));
}

}  // namespace trellis::app
