// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify_report.hpp"

#include <fmt/format.h>

#include "trellis/core/error.hpp"
#include "trellis/hmc/stopwatch.hpp"

namespace trellis::app {

Outcome at_most(double found, double limit) {
  return {fmt::format("{:.1e}", found), fmt::format("<= {:.1e}", limit), found <= limit};
}

Outcome between(double found, double lower, double upper) {
  return {fmt::format("{:.2f}", found), fmt::format("{} to {}", lower, upper), found >= lower && found <= upper};
}

Outcome same_bits(bool same) { return {same ? "the same bits" : "other bits", "the same bits", same}; }

Outcome for_information(std::string found) { return {std::move(found), "", true}; }

void VerifyReport::section(std::string_view name) { write_(fmt::format("\n{}\n", name)); }

void VerifyReport::check(const std::string& what, const std::function<Outcome()>& run) {
  const hmc::Stopwatch watch;
  Outcome outcome;
  try {
    outcome = run();
  } catch (const Error& error) {
    outcome = {error.what(), "no error", false};
  }
  ++checks_;
  failed_ += outcome.passed ? 0 : 1;
  write_(fmt::format("  {}  {:<66} {:>14}  {:<14} {:>6.1f} s\n", outcome.passed ? "pass" : "FAIL", what, outcome.found,
                     outcome.required, watch.seconds()));
}

}  // namespace trellis::app
