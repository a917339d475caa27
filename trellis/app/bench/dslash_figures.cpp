// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/dslash_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "trellis/core/base/joined.hpp"

namespace trellis::app {
namespace {

using namespace bench::study;

// Lines that differ in the variant only: "16x16x16x16 single, links of 18 reals".
std::string group_of(const DslashRow& row) {
  return fmt::format("{} {}, links of {} reals", to_string(row.run.size), name_of(row.run.precision),
                     int(row.run.variant.links));
}

std::vector<std::string> groups_of(const std::vector<DslashRow>& rows) {
  std::vector<std::string> groups;
  for (const DslashRow& row : rows)
    if (groups.empty() || groups.back() != group_of(row)) groups.push_back(group_of(row));
  return groups;
}

// "one lane", "16 virtual nodes, split", "8 right-hand sides side by side"
std::string kind_of(const DslashRow& row) {
  const WilsonVariant& v = row.run.variant;
  if (row.run.vectors > 1 && v.filling != Filling::right_hand_sides)
    return fmt::format("{} right-hand sides side by side", row.run.vectors);
  const std::string kind =
      v.lanes == 1 ? "one lane" : fmt::format("{} {}, {}", v.lanes, name_of(v.filling), name_of(v.complex));
  // On a GPU operators visit bricks, which the study's variants leave to the order of traversal.
  return !fields_on_host && row.run.production ? kind + ", operators" : kind;
}

std::string with_traversal(std::string label, const WilsonVariant& v) {
  if (v.least_blocks > 0) label += fmt::format(", at least {} blocks", v.least_blocks);
  if (v.traversal == Traversal::team) label += v.team_size == 0 ? ", teams" : fmt::format(", teams of {}", v.team_size);
  if (v.traversal == Traversal::blocked) label += fmt::format(", blocks {}", joined(v.tile, ","));
  return label;
}

bool has_one_vector(const DslashRow& row) { return row.run.vectors == 1; }
// As operators are, but in any order of traversal and any precision.
bool is_plain(const DslashRow& row) {
  const WilsonVariant& v = row.run.variant;
  return v.layout == SiteLayout::right && (v.lanes == 1 || v.complex == form_of_operators);
}

plot::Bar bar_of(const DslashRow& row, const std::string& label) {
  const WilsonVariant& v = row.run.variant;
  const int colour = v.lanes == 1 && has_one_vector(row)         ? 4
                     : v.filling == Filling::right_hand_sides    ? 1
                     : row.run.production && row.run.vectors > 1 ? 3
                                                                 : 0;
  if (!row.run.why_not.empty()) return {label, std::numeric_limits<double>::quiet_NaN(), row.run.why_not, colour};
  return {label, row.flops() * 1e-9, fmt::format("({:.0f} % of MIX)", 100 * row.figure.of_mix), colour};
}

}  // namespace

std::vector<plot::BarPanel> study_figures(const std::vector<DslashRow>& rows) {
  // With --traversal there is no other.
  const auto is_usual = [&](const DslashRow& r) {
    return r.run.variant.traversal == rows.front().run.variant.traversal && r.run.variant.least_blocks == 0;
  };
  std::vector<plot::BarPanel> panels;
  for (const std::string& group : groups_of(rows)) {
    const auto add = [&](const std::string& title, const std::function<bool(const DslashRow&)>& belongs,
                         const std::function<std::string(const DslashRow&)>& label) {
      plot::BarPanel panel{fmt::format("{} ({})", title, group), {}};
      for (const DslashRow& row : rows)
        if (group_of(row) == group && belongs(row)) panel.bars.push_back(bar_of(row, label(row)));
      if (!panel.bars.empty()) panels.push_back(panel);
    };
    add(
        "Several right-hand sides, as figure 5",
        [&](const DslashRow& r) { return is_usual(r) && (!has_one_vector(r) || is_plain(r)); },
        [](const DslashRow& r) {
          return r.run.vectors > 1 && r.run.variant.filling != Filling::right_hand_sides
                     ? kind_of(r)
                     : fmt::format("{}, {}", kind_of(r), name_of(r.run.variant.layout));
        });
    add(
        "One right-hand side, as figure 6", [](const DslashRow& r) { return has_one_vector(r) && is_plain(r); },
        [](const DslashRow& r) { return with_traversal(kind_of(r), r.run.variant); });
    add(
        "Layouts and complex numbers, as figure 7",
        [&](const DslashRow& r) { return has_one_vector(r) && is_usual(r); },
        [](const DslashRow& r) { return fmt::format("{}, {}", kind_of(r), name_of(r.run.variant.layout)); });
  }
  return panels;
}

std::vector<plot::TablePanel> study_tables(const std::vector<DslashRow>& rows) {
  std::vector<plot::TablePanel> tables;
  for (const std::string& group : groups_of(rows)) {
    plot::TablePanel table{fmt::format("Layouts and complex numbers, GFLOP/s, as tables II and III ({})", group),
                           {"", "left", "tiled", "right"},
                           {}};
    for (const DslashRow& row : rows) {
      const WilsonVariant& v = row.run.variant;
      if (group_of(row) != group || v.traversal != rows.front().run.variant.traversal || v.least_blocks > 0) continue;
      if (!has_one_vector(row) && v.filling != Filling::right_hand_sides) continue;
      auto line = std::find_if(table.rows.begin(), table.rows.end(),
                               [&](const std::vector<std::string>& cells) { return cells[0] == kind_of(row); });
      if (line == table.rows.end()) line = table.rows.insert(line, {kind_of(row), "-", "-", "-"});
      const auto column = std::find(std::begin(site_layouts), std::end(site_layouts), v.layout);
      (*line)[std::size_t(column - std::begin(site_layouts)) + 1] =
          row.run.why_not.empty() ? fmt::format("{:.1f}", row.flops() * 1e-9) : row.run.why_not;
    }
    tables.push_back(table);
  }
  return tables;
}

std::string markdown(const std::vector<plot::TablePanel>& tables) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) { text += "| " + joined(cells, " | ") + " |\n"; };
  for (const plot::TablePanel& table : tables) {
    text += "\n" + table.title + "\n\n";
    line(table.columns);
    line(std::vector<std::string>(table.columns.size(), "---"));
    for (const auto& cells : table.rows) line(cells);
  }
  return text;
}

}  // namespace trellis::app
