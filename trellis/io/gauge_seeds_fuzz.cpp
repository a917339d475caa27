// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of the fuzz targets, small valid files of every variant, to
// FOLDER/{nersc,ildg,milc,openqcd,fields,spinors}.
#include <cstdio>

#include "tests/support/field_test_files.hpp"
#include "trellis/io/formats/gauge_writer.hpp"

namespace trellis::io {
namespace {

using namespace test;

void write_seeds(const std::filesystem::path& folder) {
  const Coordinate size{2, 2, 2, 2};
  const auto links = random_links(size, 1);
  for (const char* name : {"nersc", "ildg", "milc", "openqcd", "fields", "spinors"})
    std::filesystem::create_directories(folder / name);
  for (const auto precision : {Precision::single, Precision::double_}) {
    for (const auto order : {ByteOrder::little, ByteOrder::big}) {
      const auto variant = fmt::format("{}_{}", name_of(precision), name_of(order));
      NerscParameters n;
      n.size = size;
      n.precision = precision;
      n.byte_order = order;
      n.rows = order == ByteOrder::big ? 2 : 3;
      write_nersc(folder / "nersc" / variant, n, source_of(links));
    }
    IldgParameters p;
    p.size = size;
    p.precision = precision;
    p.plaquette = 0.5;
    p.input = "beta = 6";
    write_ildg(folder / "ildg" / fmt::format("full_{}", name_of(precision)), p, source_of(links));
    write_all(folder / "fields" / fmt::format("propagator_{}", name_of(precision)),
              lime_file(propagator_records(size, precision)));
    const auto data = link_bytes_of(links, precision, ByteOrder::big);
    const bool single = precision == Precision::single;
    write_all(folder / "fields" / fmt::format("matrices_{}", name_of(precision)),
              lime_file(field_records(size, single ? "QDP_F3_ColorMatrix" : "QDP_D3_ColorMatrix", precision,
                                      single ? 72 : 144, 4, data)));
    write_all(folder / "fields" / fmt::format("vectors_{}", name_of(precision)),
              lime_file(field_records(size, single ? "QDP_F3_ColorVector" : "QDP_D3_ColorVector", precision,
                                      single ? 24 : 48, 12, data)));
    const std::string format = ildg_format_xml(size, precision == Precision::single ? 32 : 64);
    write_all(folder / "ildg" / fmt::format("sloppy_{}", name_of(precision)),
              lime_file({{"xlf-info", "plaquette = 0.5\n beta = 6, kappa = 0.1\n", true, true},
                         {"ildg-format", format},
                         {"ildg-binary-data", data}},
                        false, true));
    write_all(folder / "ildg" / fmt::format("bare_{}", name_of(precision)),
              lime_file({{"ildg-binary-data", data, true, true}}) + '\1');
  }
  for (const auto order : {ByteOrder::little, ByteOrder::big}) {
    write_all(folder / "milc" / fmt::format("v5_{}", name_of(order)), milc_file(size, links, order));
    write_all(folder / "milc" / fmt::format("v1_{}", name_of(order)), old_milc_file(size, links, order));
    write_all(folder / "openqcd" / std::string(name_of(order)), openqcd_file(size, links, 0.1, order));
    for (const int fifth : {-1, 0, 1})
      write_all(folder / "spinors" / fmt::format("{}_{}", name_of(order), fifth),
                SpinorsFile{size, [](const Coordinate& x, int k) { return x[0] + 0.1 * k; }, order, fifth}.bytes());
  }
}

}  // namespace
}  // namespace trellis::io

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: io_fuzz_seeds FOLDER\n");
    return 2;
  }
  try {
    trellis::io::write_seeds(argv[1]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "io_fuzz_seeds: error: %s\n", e.what());
    return 1;
  }
  return 0;
}
