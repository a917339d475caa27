// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a run says: on the console, in the log of its folder, or both. All ranks call this alike; the console of all but
// the first is silent (job/job.hpp), and the first alone writes the log.

#include <string>
#include <string_view>

#include "trellis/app/job/progress.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/comm/communicator.hpp"

namespace trellis::app {

struct RunLog {
  const RunFolder& folder;
  const comm::Communicator& ranks;
  const Console& console;

  void say(const std::string& line) const { console.write(line + "\n"); }
  void log(std::string_view text) const {
    if (ranks.is_first()) append_log(folder.log(), text);
  }
  void tell(const std::string& line) const {
    say(line);
    log(line);
  }
};

}  // namespace trellis::app
