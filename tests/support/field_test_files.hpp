// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// SciDAC files of fields for tests, built from the format's description without the writer's code.

#include <fmt/format.h>

#include "tests/support/gauge_test_files.hpp"

namespace trellis::io::test {

inline std::string scidac_sums(const std::string& data, std::size_t site_bytes) {
  ScidacChecksum checksum;
  checksum.add(0, site_bytes, std::as_bytes(std::span(data)));
  return fmt::format("<scidacChecksum><version>1.0</version><suma>{:x}</suma><sumb>{:x}</sumb></scidacChecksum>",
                     checksum.a, checksum.b);
}

// The message of one field: private record, record, data, checksum.
inline std::vector<Record> field_message(const std::string& datatype, Precision precision, int object_bytes, int count,
                                         const std::string& data) {
  return {{"scidac-private-record-xml",
           fmt::format("<?xml version=\"1.0\"?><scidacRecord><version>1.0</version><date>now</date><globaldata>0"
                       "</globaldata><datatype>{}</datatype><precision>{}</precision><colors>3</colors><typesize>{}"
                       "</typesize><datacount>{}</datacount></scidacRecord>",
                       datatype, precision == Precision::single ? 'F' : 'D', object_bytes, count),
           true},
          {"scidac-record-xml", "words of the user"},
          {"scidac-binary-data", data},
          {"scidac-checksum", scidac_sums(data, std::size_t(object_bytes * count)), false, true}};
}

inline std::vector<Record> file_message(const Coordinate& n) {
  return {
      {"scidac-private-file-xml",
       fmt::format("<?xml version=\"1.0\"?><scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{} {} {} {} "
                   "</dims><volfmt>0</volfmt></scidacFile>",
                   n[0], n[1], n[2], n[3]),
       true},
      {"scidac-file-xml", "words of the user", false, true}};
}

inline std::vector<Record> joined(std::vector<Record> records, const std::vector<Record>& more) {
  records.insert(records.end(), more.begin(), more.end());
  return records;
}

inline std::vector<Record> field_records(const Coordinate& size, const std::string& datatype, Precision precision,
                                         int object_bytes, int count, const std::string& data) {
  return joined(file_message(size), field_message(datatype, precision, object_bytes, count, data));
}

// Number k of the site of field `field`.
inline double propagator_number(int field, std::int64_t site, int k) {
  return field + static_cast<double>(site) / 16 + k / 1024.0;
}

// A source of complex numbers, and two spinors.
inline std::vector<Record> propagator_records(const Coordinate& size, Precision precision) {
  auto records = file_message(size);
  for (int field = 0; field < 3; ++field) {
    const int reals = field == 0 ? 2 : 24;
    std::string data;
    for (std::int64_t site = 0; site < volume(size).value(); ++site)
      for (int k = 0; k < reals; ++k) {
        const double number = propagator_number(field, site, k);
        if (precision == Precision::single)
          append(data, static_cast<float>(number), ByteOrder::big);
        else
          append(data, number, ByteOrder::big);
      }
    const char letter = precision == Precision::single ? 'F' : 'D';
    records = joined(records, field_message(field == 0 ? fmt::format("QDP_{}_Complex", letter)
                                                       : fmt::format("USQCD_{}3_DiracFermion", letter),
                                            precision, reals * (precision == Precision::single ? 4 : 8), 1, data));
  }
  return records;
}

}  // namespace trellis::io::test
