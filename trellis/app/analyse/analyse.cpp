// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis analyse RESULTS...: averages with errors, masses, and physical units from the results of one or more runs.
#include "trellis/app/analyse/analysis_report.hpp"
#include "trellis/app/analyse/run_costs.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

struct AnalyseOptions {
  std::vector<std::string> paths;
  std::optional<std::int64_t> cut;
  double s = 1.5;
  bool all = false, json = false, compare = false;
  std::string scale, model, plot, reweight, cost;
  MassParameters masses;
  double first_distance = 0, last_distance = 0;
  int loop_time = 0;

  AnalysisParameters parameters() const {
    return {{s, all}, masses, {.first = first_distance, .last = last_distance, .bins = masses.bins}, loop_time, scale};
  }
};

void require_valid(const AnalyseOptions& options) {
  if (!(options.s > 0 && options.s <= 10)) fail_input("--s is {}; it must be above 0, up to 10", options.s);
  if (options.cut && *options.cut < 0) fail_input("--cut is {}; it must not be negative", *options.cut);
  const auto& [model, first, last, bins, shrinkage, boundary_distance] = options.masses;
  if (boundary_distance < 0) fail_input("--boundary-distance is {}; it must not be negative", boundary_distance);
  if (first < 0) fail_input("--first is {}; it must not be negative", first);
  if (last < 0) fail_input("--last is {}; it must not be negative", last);
  if (shrinkage && !(*shrinkage >= 0 && *shrinkage <= 1))
    fail_input("--shrinkage is {}; it must be from 0 to 1", *shrinkage);
  if (bins < 0 || bins == 1) fail_input("--bins is {}; it must be at least 2", bins);
  for (const auto& [name, distance] :
       {std::pair{"--first-distance", options.first_distance}, {"--last-distance", options.last_distance}})
    if (!(distance >= 0 && distance < 1e6)) fail_input("{} is {}; it must not be negative", name, distance);
  if (options.loop_time < 0) fail_input("--loop-time is {}; it must be at least 1", options.loop_time);
  require_output_file("--plot", options.plot);
  if (!options.cost.empty() && (!options.reweight.empty() || !options.plot.empty() || options.compare))
    fail_input("--cost cannot be combined with --reweight, --plot or --compare");
}

int analyse(AnalyseOptions options) {
  require_valid(options);
  if (!options.model.empty()) options.masses.model = named("model", analysis::correlator_models, options.model).value;
  if (!options.scale.empty()) named("scale", physical_scales(), options.scale);
  if (!options.cost.empty()) {
    const auto costs = run_costs({options.paths.begin(), options.paths.end()}, options.cut, options.cost, options.s);
    if (options.json)
      fmt::print("{}\n", run_costs_json(costs).dump(2));
    else
      fmt::print("{}", run_costs_text(costs));
    return 0;
  }
  std::optional<ReweightRange> range;
  if (!options.reweight.empty()) range = parse_reweight_range(options.reweight);
  std::vector<std::filesystem::path> paths(options.paths.begin(), options.paths.end());
  auto ensembles = read_results(paths, options.cut);
  for (const auto& ensemble : ensembles)
    if (range && ensemble.of_files())
      fail_input("--reweight: {}: holds measurements of files, whose actions are not known; it is for runs",
                 ensemble.chains.front().folder.table().string());
  const auto all = analysed(std::move(ensembles), options.parameters());
  for (const auto& a : all)
    if (a.quantities.empty())
      fail_input("{}: nothing is left beyond {} {}; --cut says where to begin",
                 a.ensemble.chains.front().folder.table().string(), a.ensemble.chains.front().number,
                 a.ensemble.chains.front().cut);
  std::vector<ReweightedFamily> families;
  if (range) {
    std::vector<MeasuredEnsemble> measured;
    for (const auto& a : all) measured.push_back({a.ensemble, a.quantities});
    families = reweighted_families(measured, *range);
  }
  const auto plot_file = [&](std::size_t number, std::size_t count, const std::string& more) {
    std::filesystem::path file = options.plot;
    const auto numbered = count > 1 ? fmt::format("-{}", number + 1) : "";
    return file.replace_filename(file.stem().string() + more + numbered + file.extension().string());
  };
  auto list = nlohmann::ordered_json::array();
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (options.json)
      list.push_back(analysis_json(all[i], options.compare));
    else
      text += (i == 0 ? "" : "\n") + analysis_text(all[i], options.compare);
    if (!options.plot.empty()) write_text_file(plot_file(i, all.size(), ""), autocorrelation_plot(all[i]));
  }
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (options.json)
      list.push_back(reweighted_json(families[i]));
    else
      text += "\n" + reweighted_text(families[i]);
    if (!options.plot.empty() && families[i].problem.empty())
      write_text_file(plot_file(i, families.size(), "-reweighted"), reweighted_plot(families[i]));
  }
  if (!options.json) fmt::print("{}", text);
  if (options.json) fmt::print("{}\n", list.dump(2));
  return 0;
}

}  // namespace

