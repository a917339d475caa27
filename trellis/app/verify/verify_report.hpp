// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The report of `trellis verify`: one line per check, with what was found, what is required, and the seconds it took,
// printed as soon as it is known.
//
//   VerifyReport report(console.write);
//   report.section("Files");
//   report.check("ILDG, written and read", [&] { return same_bits(written == read); });
//   return report.failed() > 0 ? 1 : 0;

#include <functional>
#include <string>
#include <string_view>

#include "trellis/comm/communicator.hpp"

namespace trellis::app {

struct Outcome {
  std::string found, required;  // required is empty for information, which neither passes nor fails
  bool passed = true;
  std::string note = {};  // why it failed, on a line of its own
};

// "3.1e-10", "<= 1.0e-07". NaN fails.
Outcome at_most(double found, double limit);
Outcome at_least(double found, double limit);  // "2.03", ">= 1.5"
Outcome same_bits(bool same);
Outcome for_information(std::string found);
// The outcome, and its note if it has failed.
Outcome with_note(Outcome outcome, std::string note);

class VerifyReport {
 public:
  // On several ranks a check passes if it passes on all.
  explicit VerifyReport(std::function<void(std::string_view)> write, const comm::Communicator& ranks = {})
      : write_(std::move(write)), ranks_(ranks) {}

  void section(std::string_view name);
  // Runs the check. One that throws an Error has failed; the message gets its own line.
  void check(const std::string& what, const std::function<Outcome()>& run);

  int checks() const { return checks_; }  // not counting information
  int failed() const { return failed_; }

 private:
  std::function<void(std::string_view)> write_;
  comm::Communicator ranks_;
  int checks_ = 0, failed_ = 0;
};

}  // namespace trellis::app
