// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis inspect FILE...: describes configuration files, says how those of a run were made, and checks their claims. A
// file that cannot be read does not stop the others from being checked. Exit code 0: all are sound; 1: one is not; 2:
// one cannot be read.
#include "trellis/io/inspect.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/app/command.hpp"
#include "trellis/app/input/functional_option.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/origin/configuration_origin.hpp"
#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/fields/inspect_fields.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {
namespace {

struct InspectOptions {
  std::vector<std::string> files;
  std::string size;
  FunctionalOption functional;
  bool json = false, brief = false;
};

// The .info of a MILC file that is inspected as well.
bool describes_another(const std::string& file, const std::vector<std::string>& files) {
  constexpr std::string_view extension = ".info";
  return file.ends_with(extension) && std::ranges::count(files, file.substr(0, file.size() - extension.size())) > 0;
}

int run(const InspectOptions& options) {
  io::ReadOptions read;
  if (options.json && options.brief) fail_input("--brief: not together with --json");
  if (!options.size.empty()) read.size = parse_size(options.size);
  read.functional = options.functional.functional();
  int code = 0;
  bool first = true;
  auto list = nlohmann::ordered_json::array();
  for (const auto& file : options.files) {
    if (describes_another(file, options.files)) continue;
    const auto show = [&](const auto& inspection) {
      if (options.json) {
        list.push_back(to_json(inspection));
      } else if (options.brief) {
        fmt::print("{}", to_line(inspection));
        std::fflush(stdout);
      } else {
        fmt::print("{}{}", first ? "" : "\n", to_text(inspection));
      }
      if (!inspection.sound()) code = std::max(code, 1);
    };
    try {
      if (const auto fields = io::inspect_fields(file)) {
        show(*fields);
      } else {
        auto inspection = io::inspect(file, read);
        if (inspection.info.format == "ildg") inspection.origin = configuration_origin(file);
        if (const auto functional = recorded_functional(file))
          inspection.boundary[3] = gauge::name_of(*functional) +
                                   (inspection.info.format != "ildg"                         ? " (by its header)"
                                    : io::find_key(inspection.origin, "boundary") == nullptr ? " (by its run)"
                                                                                             : " (by its record)");
        show(inspection);
      }
    } catch (const Error& error) {
      if (options.json) list.push_back({{"path", file}, {"error", error.what()}});
      print_to_stderr(fmt::format("trellis: error: {}\n", error.what()));
      code = std::max(code, error.exit_code());
    }
    first = false;
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return code;
}

}  // namespace

void add_inspect(const Command& program, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  const auto command =
      program.add_subcommand("inspect", "Describe configuration files, and check the numbers in their headers");
  command.add_option("FILE", options->files, "configuration files: " + joined(io::format_titles(), ", ")).required();
  command.add_option("--size", options->size, "x,y,z,t of the lattice, for files that do not state it")
      .option_text("x,y,z,t");
  options->functional.add_to(command);
  command.add_flag("--json", options->json, "print JSON, an array with one object per file");
  command.add_flag("--brief", options->brief, "print one line for each file");
  command.footer(
      "Exit code: 0 all files are sound, 1 one of them is not, 2 one of them cannot be read.\n"
      "Example: trellis inspect lat.100.ildg lat.200.ildg --json");
  command.callback([options, &action] { action = [options] { return by_first_rank([&] { return run(*options); }); }; });
}

}  // namespace trellis::app