void add_analyse(const Command& program, Action& action) {
  auto options = std::make_shared<AnalyseOptions>();
  const auto command = program.add_subcommand(
      "analyse", "Averages with errors and autocorrelation times, hadron masses and the lattice spacing, from results");
  command
      .add_option(
          "RESULTS", options->paths,
          "folders or tables of runs and measurements; runs of the same lattice, action and quarks are one ensemble")
      .required();
  command
      .add_option("--cut", options->cut, "leave out trajectories (or rows) up to this one; default: the thermalisation")
      .option_text("N");
  command.add_flag("--all", options->all, "also forces, iterations and seconds");
  command.add_option("--s", options->s, "S of the Gamma method, tau / tau_int").capture_default_str();
  command
      .add_option("--scale", options->scale, "what t0 and w0 are in fm: " + joined(names_of(physical_scales()), ", "))
      .option_text("NAME");
  command
      .add_option(
          "--model", options->model,
          "fit correlators by " + joined(names_of(analysis::correlator_models), ", ") +
              "; default: mesons by a cosh, the proton by an exponential, staggered hadrons as their channel needs")
      .option_text("NAME");
  command
      .add_option(
          "--first", options->masses.first,
          "the first time that fits may use; of ratios of three-point functions the distance from source and sink")
      .capture_default_str();
  command.add_option("--last", options->masses.last, "the last time; 0: half of the lattice").capture_default_str();
  command
      .add_option("--bins", options->masses.bins, "number of jackknife bins; 0: bins longer than the autocorrelation")
      .capture_default_str();
  command
      .add_option("--shrinkage", options->masses.shrinkage,
                  "fraction of the correlations that fits ignore, 0 to 1; default: as little as the bins allow")
      .option_text("X");
  command
      .add_option("--boundary-distance", options->masses.boundary_distance,
                  "glueballs with boundaries in time: from time slices at least so far from these")
      .capture_default_str();
  command
      .add_option("--first-distance", options->first_distance,
                  "the shortest distance in fits of the static potential; 0: sqrt(2), if at least four are left")
      .capture_default_str();
  command.add_option("--last-distance", options->last_distance, "the longest; 0: all that have a signal")
      .capture_default_str();
  command
      .add_option("--loop-time", options->loop_time,
                  "show the static potential between this time and the next; 0: the first whose r_0 agrees with the "
                  "next one's")
      .capture_default_str();
  command
      .add_option(
          "--reweight", options->reweight,
          "quantities as functions of beta, FIRST,LAST or FIRST,LAST,POINTS, from runs that differ only in beta")
      .option_text("BETAS");
  command
      .add_option(
          "--cost", options->cost,
          "instead of all this: what an independent value of this quantity costs by each of the runs, tau_int in "
          "seconds of trajectories, and how many times less than by the first")
      .option_text("QUANTITY");
  command.add_flag("--compare", options->compare, "also the errors of the jackknife and the bootstrap");
  command
      .add_option("--plot", options->plot,
                  "write rho(t) and tau_int(W) as SVG, and with --reweight a second file, FILE-reweighted.svg")
      .option_text("FILE");
  command.add_flag("--json", options->json,
                   "print JSON, an array with one object per ensemble, then with --reweight one per family of runs");
  command.footer(
      "Errors are from the Gamma method; tau_int is in trajectories. drift: second half minus first, in standard "
      "deviations.\n"
      "few: fewer than 20 independent measurements, so the error itself is uncertain.\n"
      "Examples: trellis analyse quenched-results --plot autocorrelation.svg\n"
      "          trellis analyse run-5.68 run-5.70 --reweight 5.67,5.71\n"
      "          trellis analyse plain tempered --cost charge_cooling");
  command.callback(
      [options, &action] { action = [options] { return by_first_rank([&] { return analyse(*options); }); }; });
}

}  // namespace trellis::app
