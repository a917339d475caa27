// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/chain_progress.hpp"

#include <algorithm>

namespace trellis::app {

ChainProgress::ChainProgress(const RunLog& log, ThreadChoice& threads, LiveReport* live, std::uint32_t total,
                             std::uint32_t completed, const std::string& crowd)
    : log_(log),
      threads_(threads),
      live_(live),
      total_(total),
      before_(completed),
      line_(log.console, total),
      other_work_(crowd) {}

void ChainProgress::tell(const std::string& text) {
  if (log_.ranks.is_first()) line_.message(text);
  log_.log(text);
}

void ChainProgress::look_at_other_work() {
  const auto lost = other_work_.look();
  if (!lost) return;
  if (const auto news = other_work_.news(*lost)) tell(*news);
  if (threads_.again(*lost)) tell(threads_.text());
}

void ChainProgress::show(std::uint32_t completed, double seconds_left, const std::function<std::string()>& details) {
  look_at_other_work();
  const double each = since_.seconds() / (completed - before_);
  if (live_ != nullptr)
    live_->tell({completed, total_, each, std::max(0.0, std::min(each * (total_ - completed), seconds_left))});
  if (log_.ranks.is_first() && line_.due(completed)) line_.show(completed, each, details(), seconds_left);
}

}  // namespace trellis::app
