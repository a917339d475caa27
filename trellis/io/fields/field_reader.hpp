// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the fields of a file (field_file.hpp), each rank its own sites, in pieces of 16384 sites. All threads decode.
// Checksum and square norm are those of all ranks' numbers, with the same bits for any ranks.

#include <filesystem>
#include <optional>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/core/base/function_ref.hpp"
#include "trellis/io/fields/field_file.hpp"

namespace trellis::io {

struct SquareNormResult {
  double claimed = 0, computed = 0;
  double tolerance = 0;
  bool agrees() const;
};

// What was found in a field.
struct FieldReport {
  std::vector<ChecksumResult> checksums;
  std::optional<SquareNormResult> square_norm;  // if the file states one
  std::int64_t non_finite = 0;                  // sites with a NaN or an infinity
  std::int64_t zero = 0;                        // sites whose numbers are all 0
  double largest = 0;                           // absolute value of a number, among those that are finite
  double unitarity = 0;                         // of colour matrices: the largest element of |U U^+ - 1|
  bool checksums_agree() const;
};

// Called by several threads: the site's number in the complete lattice, and its FieldInfo::reals() numbers.
using SiteSink = FunctionRef<void(std::int64_t site, std::span<const double> numbers)>;

class FieldReader {
 public:
  // Reads the header; all ranks must call it. Throws InputError (field_file.hpp).
  explicit FieldReader(const std::filesystem::path& path, const comm::Communicator& ranks = {});

  const std::filesystem::path& path() const { return path_; }
  const FieldFileInfo& info() const { return info_; }
  // The only field with `count` objects of this type a site, or the first if there are more; InputError if there is
  // none.
  std::size_t find(FieldType type, int count) const;
  // One of info().fields; `own` is this rank's part. If strict, InputError on all ranks if a checksum or
  // square norm differs or a number is not finite, after the last site. All ranks must call it.
  FieldReport read(std::size_t number, const comm::Block& own, const SiteSink& sink, bool strict = true) const;

 private:
  std::filesystem::path path_;
  comm::Communicator ranks_;
  FieldFileInfo info_;
};

}  // namespace trellis::io
