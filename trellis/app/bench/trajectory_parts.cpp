// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/trajectory_parts.hpp"

#include <algorithm>

namespace trellis::app {
namespace {

using Part = TrajectoryPart;

struct KernelOfPart {
  std::string_view kernel;
  Part part;
};

constexpr KernelOfPart kernels_of_parts[] = {
    {"staggered operator", Part::solvers},
    {"staggered hops", Part::solvers},
    {"CG steps", Part::solvers},
    {"multi-shift steps", Part::solvers},
    {"Lanczos steps", Part::solvers},
    {"multi-shift update", Part::solvers},
    {"shifted residual", Part::solvers},
    {"next direction", Part::solvers},
    {"residuals", Part::solvers},
    {"norms", Part::solvers},
    {"broadcast", Part::solvers},
    {"update residual", Part::solvers},
    {"update solution", Part::solvers},
    {"subtract", Part::solvers},
    {"add scaled", Part::solvers},
    {"add shift", Part::solvers},
    {"subtract and project", Part::solvers},
    {"scale and add", Part::solvers},
    {"gather vectors", Part::solvers},
    {"scatter vectors", Part::solvers},
    {"clear vector", Part::solvers},
    {"zero vectors", Part::solvers},
    {"convert vectors", Part::solvers},
    {"sum of poles", Part::solvers},
    {"overlaps with poles", Part::solvers},
    {"normal vector", Part::solvers},
    {"scale", Part::solvers},
    {"Lanczos residual", Part::solvers},
    {"pack links", Part::solvers},
    {"links with epsilon", Part::solvers},
    {"largest number of links", Part::solvers},
    {"gauge force", Part::gauge_force},
    {"gauge force with rectangles", Part::gauge_force},
    {"gauge force of parallelograms", Part::gauge_force},
    {"add forces of parallelograms", Part::gauge_force},
    {"plaquettes", Part::gauge_force},
    {"add waiting forces", Part::gauge_force},
    {"stout staples", Part::smearing},
    {"stout links", Part::smearing},
    {"stout exponentials", Part::smearing},
    {"stout force", Part::smearing},
    {"add force of stout links", Part::smearing},
    {"zero links", Part::smearing},
    {"fat links", Part::smearing},
    {"fat links without staples", Part::smearing},
    {"staples of fat links", Part::smearing},
    {"double staples of fat links", Part::smearing},
    {"long links", Part::smearing},
    {"projection to U(3)", Part::smearing},
    {"derivative by fat links", Part::smearing},
    {"derivative by long links", Part::smearing},
    {"derivative of the projection", Part::smearing},
    {"add derivative by links", Part::smearing},
    {"add force of improved links", Part::smearing},
    {"add links", Part::smearing},
    {"staggered force", Part::fermion_force},
    {"update links", Part::links},
    {"displace links", Part::links},
    {"heatbath", Part::links},
    {"overrelaxation", Part::links},
    {"copy halo", Part::messages},
    {"pack halo", Part::messages},
    {"unpack halo", Part::messages},
    {"send halo", Part::messages},
    {"wait for halo", Part::messages},
    {"sum over ranks", Part::messages},
};

}  // namespace

std::string_view name_of(TrajectoryPart part) {
  constexpr std::array<std::string_view, trajectory_parts> names{
      "solvers", "gauge force", "smearing", "fermion force", "links", "messages", "other kernels", "outside kernels"};
  return names[std::size_t(part)];
}

TrajectoryPart part_of(std::string_view kernel) {
  const auto* const found = std::ranges::find(kernels_of_parts, kernel, &KernelOfPart::kernel);
  return found == std::end(kernels_of_parts) ? Part::other_kernels : found->part;
}

PartSeconds part_seconds(const std::vector<KernelTotals>& kernels, double seconds) {
  PartSeconds parts{};
  double inside = 0;
  for (const auto& kernel : kernels) {
    parts[std::size_t(part_of(kernel.name))] += kernel.seconds;
    inside += kernel.seconds;
  }
  parts[std::size_t(Part::outside_kernels)] = std::max(0.0, seconds - inside);
  return parts;
}

}  // namespace trellis::app
