// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why a chain stops before its last trajectory, as far as its folder and its table say: signals and the time budget are
// not among these reasons. For the first rank.

#include <cstdint>
#include <optional>
#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct StopReason {
  std::string text;                            // "the stop file stop"
  std::optional<double> poor_acceptance = {};  // its steps do not fit: the acceptance (reconsider.hpp)
  bool precise = false;                        // its results are as precise as asked, as the text says (stop_when.hpp)
};

// After so many trajectories: the stop file, before steps that do not fit, before [chain.stop_when]. may_choose_again:
// whether steps that do not fit are a reason.
std::optional<StopReason> reason_to_stop(const RunInput& input, const io::CsvData& table, std::int64_t completed,
                                         bool may_choose_again);

// False also if it cannot be looked for.
bool stop_file_exists(const RunInput& input);

}  // namespace trellis::app
