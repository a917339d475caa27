// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// All correlators of [measure.hadrons] or [measure.staggered_hadrons] of many configurations in one HDF5 file. Arrays
// of the group, "hadrons" or "staggered_hadrons":
//   <name>      [configurations][sources][momenta][times][2]: real and imaginary part; t counts from the source. Names
//               are kappa_<kappa>/<sink>/<channel>, or <flavours>/<channel>
//   sources     [sources][4]: x, y, z, t
//   momenta     [momenta][3]: n, momentum 2 pi n / L
//   <number>    [configurations]: `number` is "trajectory" or "row"
// Attributes of a correlator: channel, and kappa and sink, or flavours; of the file and all arrays: see
// file_origin.hpp.
//
// As in FlowFile, everything is kept in memory and write() replaces the file in one step, so a kill leaves the previous
// one intact. Throws Error for an existing file that does not have these arrays.

#include <complex>
#include <vector>

#include "trellis/app/origin/file_origin.hpp"
#include "trellis/app/results/correlator_layout.hpp"
#include "trellis/app/results/numbered_results.hpp"

namespace trellis::app {

inline void add_correlator_numbers(io::CheckedRows& rows, const std::vector<std::complex<double>>& correlators) {
  rows.add(correlators.data(), correlators.size() * sizeof correlators[0]);
}

class HadronFile {
 public:
  // Continues the file if there is one.
  HadronFile(std::filesystem::path file, std::string number, CorrelatorLayout layout);

  // In the order of the layout.
  void add(std::int64_t number, const std::vector<std::complex<double>>& all) { correlators_[number] = all; }
  // What is there so far, and going back, as in NumberedResults.
  io::CheckedRows rows() const { return correlators_.rows(); }
  void go_back_to(const io::CheckedRows& saved) { correlators_.go_back_to(saved, file_); }
  void drop_after(std::int64_t last) { correlators_.drop_after(last); }
  // Does nothing if nothing has changed since the last call.
  void write(const FileOrigin& origin);
  bool empty() const { return correlators_.empty(); }
  std::int64_t last() const { return correlators_.last(); }
  const std::filesystem::path& file() const { return file_; }

 private:
  void read();
  std::string path(const std::string& array) const { return layout_.group + "/" + array; }

  std::filesystem::path file_;
  std::string number_;
  CorrelatorLayout layout_;
  NumberedResults<std::vector<std::complex<double>>, add_correlator_numbers> correlators_;
};

}  // namespace trellis::app
