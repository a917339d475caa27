// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// `trellis run --watch PORT`: the report of a run, shown to browsers on this machine while the run is going.
//
// Pages are made from the files that the run writes, in the responder's thread (http_responder.hpp): at most one per
// second, and not in more than a twentieth of the time; in between, browsers get the previous one.

#include <mutex>

#include "trellis/app/report/http_responder.hpp"
#include "trellis/app/report/report_page.hpp"

namespace trellis::app {

class LiveReport {
 public:
  // Throws InputError if the port cannot be opened. program: in the commands of the page.
  LiveReport(std::uint16_t port, RunFolder folder, std::string program);

  std::string address() const { return responder_.address(); }
  // By the run, after each trajectory.
  void tell(const LiveProgress& progress);

 private:
  std::string page();

  RunFolder folder_;
  std::string program_;
  std::mutex mutex_;  // of progress_
  LiveProgress progress_;
  // Of the responder's thread:
  std::string page_;
  double made_ = 0, cost_ = 0;  // when it was ready, and how long that took, in seconds
  HttpResponder responder_;     // last: its thread uses the others
};

}  // namespace trellis::app
