// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/recorded_boundary.hpp"

#include <fmt/format.h>

#include "trellis/app/input/input_boundary.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {
namespace {

// Of a file that has no record of a run's input.
std::vector<std::pair<std::string, std::string>> boundary_lines(const std::filesystem::path& file,
                                                                const io::RunRecords& records) {
  return records.provenance.empty() ? io::functional_lines(io::GaugeReader(file).info().header)
                                    : io::own_lines(records.provenance);
}

}  // namespace

std::optional<gauge::Boundary> recorded_boundary(const std::filesystem::path& file) {
  try {
    const auto records = io::read_run_records(file);
    if (!records.input.empty()) return parse_boundary(records.input, io::input_record);
    return boundary_in_lines(boundary_lines(file, records),
                             records.provenance.empty() ? file.string() : io::provenance_record);
  } catch (const Error&) {  // records of a later version
    return std::nullopt;
  }
}

bool has_recorded_weights(const std::filesystem::path& file) {
  try {
    const auto records = io::read_run_records(file);
    if (!records.input.empty()) return !parse_boundary(records.input, io::input_record).is_periodic();
    return io::find_key(boundary_lines(file, records), "c_G") != nullptr;
  } catch (const Error&) {
    return false;
  }
}

std::optional<gauge::Boundary> recorded_functional(const std::filesystem::path& file) {
  const auto boundary = recorded_boundary(file);
  return boundary && boundary->kind == gauge::BoundaryKind::schroedinger_functional ? boundary : std::nullopt;
}

std::string functional_text(const gauge::Boundary& boundary, bool with_weights) {
  if (boundary.kind != gauge::BoundaryKind::schroedinger_functional) return {};
  const auto known = [](const std::array<double, 3>& angles) {
    return angles == std::array<double, 3>{} ? std::nullopt : std::optional(angles);
  };
  auto text = io::functional_text(boundary.extent, known(boundary.phi), known(boundary.phi_prime));
  if (!with_weights) return text;
  text += fmt::format("c_G = {}\nc1 = {}\n", boundary.c_g, boundary.c1);
  const bool weighted = boundary.rectangles == gauge::BoundaryRectangles::weighted;
  if (boundary.c1 != 0 || weighted)
    text += fmt::format("boundary_rectangles = \"{}\"\n", weighted ? "weighted" : "orbifold");
  if (weighted) text += fmt::format("c_G_rectangles = {}\n", boundary.c_g_rectangles);
  if (boundary.has_parallelograms) text += "parallelograms = true\n";
  return text;
}

}  // namespace trellis::app
