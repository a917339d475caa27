// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves of the gradient flow of many configurations in one HDF5 file. Arrays:
//   flow/time                                            [points], t / a^2
//   flow/energy, flow/energy_spatial, flow/energy_temporal, flow/energy_plaquette, flow/plaquette,
//   flow/topological_charge                              [configurations][points], as in gauge::FlowPoint
//   flow/<number>                                        [configurations]: `number` says of what ("trajectory", "row")
// attributes of flow: c1, step, tolerance.
//
// All curves are in memory; write() replaces the whole file in one step, so that a kill leaves the one before it.
// Throws Error for a file that is there and does not have these arrays, or other flow times.

#include <filesystem>
#include <map>

#include "trellis/gauge/flow.hpp"
#include "trellis/io/checked_rows.hpp"

namespace trellis::app {

class FlowFile {
 public:
  // Goes on from the file if there is one.
  FlowFile(std::filesystem::path file, std::string number, const gauge::FlowParameters& parameters);

  void add(std::int64_t number, const std::vector<gauge::FlowPoint>& points);
  // What is there so far.
  io::CheckedRows rows() const;
  // Forgets what follows the rows of `saved`; throws unless those are as they were saved.
  void go_back_to(const io::CheckedRows& saved);
  // Forgets the curves numbered above `last`.
  void drop_after(std::int64_t last);
  // Does nothing when nothing changed since the last time.
  void write();
  bool empty() const { return curves_.empty(); }
  std::int64_t last() const { return curves_.empty() ? 0 : curves_.rbegin()->first; }  // the largest number

 private:
  void read();
  io::CheckedRows first_rows(std::uint64_t count) const;

  std::filesystem::path file_;
  std::string number_;
  gauge::FlowParameters parameters_;
  std::map<std::int64_t, std::vector<gauge::FlowPoint>> curves_;
  bool changed_ = false;
};

}  // namespace trellis::app
