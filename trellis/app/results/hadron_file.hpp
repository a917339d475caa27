// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// All correlators of [measure.hadrons] of many configurations in one HDF5 file. Arrays:
//   hadrons/kappa_<kappa>/<sink>/<channel>   [configurations][sources][momenta][times][2]: real and imaginary part; t
//                                            counts from the source
//   hadrons/sources                          [sources][4]: x, y, z, t
//   hadrons/momenta                          [momenta][3]: n, momentum 2 pi n / L
//   hadrons/<number>                         [configurations]: `number` says of what ("trajectory", "row")
//
// As FlowFile: all is in memory, write() replaces the whole file in one step, so that a kill leaves the one before it.
// Throws Error for a file that is there and does not have these arrays.

#include <map>

#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/io/checked_rows.hpp"

namespace trellis::app {

class HadronFile {
 public:
  // Goes on from the file if there is one.
  HadronFile(std::filesystem::path file, std::string number, const HadronJob& job, const std::array<int, 4>& size);

  void add(std::int64_t number, const measure::HadronMeasurement& m);
  // What is there so far.
  io::CheckedRows rows() const;
  // Forgets what follows the rows of `saved`; throws unless those are as they were saved.
  void go_back_to(const io::CheckedRows& saved);
  // Forgets what is numbered above `last`.
  void drop_after(std::int64_t last);
  // Does nothing when nothing changed since the last time.
  void write();
  bool empty() const { return correlators_.empty(); }
  std::int64_t last() const { return correlators_.empty() ? 0 : correlators_.rbegin()->first; }  // the largest number
  const std::filesystem::path& file() const { return file_; }

 private:
  void read();
  io::CheckedRows first_rows(std::uint64_t count) const;
  std::vector<std::string> names() const;  // of the arrays of correlators

  std::filesystem::path file_;
  std::string number_;
  HadronJob job_;
  std::vector<Coordinate> sources_;
  std::size_t times_;
  std::map<std::int64_t, std::vector<std::complex<double>>> correlators_;  // as in HadronMeasurement
  bool changed_ = false;
};

}  // namespace trellis::app
