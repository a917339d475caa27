// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "trellis/app/job/progress.hpp"
#include "trellis/app/report/html.hpp"
#include "trellis/app/report/report_pictures.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/app/shell_word.hpp"
#include "trellis/app/tempering/tempering_report.hpp"
#include "trellis/app/version.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/local_time.hpp"

namespace trellis::app {
namespace {

using html::element;

constexpr int kRefresh = 5;  // seconds

std::string text_of(const std::filesystem::path& file) {
  auto stream = input_stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string state_text(const ChainResults& chain, const RunState& state) {
  const bool good = state.end == RunEnd::finished || state.end == RunEnd::going;
  return fmt::format("<p class=\"state{}\"><strong>{}</strong>: {}</p>\n", good ? " good" : "",
                     html::escaped(chain.folder.table().string()), html::escaped(state.text));
}

std::string live_text(const LiveProgress& live) {
  if (live.total == 0) return "";
  const double share = 100 * double(live.done) / double(live.total);
  auto out =
      fmt::format("<p><progress max=\"{0}\" value=\"{1}\" aria-label=\"trajectories done\">{2:.0f} %</progress></p>\n",
                  live.total, live.done, share);
  auto text = fmt::format("{} of {} trajectories, {:.1f} %", live.done, live.total, share);
  if (live.seconds_each > 0)
    text += fmt::format("; {:.3g} s each; at most {} left", live.seconds_each, duration_text(live.seconds_left));
  return out + element("p", text);
}

std::string results_html(const EnsembleAnalysis& a) {
  std::string out;
  if (a.quantities.empty()) {
    for (const auto& chain : a.ensemble.chains)
      out += element("p", fmt::format("{}: nothing to average yet: the results begin after {} {}.",
                                      chain.folder.table().string(), chain.number, chain.cut));
    return out;
  }
  for (const auto& chain : a.ensemble.chains)
    if (chain.cut > 0)
      out += element("p", fmt::format("{}: {} 1 to {} are left out (thermalisation).", chain.folder.table().string(),
                                      a.counted_in(), chain.cut));
  out += html::table(
      "Averages, with errors by the Gamma method. drift: the second half minus the first, in standard "
      "deviations.",
      quantity_table(a));
  if (!a.masses.empty())
    out += html::table(
        "Masses at zero momentum, averaged over ranges of times; shown is the range with the largest "
        "weight.",
        mass_table(a));
  if (!a.matrix_elements.ratios.empty())
    out += html::table(
        "Matrix elements of local, bare currents, from ratios of three- and two-point functions; averaged over ranges "
        "of "
        "times between source and sink.",
        matrix_element_table(a));
  if (a.potential) {
    out += html::table("The static potential from Wilson loops of times t and t + 1.", potential_table(a));
    if (const auto fits = potential_fit_table(a); !fits.rows.empty())
      out += html::table("Fits of the static potential, with errors by the jackknife.", fits);
  }
  for (const auto& line : scale_lines(a)) out += element("p", line);
  return out;
}

// Whether keys were changed on the way that change bits.
bool changed_keys(const ChainResults& chain) {
  const auto& t = chain.table;
  return t.has("tuning") && t.rows() > 0 && t.column("tuning").back() > 0;
}

std::string commands(const EnsembleAnalysis& a, const std::string& program) {
  std::string text, folders;
  for (const auto& chain : a.ensemble.chains) folders += " " + shell_word(chain.folder.table().string());
  text += fmt::format("# the numbers and this page\n{0} analyse{1}\n{0} report{1}\n", program, folders);
  for (const auto& chain : a.ensemble.chains) {
    const auto input = shell_word(chain.folder.input().string());
    const bool of_files = a.ensemble.of_files();
    text += fmt::format(
        "# {}, in a folder \"again\"\nsed 's/^directory = .*/directory = \"again\"/' {} > again.toml\n{} {} "
        "again.toml\n",
        of_files ? "the same measurements"
        : changed_keys(chain)
            ? "a chain with the keys that this one had at its end, and with other bits than its first part"
            : "the same chain with the same bits",
        input, program, of_files ? "measure" : "run");
    if (!of_files)
      text += fmt::format("# is the physics of this input right on this machine?\n{} verify {}\n", program, input);
  }
  return html::preformatted(text);
}

std::string provenance(const ChainResults& chain, const RunState& state) {
  std::vector<std::pair<std::string, std::string>> facts{{"results", chain.folder.table().string()}};
  for (const auto& program : state.programs) facts.emplace_back("made by", program);
  if (state.programs.empty() && !state.starts.empty()) facts.emplace_back("made by", state.starts.front().text);
  if (!state.starts.empty()) {
    facts.emplace_back("first call", state.starts.front().time);
    if (state.starts.size() > 1)
      facts.emplace_back("last of " + std::to_string(state.starts.size()) + " calls", state.starts.back().time);
    facts.emplace_back("last entry of the log", state.last_entry);
  }
  const auto& t = chain.table;
  if (t.has("seconds") && t.rows() > 0) {
    double sum = 0;
    for (const double s : t.column("seconds")) sum += std::isnan(s) ? 0 : s;
    facts.emplace_back(chain.number == "row" ? "measuring" : "trajectories alone",
                       fmt::format("{}, {:.3g} s each", duration_text(sum), sum / double(t.rows())));
  }
  if (t.has("tuning") && t.rows() > 0 && t.column("tuning").back() > 0)
    facts.emplace_back("changes of keys that change bits", fmt::format("{}; see the log", t.column("tuning").back()));
  facts.emplace_back("page made", local_time("%Y-%m-%d %H:%M:%S") + " by " + version_line());
  return html::facts(facts);
}

struct Link {
  std::string id, text;
};

// One ensemble, and what links lead to.
std::string ensemble_html(const EnsembleAnalysis& a, std::size_t number, bool is_only,
                          const ReportParameters& parameters, std::vector<Link>& links) {
  std::string out;
  const auto add = [&](const char* name, const std::string& heading, const std::string& content) {
    if (content.empty()) return;
    const auto id = fmt::format("{}-{}", name, number);
    links.push_back({id, heading});
    out += html::section(id, heading, content);
  };
  std::vector<RunState> states;
  for (const auto& chain : a.ensemble.chains) states.push_back(state_of(chain));
  std::string state;
  for (std::size_t i = 0; i < states.size(); ++i) state += state_text(a.ensemble.chains[i], states[i]);
  add("results", is_only ? "Results" : a.ensemble.title, state + results_html(a));
  add("quantities", a.quantities.empty() ? "History" : "Histories and autocorrelations", quantity_figures(a));
  if (!a.quantities.empty()) {
    add("polyakov", "Polyakov loop", polyakov_figure(a));
    add("flow", "Gradient flow", flow_figure(a));
    add("masses", "Effective masses", mass_figures(a));
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto& chain = a.ensemble.chains[i];
    const auto of = a.ensemble.chains.size() > 1 ? " of " + chain.folder.table().string() : "";
    const auto name = [&](const char* what) {
      return fmt::format("{}{}", what, i == 0 ? "" : fmt::format("-{}", i + 1));
    };
    add(name("algorithm").c_str(), "Energies, forces, solvers" + of, algorithm_figures(chain));
    add(name("tempering").c_str(), "Swaps of replicas" + of, tempering_figures(chain.table, chain.cut));
    const auto loss = states[i].loss.empty() ? "" : element("p", fmt::format("Largest loss: {}.", states[i].loss));
    add(name("kernels").c_str(), "Kernels" + of, loss + kernel_figures(chain.folder));
    add(name("provenance").c_str(), "Provenance" + of, provenance(chain, states[i]));
    add(name("input").c_str(), "Input with every default" + of, html::preformatted(text_of(chain.folder.input())));
  }
  add("commands", "Commands", commands(a, parameters.program));
  return out;
}

}  // namespace

std::string report_page(const std::vector<std::filesystem::path>& results, const ReportParameters& parameters) {
  std::string body, title;
  std::vector<Link> links;
  std::size_t number = 0;
  const auto ensembles = analysed(read_results(results, parameters.cut), {.scale = parameters.scale});
  for (const auto& a : ensembles) {
    if (number++ == 0) title = a.ensemble.title;
    body += ensemble_html(a, number, ensembles.size() == 1, parameters, links);
  }
  if (number > 1) title = fmt::format("{} ensembles", number);
  std::string head = element("h1", "Report: " + title);
  if (parameters.live) head += live_text(parameters.live());
  head += "<nav aria-label=\"Contents\"><p>";
  for (std::size_t i = 0; i < links.size(); ++i)
    head += fmt::format("{}<a href=\"#{}\">{}</a>", i == 0 ? "" : " · ", links[i].id, html::escaped(links[i].text));
  return html::page("Trellis: " + title, parameters.live ? kRefresh : 0, head + "</p></nav>\n" + body);
}

std::string waiting_page(const std::string& text, const LiveProgress& progress) {
  return html::page("Trellis", kRefresh, element("h1", "A run in progress") + live_text(progress) + element("p", text));
}

}  // namespace trellis::app
