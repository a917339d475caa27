// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files of a chain's links, configurations and checkpoints, written while the chain goes on
// (io/files_under_way.hpp). By all ranks together.
//
// The links of a state are taken once for each precision in which they are saved, and those of one state at a time: for
// another one, the files under way are finished first. So 576 bytes per site of this rank, with configurations in
// single precision 864, are in use beside the field, from the first file on; on a GPU these are in host memory, which
// while links are taken also holds a copy of the field.

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/io/files_under_way.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::app {

// In host memory.
double link_file_bytes_per_site(const RunInput& input);

template <int W>
class LinkFiles {
 public:
  explicit LinkFiles(const comm::Communicator& ranks) : files_(ranks) {}

  // when_there is called on all ranks once the file is in place.
  void save_configuration(const std::filesystem::path& file, const RunInput& input, std::uint32_t trajectory,
                          const GaugeField<double, W>& u, const std::function<void()>& when_there);
  // before_it_is_replaced is called on the first rank once the new file is on the disk.
  void save_chain(const std::filesystem::path& file, const SavedChain& chain, const GaugeField<double, W>& u,
                  const std::function<void()>& before_it_is_replaced);
  // The links are taken anew for the next file, though they are of the same state.
  void forget() {
    double_ = {};
    single_ = {};
  }
  // Puts in place what is written, without waiting.
  void look() { files_.look(); }
  // Waits until all files are in place.
  void finish() { files_.finish(); }
  // files_under_way.hpp
  double waited_seconds() const { return files_.waited_seconds(); }
  double longest_seconds() const { return files_.longest_seconds(); }

 private:
  std::shared_ptr<const io::PackedLinks> taken(const GaugeField<double, W>& u, std::uint32_t trajectory,
                                               Precision precision);

  struct Taken {
    std::uint32_t trajectory = 0;
    std::shared_ptr<io::PackedLinks> links;
  };
  Taken double_, single_;
  std::uint32_t trajectory_ = 0;  // of the files under way, if there are any
  io::FilesUnderWay files_;
};

}  // namespace trellis::app
