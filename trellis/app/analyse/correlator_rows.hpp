// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Correlators of a chain from a table with a row for each time and a column for each channel.

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/analyse/result_set.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {

// [configuration][t], for each kind of quarks, and what else distinguishes rows, and channel.
template <class Rows>
using Correlators = std::map<std::pair<Rows, std::string>, std::vector<analysis::Series>>;

// Appends those of a chain. rows(i) is an optional: what row i belongs to, or nothing if it is not wanted. Throws
// InputError if the times of a correlator are not in order.
template <class Rows, class F>
void read_correlators(const ChainResults& chain, const std::filesystem::path& file, const io::CsvData& data,
                      const std::vector<std::string>& channels, const F& rows, Correlators<Rows>& to) {
  const auto& time = data.column("t");
  for (const auto& channel : channels) {
    if (!data.has(channel)) continue;
    const auto& values = data.column(channel);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (!chain.keeps(data.values[0][i]) || std::isnan(values[i])) continue;
      const auto row = rows(i);
      if (!row) continue;
      auto& all = to[{*row, channel}];
      if (time[i] == 0) all.emplace_back();
      if (all.empty() || double(all.back().size()) != time[i])
        fail_input("{}: the times of a correlator are not in order", file.string());
      all.back().push_back(values[i]);
    }
  }
}

}  // namespace trellis::app
