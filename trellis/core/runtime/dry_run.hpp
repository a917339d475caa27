// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A dry run: the program runs as usual, but no kernel does; what would have run is recorded.
//   DryRun run;
//   work();
//   for (const DryRun::Call& call : run.calls()) ...   // kernels in order, with the bytes and flops that they declare
// It applies to this thread, until the end of the scope; scopes nest. A reduction gives the result for no work (a sum
// is 0), copies copy nothing, and no device is touched: its memory is allocated on the host. New memory is not set to
// zero, except for its first page, which is enough for scalars. Listeners are told of memory as usual
// (profile_listener.hpp), but neither they nor profiles of kernels. Code that branches on numbers must check for a dry
// run, since there are none. A loop that ends when a residual is small runs once, and counts as often as DryRun says:
//   if (in_dry_run()) {
//     const DryLoop turns(dry_turns("solve", 1)[0]);   // multiplies what is recorded until the end of the scope
//     iteration();
//   }
// Cost without a dry run: one branch per dispatch.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/core/kernel.hpp"
#include "trellis/core/runtime/runtime_state.hpp"

namespace trellis {

class DryRun {
 public:
  struct Call {
    std::string name;
    bool single = false;
    double bytes = 0, flops = 0;
    double times = 1;       // product of the counts of enclosing loops
    double launches = 1;    // number of kernels that it consists of
    bool result = false;    // the host waits for a number
    double loop_bytes = 0;  // of all kernels in one iteration of the innermost loop; 0 outside loops
  };
  // The numbers of iterations of a loop's `count` parts, by its name.
  using Turns = std::function<std::vector<double>(std::string_view loop, int count)>;

  // Without `turns`, all loops run once.
  explicit DryRun(Turns turns = {});
  DryRun(const DryRun&) = delete;
  DryRun& operator=(const DryRun&) = delete;
  ~DryRun();

  const std::vector<Call>& calls() const { return calls_; }

 private:
  friend class DryLoop;
  friend class KernelTimer;
  friend std::vector<double> dry_turns(std::string_view loop, int count);
  // Called around a dispatch. Nested dispatches belong to the outer one.
  void begin(const Kernel& kernel);
  void end() { --depth_; }
  void mark_result() { calls_.back().result = true; }

  Turns turns_;
  std::vector<Call> calls_;
  double times_ = 1;
  int depth_ = 0, inner_ = 0;  // current nesting depth; dispatches within the outermost so far
  DryRun* before_;
};

namespace dry_run_detail {
bool in_this_thread();
}  // namespace dry_run_detail

inline bool in_dry_run() { return !runtime_detail::quiet() && dry_run_detail::in_this_thread(); }

// What the DryRun was told about a loop. Throws Error if that has a different number of parts.
std::vector<double> dry_turns(std::string_view loop, int count);

class DryLoop {
 public:
  explicit DryLoop(double times);
  DryLoop(const DryLoop&) = delete;
  DryLoop& operator=(const DryLoop&) = delete;
  ~DryLoop();

 private:
  double before_;
  std::size_t first_;
};

}  // namespace trellis
