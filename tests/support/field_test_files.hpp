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

template <class F>
void for_sites(const Coordinate& n, const F& f) {
  for (int t = 0; t < n[3]; ++t)
    for (int x = 0; x < n[0]; ++x)
      for (int y = 0; y < n[1]; ++y)
        for (int z = 0; z < n[2]; ++z) f(Coordinate{x, y, z, t});
}

// A file of openQCD's export_sfld: with a fifth number in its header (openQCD 2.4) unless that is negative.
struct SpinorsFile {
  Coordinate size{};
  double (*number)(const Coordinate& x, int k) = nullptr;
  ByteOrder order = ByteOrder::little;
  int fifth = -1;

  double square_norm() const {
    double sum = 0;
    for_sites(size, [&](const Coordinate& x) {
      for (int k = 0; k < 24; ++k) sum += number(x, k) * number(x, k);
    });
    return sum;
  }
  std::string bytes() const {
    std::string out;
    for (const std::size_t mu : {3U, 0U, 1U, 2U}) append(out, std::int32_t{size[mu]}, order);
    if (fifth >= 0) append(out, std::int32_t{fifth}, order);
    append(out, square_norm(), order);
    for_sites(size, [&](const Coordinate& x) {
      for (int k = 0; k < 24; ++k) append(out, number(x, k), order);
    });
    return out;
  }
};

}  // namespace trellis::io::test
