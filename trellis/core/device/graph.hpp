// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sequence of kernels that runs many times, started as one.
//   const Graph step = capture(DefaultExecutionSpace{}, [=] { add(alpha, p, x); apply(p, q); }, "step");
//   for (int n = 0; n < 1000; ++n) step.run();
// run() does what calling the function does. On hosts it calls it. On Cuda the first run() records the kernels that the
// function dispatches, and from then on they are launched together, without the function: one costs half a microsecond
// and not four, which is what small lattices wait for. A profile then counts the graph as one kernel of its name, with
// the bytes and flops of all. While there is a listener (profile_listener.hpp), and within another graph, the function
// is called, so that each of its kernels is heard of.
//
// So the function must dispatch the same kernels with the same arguments whenever it is called; numbers that change
// belong into Views. Its kernels go to `space` or to the default instance, and run there in order with those before and
// after run(), which waits for none of them. Nothing in it may wait: a fence, a reduction, a scan, a copy that is
// complete on return throw Error, as do kernels for another instance. Memory of Views that it makes and drops is the
// graph's until that goes. What it refers to must live as long as the graph, which keeps a copy of the function. Copies
// of a Graph share what was recorded before. A Graph is run by one thread at a time.

#include <functional>

#include "trellis/core/spaces.hpp"

namespace trellis {

namespace backend {
// What a space has recorded; hosts record nothing.
template <ExecutionSpace Exec>
class Recording {
 public:
  // False: the work is still to be called.
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
