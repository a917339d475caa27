// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/stop_reason.hpp"

#include <filesystem>

#include "trellis/app/run/reconsider.hpp"
#include "trellis/app/run/stop_when.hpp"

namespace trellis::app {

bool stop_file_exists(const RunInput& input) {
  std::error_code ignored;
  return std::filesystem::exists(input.chain.stop_file, ignored);
}

std::optional<StopReason> reason_to_stop(const RunInput& input, const io::CsvData& table, std::int64_t completed,
                                         bool may_choose_again) {
  if (stop_file_exists(input)) return StopReason{"the stop file " + input.chain.stop_file.string()};
  if (may_choose_again)
    if (const auto acceptance = poor_acceptance(input, table, completed))
      return StopReason{.text = "its steps do not fit", .poor_acceptance = acceptance};
  if (const auto reason = precise_enough(input, table, completed)) return StopReason{.text = *reason, .precise = true};
  return std::nullopt;
}

}  // namespace trellis::app
