// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis info: what this program was built for and what machine it finds.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/app/command.hpp"
#include "trellis/bench/processor.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/with_lanes.hpp"

namespace trellis::app {
namespace {

nlohmann::ordered_json facts() {
  return {{"version", TRELLIS_VERSION},      {"space", DefaultExecutionSpace::name}, {"threads", concurrency()},
          {"lanes", compiled_lane_counts()}, {"processor", bench::processor()},      {"compiler", __VERSION__}};
}

int run(bool json) {
  if (json) {
    fmt::print("{}\n", facts().dump(2));
    return 0;
  }
  const auto all = facts();
  for (const auto& [key, value] : all.items()) {
    fmt::print("{:<10} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return 0;
}

}  // namespace

std::string version_text() { return "trellis " TRELLIS_VERSION; }

void add_info(CLI::App& program, Action& action) {
  auto json = std::make_shared<bool>(false);
  auto* command = program.add_subcommand("info", "Say what this program was built for and what machine it finds");
  command->add_flag("--json", *json, "print JSON");
  command->footer("Example: trellis info");
  command->callback([json, &action] { action = [json] { return run(*json); }; });
}

}  // namespace trellis::app
