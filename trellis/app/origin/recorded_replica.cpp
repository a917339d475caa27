// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/recorded_replica.hpp"

#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {

std::optional<std::string> recorded_replica(const std::filesystem::path& file) try {
  const auto lines = io::read_provenance_lines(file);
  const auto* replica = io::find_key(lines, "replica");
  if (replica == nullptr || *replica == "0") return std::nullopt;
  const auto* coupling = io::find_key(lines, "coupling");
  return fmt::format("replica {} of parallel tempering{}", *replica,
                     coupling != nullptr ? ", with coupling " + *coupling + " at the defect" : "");
} catch (const Error&) {  // what is wrong with the file is said where it is read
  return std::nullopt;
}

void warn_of_replica(const std::filesystem::path& file) {
  if (const auto replica = recorded_replica(file))
    log_warning("{}: is {}; its links do not sample the action of its run", file.string(), *replica);
}

}  // namespace trellis::app
