// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/trajectory_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "trellis/app/results/run_folder.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/joined.hpp"

namespace trellis::app {
namespace {

constexpr const char* kCertified = "certified_operations";

template <class T>
void extend(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

}  // namespace

TrajectoryColumns::TrajectoryColumns(const RunInput& input, bool certified)
    : observables_(columns_of(input)),
      hmc_(input.algorithm.kind == AlgorithmKind::hmc),
      certified_(certified),
      replicas_(input.tempering ? input.tempering->couplings.size() : 0),
      first_quark_term_(input.terms().size() - input.quarks.terms().size()) {
  names_ = {"trajectory", "tuning"};
  extend(names_, observables_.loops());
  if (hmc_) {
    extend(names_, {"dH", "exp_minus_dH", "accepted", "dH_kinetic"});
    for (const auto& term : input.terms()) names_.push_back("dS_" + term);
    for (const auto& term : input.terms()) extend(names_, {"force_average_" + term, "force_maximum_" + term});
    for (const auto& term : input.quarks.terms()) extend(names_, {"iterations_" + term, "largest_eigenvalue_" + term});
    extend(names_, {"reversibility_links", "reversibility_momenta", "reversibility_energy"});
    if (certified_) extend(names_, {kCertified, "certified_fingerprints"});
  }
  extend(names_, observables_.others());
  for (std::size_t r = 1; r < replicas_ && hmc_; ++r)
    extend(names_, {fmt::format("dH_replica_{}", r), fmt::format("accepted_replica_{}", r)});
  for (std::size_t r = 0; r + 1 < replicas_; ++r)
    extend(names_, {fmt::format("swap_difference_{}", r), fmt::format("swapped_{}", r)});
  for (std::size_t r = 0; r < replicas_; ++r) names_.push_back(fmt::format("walker_{}", r));
  if (hmc_)
    for (const auto& term : input.quarks.terms()) names_.push_back("seconds_" + term);
  names_.emplace_back("seconds");
  require_different(names_);
}

std::vector<io::CsvCell> TrajectoryColumns::row(const hmc::TrajectoryRecord& record, std::uint32_t tunings,
                                                const Measurement& m) const {
  std::vector<io::CsvCell> cells{std::int64_t{record.trajectory} + 1, std::int64_t{tunings}};
  extend(cells, observables_.loops(m.gauge));
  if (hmc_) {
    extend(cells, {record.dH, record.exp_minus_dH, record.accepted, record.kinetic_difference});
    for (const auto& term : record.terms) cells.emplace_back(term.difference);
    for (const auto& term : record.terms) extend(cells, {term.force_average, term.force_maximum});
    for (auto i = first_quark_term_; i < record.terms.size(); ++i) {
      const auto solver = record.terms[i].solver.value_or(hmc::SolverCounts{});
      extend(cells, {solver.iterations, solver.largest_eigenvalue});
    }
    if (const auto& back = record.reversibility) {
      extend(cells, {back->links, back->momenta, back->energy});
    } else {
      extend(cells, {{}, {}, {}});
    }
    if (const auto& c = record.certificate; c && certified_)
      extend(cells, {c->operations, c->fingerprints});
    else if (certified_)
      extend(cells, {{}, {}});
  }
  extend(cells, observables_.others(m));
  const auto& replicas = record.replicas;
  for (std::size_t r = 1; r < replicas_ && hmc_; ++r) extend(cells, {replicas.at(r).dH, replicas.at(r).accepted});
  for (std::size_t r = 0; r + 1 < replicas_; ++r)
    extend(cells, {replicas.at(r).swap_difference, replicas.at(r).swapped});
  for (std::size_t r = 0; r < replicas_; ++r) cells.emplace_back(std::int64_t{replicas.at(r).walker});
  for (auto i = first_quark_term_; i < record.terms.size(); ++i)
    cells.emplace_back(record.terms[i].solver.value_or(hmc::SolverCounts{}).seconds);
  cells.emplace_back(record.profile.total);
  return cells;
}

bool is_certified(const RunInput& input, const RunFolder& folder) {
  if (input.algorithm.kind != AlgorithmKind::hmc) return false;
  if (input.algorithm.certify > 0) return true;
  if (!std::filesystem::exists(folder.table())) return false;
  auto stream = input_stream(folder.table());
  std::string line;
  std::getline(stream, line);
  const auto names = cells_of(line);
  return std::find(names.begin(), names.end(), kCertified) != names.end();
}

std::uint32_t last_tuning(const RunFolder& folder, const TrajectoryColumns& columns) {
  if (!std::filesystem::exists(folder.table())) return 0;
  const auto remains = io::look_at_csv(folder.table(), columns.names());
  const auto& rows = remains.later.empty() ? remains.rows : remains.later;
  if (rows.empty()) return 0;
  const auto place = std::find(columns.names().begin(), columns.names().end(), "tuning") - columns.names().begin();
  return static_cast<std::uint32_t>(
      std::strtoul(cells_of(rows.back())[static_cast<std::size_t>(place)].c_str(), nullptr, 10));
}

void add_missing_columns(const std::filesystem::path& file, const std::vector<std::string>& names) {
  if (!std::filesystem::exists(file)) return;
  auto stream = input_stream(file);
  std::string line;
  std::getline(stream, line);
  auto found = cells_of(line);
  const bool has_checks = found.back() == "check";
  if (has_checks) found.pop_back();
  // The cells under each name, by their position in the file; -1 is empty.
  std::vector<std::ptrdiff_t> places;
  for (const auto& name : names) {
    const auto at = std::find(found.begin(), found.end(), name);
    places.push_back(at == found.end() ? -1 : at - found.begin());
  }
  const auto kept =
      static_cast<std::size_t>(std::count_if(places.begin(), places.end(), [](auto p) { return p >= 0; }));
  if (kept != found.size() || kept == names.size()) return;
  if (has_checks) io::read_csv_texts(file);  // throws if they do not match: the rows get new ones (io::CsvTable)
  auto text = joined(names, ",") + "\n";
  for (; std::getline(stream, line) && !stream.eof();) {  // ignores an incomplete last line
    const auto cells = cells_of(line);
    if (cells.size() != found.size() + (has_checks ? 1 : 0)) return;
    std::vector<std::string> row;
    for (const auto place : places) row.push_back(place < 0 ? "" : cells[static_cast<std::size_t>(place)]);
    text += joined(row, ",") + "\n";
  }
  write_text_file(file, text);
}

void append_row(io::CsvData& table, const std::vector<io::CsvCell>& row) {
  for (std::size_t c = 0; c < row.size(); ++c) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (const auto* flag = std::get_if<bool>(&row[c])) value = *flag ? 1 : 0;
    if (const auto* integer = std::get_if<std::int64_t>(&row[c])) value = double(*integer);
    if (const auto* real = std::get_if<double>(&row[c])) value = *real;
    table.values[c].push_back(value);
  }
}

}  // namespace trellis::app
