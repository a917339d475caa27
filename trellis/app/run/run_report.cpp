// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/job/other_work.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/run/history_panels.hpp"
#include "trellis/app/shell_word.hpp"
#include "trellis/app/tempering/tempering_report.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/gauge/action_names.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::app {
namespace {

auto thermalised(const RunInput& input) {
  return [&](double trajectory) { return trajectory > double(input.chain.thermalisation); };
}
MeasuredColumn after_thermalisation(const RunInput& input, const io::CsvData& table, std::string_view name) {
  return measured_column(table, "trajectory", name, thermalised(input));
}

std::vector<double> series(const RunInput& input, const io::CsvData& table, std::string_view name) {
  return after_thermalisation(input, table, name).values;
}

std::string line(std::string_view what, const std::string& value) { return fmt::format("  {:<20} {}\n", what, value); }

// Trajectories between the measurements of a column.
double spacing(const RunInput& input, const io::CsvData& table, std::string_view name) {
  return spacing_of({{after_thermalisation(input, table, name).numbers}}).typical;
}

// apart: trajectories between the values, in which tau_int is given; 0: without tau_int.
std::string average_line(std::string_view what, const std::vector<double>& values, double apart) {
  if (values.empty()) return "";
  const auto e = analysis::gamma_method(values);
  auto text = analysis::with_error(e.mean, e.error);
  if (const auto lack = analysis::lack_of_measurements(e); !lack.empty()) text = fmt::format("{:<16} {}", text, lack);
  if (apart > 0 && e.error > 0)
    text = fmt::format("{:<16} tau_int {} trajectories", text,
                       analysis::with_error(apart * e.tau_int, apart * e.tau_int_error));
  return line(what, text);
}

std::string column_line(const RunInput& input, const io::CsvData& table, std::string_view what,
                        std::string_view column) {
  return average_line(what, series(input, table, column), spacing(input, table, column));
}

std::string percent(double part, double whole) { return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0); }

plot::Panel history(const RunInput& input, const io::CsvData& table, const std::string& column, const char* title) {
  const auto kept = series(input, table, column);
  const auto e = kept.size() > 1 ? analysis::gamma_method(kept) : analysis::MeanEstimate{.mean = std::nan("")};
  return history_panel(
      title,
      {{.numbers = table.column("trajectory"), .values = table.column(column), .cut = input.chain.thermalisation}},
      e.mean, e.error);
}

}  // namespace

void RunTimes::add(const hmc::TrajectoryRecord& trajectory) {
  ++trajectories;
  for (const auto& term : trajectory.terms)
    if (term.solver) force_solves[term.name] += term.solver->force_seconds;
  const auto& t = trajectory.profile;
  for (const auto part :
       {&hmc::Profile::force, &hmc::Profile::links, &hmc::Profile::momenta, &hmc::Profile::energy,
        &hmc::Profile::copies, &hmc::Profile::reversibility, &hmc::Profile::certificate, &hmc::Profile::total})
    profile.*part += t.*part;
}

std::string describe_action(const RunInput& input, bool with_beta) {
  const auto& name = input.action.name;
  const auto action = name.empty() ? fmt::format("action with c1 = {}", input.action.c1)
                      : input.action.is_one_loop()
                          ? fmt::format("one-loop Symanzik action (u0 = {}, {} flavours of HISQ quarks)",
                                        input.action.u0, input.action.hisq_flavours)
                          : fmt::format("{} action", named("gauge action", gauge::named_actions(), name).title);
  std::vector<std::string> flavours;
  for (const auto& flavour : input.quarks.flavours)
    flavours.push_back(fmt::format("{} (a m = {})", flavour.name, flavour.mass));
  const auto quarks = flavours.empty() ? "" : fmt::format(" with the quarks {}", joined(flavours, ", "));
  const auto beta = with_beta ? fmt::format(", beta = {}", input.action.beta) : "";
  const auto boundary = input.boundary.is_periodic() ? ""
                        : input.boundary.kind == gauge::BoundaryKind::open
                            ? ", open in t"
                            : fmt::format(", Schroedinger functional of extent {}", input.boundary.extent);
  return fmt::format("{}{}{}, {}{}", action, quarks, beta, to_string(input.size), boundary);
}

