// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::app {

namespace {

constexpr int width = 68;  // of the column that describes the check

// The first rank's outcome, or that of the first rank on which the check failed.
Outcome of_all(const comm::Communicator& ranks, const Outcome& own) {
  const auto texts = ranks.gather("outcome of a check",
                                  own.passed ? "" : fmt::format("{}\n{}\n{}", own.found, own.required, own.note));
  const auto failed = std::find_if(texts.begin(), texts.end(), [](const auto& text) { return !text.empty(); });
  if (failed == texts.end()) return own;
  const auto end = failed->find('\n'), next = failed->find('\n', end + 1);
  return {failed->substr(0, end), failed->substr(end + 1, next - end - 1), false, failed->substr(next + 1)};
}

}  // namespace

Outcome at_most(double found, double limit) {
  return {fmt::format("{:.1e}", found), fmt::format("<= {:.1e}", limit), found <= limit};
}

Outcome at_least(double found, double limit) {
  return {fmt::format("{:.2f}", found), fmt::format(">= {}", limit), found >= limit};
}

Outcome same_bits(bool same) { return {same ? "the same bits" : "different bits", "the same bits", same}; }

Outcome for_information(std::string found) { return {std::move(found), "", true}; }

Outcome with_note(Outcome outcome, std::string note) {
  if (!outcome.passed) outcome.note = std::move(note);
  return outcome;
}

void VerifyReport::section(std::string_view name) { write_(fmt::format("\n{}\n", name)); }

void VerifyReport::check(const std::string& what, const std::function<Outcome()>& run) {
  const Stopwatch watch;
  Outcome outcome;
  try {
    outcome = run();
  } catch (const Error& error) {
    outcome = {"an error", "none", false};
    outcome.note = error.what();
  }
  outcome = of_all(ranks_, outcome);
  const bool informs = outcome.passed && outcome.required.empty();
  checks_ += informs ? 0 : 1;
  failed_ += outcome.passed ? 0 : 1;
  const auto value =
      informs ? fmt::format("{:<29}", outcome.found) : fmt::format("{:<14} {:<14}", outcome.found, outcome.required);
  write_(fmt::format("  {}  {:<{}} {} {:>6.1f} s\n{}",
                     informs          ? "info"
                     : outcome.passed ? "pass"
                                      : "FAIL",
                     what, width, value, watch.seconds(),
                     outcome.note.empty() ? "" : fmt::format("        {}\n", outcome.note)));
}

}  // namespace trellis::app
