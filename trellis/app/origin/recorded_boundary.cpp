// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/recorded_boundary.hpp"

#include "trellis/app/input/input_boundary.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"

namespace trellis::app {

std::optional<gauge::Boundary> recorded_boundary(const std::filesystem::path& file) {
  try {
    return parse_boundary(io::read_input_text(file), "trellis-input");
  } catch (const Error&) {  // no such record
    return std::nullopt;
  }
}

std::optional<gauge::Boundary> recorded_functional(const std::filesystem::path& file) {
  const auto boundary = recorded_boundary(file);
  return boundary && boundary->kind == gauge::BoundaryKind::schroedinger_functional ? boundary : std::nullopt;
}

}  // namespace trellis::app
