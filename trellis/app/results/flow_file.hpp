// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves of the gradient flow of many configurations in one HDF5 file. Arrays:
//   flow/time                                            [points], t / a^2
//   flow/energy, flow/energy_spatial, flow/energy_temporal, flow/energy_plaquette, flow/plaquette,
//   flow/topological_charge                              [configurations][points], as in gauge::FlowPoint
//   flow/<number>                                        [configurations]: `number` is "trajectory" or "row"
// attributes of flow: c1, step, tolerance; of the file and the arrays: see file_origin.hpp.
//
// All curves are kept in memory; write() replaces the file in one step, so a kill leaves the previous one intact.
// Throws Error for an existing file that does not have these arrays, or has other flow times.

#include <filesystem>
#include "trellis/app/origin/file_origin.hpp"
#include "trellis/app/results/numbered_results.hpp"
#include "trellis/gauge/flow.hpp"

namespace trellis::app {

void add_flow_numbers(io::CheckedRows& rows, const std::vector<gauge::FlowPoint>& curve);

class FlowFile {
 public:
  // Continues the file if there is one.
  FlowFile(std::filesystem::path file, std::string number, const gauge::FlowParameters& parameters);

  // Without time slices.
  void add(std::int64_t number, std::vector<gauge::FlowPoint> points);
  // What is there so far, and going back, as in NumberedResults.
  io::CheckedRows rows() const { return curves_.rows(); }
  void go_back_to(const io::CheckedRows& saved) { curves_.go_back_to(saved, file_); }
  void drop_after(std::int64_t last) { curves_.drop_after(last); }
  // Does nothing if nothing has changed since the last call.
  void write(const FileOrigin& origin);
  bool empty() const { return curves_.empty(); }
  std::int64_t last() const { return curves_.last(); }
  const auto& curves() const { return curves_; }  // by number

 private:
  void read();

  std::filesystem::path file_;
  std::string number_;
  gauge::FlowParameters parameters_;
  NumberedResults<std::vector<gauge::FlowPoint>, add_flow_numbers> curves_;
};

}  // namespace trellis::app