std::string describe(const RunInput& input) {
  const auto& algorithm = input.algorithm;
  return fmt::format("{}{} of the {}", algorithm.kind == AlgorithmKind::hmc ? "hybrid Monte Carlo" : "heatbath",
                     algorithm.precision == "single" ? ", molecular dynamics in single precision," : "",
                     describe_action(input));
}

std::string progress_text(const RunInput& input, const io::CsvData& table, double acceptance) {
  const auto average = [&](const char* column) {
    const auto e = analysis::gamma_method(series(input, table, column));
    return analysis::with_error(e.mean, e.error);
  };
  if (series(input, table, "plaquette").empty())
    return fmt::format("plaquette {:.5f}, thermalising", table.column("plaquette").back());
  auto text = "plaquette " + average("plaquette");
  if (input.algorithm.kind == AlgorithmKind::hmc)
    text += fmt::format("  acceptance {:.2f}  <exp(-dH)> {}", acceptance, average("exp_minus_dH"));
  return text;
}

std::string results_text(const RunInput& input, const RunFolder& folder,
                         const std::vector<std::pair<std::filesystem::path, std::string>>& side, std::int64_t completed,
                         const std::string& more, const std::string& program) {
  namespace fs = std::filesystem;
  std::string text = "Results:\n";
  const auto add = [&](const fs::path& file, const std::string& what) {
    text += fmt::format("  {}  ({})\n", file.string(), what);
  };
  add(folder.table(), "one row per trajectory");
  add(folder.plot(), "history; opens in a browser");
  if (fs::exists(folder.kernels())) add(folder.kernels(), "time spent in each kernel");
  if (input.measure.flow && fs::exists(folder.flow())) add(folder.flow(), "gradient flow");
  if (input.measure.hadrons && fs::exists(folder.effective_masses())) {
    add(folder.hadron_file(), "all correlators");
    add(folder.effective_masses(), "effective masses with errors");
  }
  if (input.measure.staggered_hadrons && fs::exists(folder.staggered_masses())) {
    add(folder.staggered_hadron_file(), "all correlators of staggered hadrons");
    add(folder.staggered_masses(), "their effective masses with errors");
  }
  for (const auto& [file, what] : side) add(file, what);
  const auto every = input.chain.save_every;
  const auto count = every > 0 ? completed / every - input.start.trajectory / every : 0;
  const auto last = folder.configuration(every > 0 ? completed / every * every : 0);
  const bool saved = count > 0 && fs::exists(last);
  if (saved) add(last, fmt::format("{} of these configurations, ILDG", count));
  add(folder.checkpoint(), "where the run continues");
  add(folder.input(), "the input with every default");
  add(folder.table_descriptions(), "what the columns of the tables mean");
  add(folder.log(), "when it ran, on what, and how it ended");
  return text + more +
         fmt::format("Next: {0} analyse {1}\n      {0} report {1}\n      {0} inspect {2}\n", shell_word(program),
                     shell_word(folder.directory.string()), shell_word((saved ? last : folder.checkpoint()).string()));
}

