// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/configuration_file.hpp"

#include <fmt/format.h>

#include "trellis/app/command.hpp"
#include "trellis/app/run_report.hpp"
#include "trellis/app/same_physics.hpp"
#include "trellis/io/gauge_writer.hpp"
#include "trellis/io/link_stream.hpp"

namespace trellis::app {

void write_configuration(const std::filesystem::path& file, const RunInput& input, std::uint32_t trajectory,
                         const io::LinkSource& links, double plaquette, double link_trace) {
  io::IldgParameters p;
  p.size = input.size;
  p.plaquette = plaquette;
  p.link_trace = link_trace;
  if (input.chain.save_precision == "single") {
    // What a reader will find.
    p.precision = io::Precision::single_;
    const auto loops = io::measure_loops(p.size, io::as_stored({p.size, p.precision, io::ByteOrder::big, 3}, links));
    p.plaquette = loops.plaquette;
    p.link_trace = loops.link_trace;
  }
  p.lfn = fmt::format("lfn://trellis/{}.{:06}", input.output.name, trajectory);
  p.input = write_toml(physics_of(input.resolved));
  p.provenance = fmt::format("program = {}\nalgorithm = {}\nseed = {}\ntrajectory = {}\n", version_text(),
                             describe(input), input.chain.seed, trajectory);
  io::write_ildg(file, p, links);
}

}  // namespace trellis::app
