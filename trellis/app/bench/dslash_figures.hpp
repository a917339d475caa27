// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis bench dslash --compare` shows of its lines, arranged as in the study
// (trellis/bench/study/variants.hpp): tables II and III, layouts by forms of complex numbers; figure 5, several
// right-hand sides; figure 6, one right-hand side with and without lanes, in each order of traversal; figure 7, the
// bars of the tables. Each lattice, precision and link format has its own. What is not compiled is there, without a
// number.

#include "trellis/app/bench/dslash_report.hpp"

namespace trellis::app {

std::vector<plot::BarPanel> study_figures(const std::vector<DslashRow>& rows);
std::vector<plot::TablePanel> study_tables(const std::vector<DslashRow>& rows);
// The tables as Markdown.
std::string markdown(const std::vector<plot::TablePanel>& tables);

}  // namespace trellis::app