std::string averages_text(const RunInput& input, const io::CsvData& table) {
  const auto plaquette = series(input, table, "plaquette");
  if (plaquette.empty()) return "";
  std::string text = column_line(input, table, "plaquette", "plaquette");
  text += column_line(input, table, "rectangle", "rectangle");
  if (input.boundary.is_periodic()) {
    const auto re = series(input, table, "polyakov_re"), im = series(input, table, "polyakov_im");
    std::vector<double> modulus;
    for (std::size_t i = 0; i < re.size(); ++i) modulus.push_back(std::hypot(re[i], im[i]));
    text += average_line("|Polyakov loop|", modulus, spacing(input, table, "polyakov_re"));
  }
  if (table.has("accepted")) {
    const auto accepted = series(input, table, "accepted");
    text += line("acceptance", fmt::format("{:.4g}", analysis::gamma_method(accepted).mean));
    if (accepted.size() >= 10 && *std::max_element(accepted.begin(), accepted.end()) == 0)
      text += line(
          "",
          "no trajectory was accepted, so these averages are from one configuration and their errors mean nothing: "
          "take more steps");
    text += average_line("<exp(-dH)>", series(input, table, "exp_minus_dH"), 0);
    if (const auto back = series(input, table, "reversibility_links"); !back.empty())
      text +=
          line("reversibility", fmt::format("at most {:.1e} in a link", *std::max_element(back.begin(), back.end())));
  }
  text += tempering_text(table, input.chain.thermalisation);
  for (const auto& observable : measure::observables())
    for (const auto& column : observable.columns)
      if (!column.title.empty() && table.has(column.name)) text += column_line(input, table, column.title, column.name);
  for (const auto& [column, name] : {std::pair{"t0", "t0 / a^2"}, {"w0", "w0 / a"}})
    if (table.has(column)) {
      text += column_line(input, table, name, column);
      const auto count = std::int64_t(series(input, table, column).size());
      const auto& flow = input.measure.flow;
      const auto empty = flow ? empty_cells(table, "trajectory", column, flow->every, thermalised(input)) : 0;
      if (count > 0 && empty > 0)
        text += line("", fmt::format("of {} of {} configurations only, whose flow reached 0.3, and so too low: see "
                                     "`trellis analyse`, or raise measure.flow.time_max",
                                     count, count + empty));
    }
  for (const auto& smoothing : measure::smoothings())
    if (const auto column = "charge_" + smoothing.name; table.has(column))
      text += column_line(input, table, smoothing.title, column);
  if (const auto job = quark_job(input.measure, input.quarks))
    text += quark_averages(*job, input.size, [&](const std::string& column) { return series(input, table, column); });
  return text;
}

std::string certificate_text(const hmc::CertificateCounts& counts) {
  const auto found = counts.found == 0 ? std::string("no error of the machine found")
                                       : plural(counts.found, "error") + " of the machine found and corrected";
  return line("certificate",
              fmt::format("{} computed twice, {} of fields at rest compared: {}",
                          plural(counts.operations, "operation"), plural(counts.fingerprints, "fingerprint"), found));
}

std::string force_filter_text(double links, std::int64_t trajectories) {
  if (links == 0) return "";
  return line("force filter",
              fmt::format("of HISQ links, acted on {:.0f} links in the forces of {}: the force was not exact there",
                          links, trajectories == 1 ? "1 trajectory" : fmt::format("{} trajectories", trajectories)));
}

std::string times_text(const RunTimes& times) {
  if (times.trajectories == 0) return "";
  const auto& p = times.profile;
  auto text = line("seconds/trajectory",
                   fmt::format("{:.3g}, everything included", times.seconds / double(times.trajectories)));
  // Parts that a run does not have are left out: a heatbath has neither forces nor energies.
  std::vector<std::string> parts;
  double rest = times.seconds;
  for (const auto& [part, seconds] : {std::pair{"forces", p.force},
                                      {"links", p.links},
                                      {"energies", p.energy},
                                      {"reversibility", p.reversibility},
                                      {"certificate", p.certificate},
                                      {"measurements", times.measuring},
                                      {"files", times.writing},
                                      {"waiting for files", times.waiting}}) {
    if (seconds > 0) parts.push_back(fmt::format("{} {}", part, percent(seconds, times.seconds)));
    rest -= seconds;
  }
  text += line("", fmt::format("{}, all else {}", joined(parts, ", "), percent(std::max(rest, 0.0), times.seconds)));
  if (const auto lost = describe_lost(times.lost, times.crowd); !lost.empty())
    text += line(times.crowd.empty() ? "other work" : "shared cores", lost);
  return text;
}

std::string history_plot(const RunInput& input, const io::CsvData& table) {
  std::vector<plot::Panel> panels;
  if (table.rows() > 0) {
    panels.push_back(history(input, table, "plaquette", "Plaquette"));
    panels.push_back(table.has("dH") ? energy_panel(table, input.chain.thermalisation)
                                     : history(input, table, "polyakov_re", "Polyakov loop, real part"));
  }
  return plot::svg_plot(describe(input), panels);
}

}  // namespace trellis::app
