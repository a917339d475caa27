// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis report RESULTS...: one HTML page with all that results contain.
#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/report/report_page.hpp"
#include "trellis/core/base/named.hpp"

namespace trellis::app {
namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  std::string output, scale;
  std::optional<std::int64_t> cut;
};

// Unless something is left: a run that is in its thermalisation has nothing to average yet, but --cut was a choice.
void require_something_after(std::int64_t cut, const std::vector<Ensemble>& ensembles) {
  for (const auto& ensemble : ensembles)
    if (std::ranges::none_of(ensemble.chains, [&](const ChainResults& chain) {
          return std::ranges::any_of(chain.table.column(chain.number), [&](double n) { return chain.keeps(n); });
        }))
      fail_input("--cut: {}: nothing is left beyond {} {}", ensemble.chains.front().folder.table().string(),
                 ensemble.chains.front().number, cut);
}

int report(const ReportOptions& options, const std::string& program) {
  if (options.cut && *options.cut < 0) fail_input("--cut is {}; it must not be negative", *options.cut);
  if (!options.scale.empty()) named("scale", physical_scales(), options.scale);
  require_output_file("--output", options.output);
  const std::vector<std::filesystem::path> paths(options.paths.begin(), options.paths.end());
  const auto results = read_results(paths, options.cut);
  if (options.cut) require_something_after(*options.cut, results);
  const auto page = report_page(paths, {.cut = options.cut, .scale = options.scale, .program = program});
  std::filesystem::path file = options.output;
  if (file.empty()) file = results.front().chains.front().folder.file("html");
  write_text_file(file, page);
  fmt::print("{}  (opens in a browser; nothing else is needed)\n", file.string());
  return 0;
}

}  // namespace

void add_report(const Command& program, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  const auto command =
      program.add_subcommand("report", "Write an HTML page of results: tables, pictures, the input and the provenance");
  command
      .add_option("RESULTS", options->paths,
                  "folders or tables of runs and measurements, as for `trellis analyse`; runs may still be going")
      .required();
  command.add_option("--output", options->output, "the page; default: NAME.html beside the first results")
      .option_text("FILE");
  command
      .add_option("--cut", options->cut, "leave out trajectories (or rows) up to this one; default: the thermalisation")
      .option_text("N");
  command
      .add_option("--scale", options->scale, "what t0 and w0 are in fm: " + joined(names_of(physical_scales()), ", "))
      .option_text("NAME");
  command.footer(
      "The page is a single file without scripts: it can be mailed and printed. `trellis run --watch PORT` shows it\n"
      "while a run is going.\n"
      "Example: trellis report quenched-results --output quenched.html");
  command.callback([options, called_as = command.called_as(), &action] {
    action = [options, called_as] { return by_first_rank([&] { return report(*options, called_as); }); };
  });
}

}  // namespace trellis::app
