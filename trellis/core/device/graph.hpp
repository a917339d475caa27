// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sequence of kernels that runs many times and is launched as one.
//   const Graph step = capture(DefaultExecutionSpace{}, [=] { add(alpha, p, x); apply(p, q); }, "step");
//   for (int n = 0; n < 1000; ++n) step.run();
// run() does the same as calling the function. On hosts it calls it. On Cuda the first run() records the kernels that
// the function dispatches; from then on they are launched together, without calling the function: a kernel then takes
// half a microsecond to launch instead of four, which dominates on small lattices. A profile counts the graph as one
// kernel with its name, and the bytes and flops of all its kernels. While there is a listener (profile_listener.hpp),
// and within another graph, the function is called, so that each of its kernels is reported.
//
// So the function must dispatch the same kernels with the same arguments whenever it is called; numbers that change
// must be kept in Views. Its kernels must use `space` or the default instance; they run in order with those before and
// after run(), which does not wait for any of them. Nothing in the function may wait: a fence, a reduction, a scan, or
// a copy that is complete on return throws Error, as does a kernel for another instance. Memory of Views that it
// creates and drops belongs to the graph until the graph is destroyed. What it refers to must live as long as the
// graph, which keeps a copy of the function. Copies of a Graph share an existing recording. A Graph may be run by only
// one thread at a time.

#include <functional>

#include "trellis/core/spaces.hpp"

namespace trellis {

namespace backend {
// What a space has recorded; hosts record nothing.
template <ExecutionSpace Exec>
class Recording {
 public:
  // False: the work must still be called.
  bool run(const Exec&, const std::function<void()>& /*work*/, const char* /*name*/) const { return false; }
};
}  // namespace backend

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(graph.hpp)
#endif

namespace trellis {

template <ExecutionSpace Exec>
class Graph {
 public:
  Graph(const Exec& space, std::function<void()> work, const char* name)
      : space_(space), work_(std::move(work)), name_(name) {}

  void run() const {
    if (!recording_.run(space_, work_, name_)) work_();
  }

 private:
  Exec space_;
  std::function<void()> work_;
  const char* name_;
  backend::Recording<Exec> recording_;
};

template <ExecutionSpace Exec, std::invocable F>
Graph<Exec> capture(const Exec& space, F work, const char* name = "graph") {
  return {space, std::function<void()>(std::move(work)), name};
}

}  // namespace trellis
