// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge files for tests: random SU(3) links, and the bytes of formats that Trellis reads but does not write, built from
// the formats' descriptions without the readers' code.

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/lime.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::io::test {

using TempFolder = TemporaryFolder;

inline std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("{}: cannot open", path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::filesystem::path write_all(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) fail("{}: cannot write", path.string());
  return path;
}

// Rows of random numbers, orthonormalised; the third row is the conjugate cross product.
inline std::array<double, 18> random_su3(std::mt19937_64& engine) {
  std::array<double, 18> u{};
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0; };
  const auto normalise = [&](std::size_t row) {
    double n = 0;
    for (std::size_t i = 0; i < 6; ++i) n += u[row + i] * u[row + i];
    for (std::size_t i = 0; i < 6; ++i) u[row + i] /= std::sqrt(n);
  };
  for (std::size_t i = 0; i < 12; ++i) u[i] = uniform();
  normalise(0);
  for (int pass = 0; pass < 2; ++pass) {
    double re = 0, im = 0;  // <row 0, row 1>
    for (std::size_t c = 0; c < 6; c += 2) {
      re += u[c] * u[6 + c] + u[c + 1] * u[7 + c];
      im += u[c] * u[7 + c] - u[c + 1] * u[6 + c];
    }
    for (std::size_t c = 0; c < 6; c += 2) {
      const double a = u[c], b = u[c + 1];
      u[6 + c] -= re * a - im * b;
      u[7 + c] -= re * b + im * a;
    }
    normalise(6);
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t j = 2 * ((c + 1) % 3), k = 2 * ((c + 2) % 3);
    u[12 + 2 * c] = u[j] * u[6 + k] - u[j + 1] * u[7 + k] - u[k] * u[6 + j] + u[k + 1] * u[7 + j];
    u[13 + 2 * c] = -(u[j] * u[7 + k] + u[j + 1] * u[6 + k] - u[k] * u[7 + j] - u[k + 1] * u[6 + j]);
  }
  return u;
}

// 72 doubles per site.
inline std::vector<double> random_links(const Coordinate& size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<double> links;
  for (std::int64_t i = 0; i < 4 * volume(size).value(); ++i) {
    const auto u = random_su3(engine);
    links.insert(links.end(), u.begin(), u.end());
  }
  return links;
}

template <class T>
void append(std::string& out, T value, ByteOrder order) {
  std::array<std::byte, sizeof(T)> raw;
  store(raw.data(), value, order);
  out.append(reinterpret_cast<const char*>(raw.data()), raw.size());
}

// The links as NERSC, ILDG and MILC store them.
inline std::string link_bytes_of(const std::vector<double>& links, Precision precision, ByteOrder order, int rows = 3) {
  std::string out;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i % 18 >= static_cast<std::size_t>(6 * rows)) continue;
    if (precision == Precision::single) {
      append(out, static_cast<float>(links[i]), order);
    } else {
      append(out, links[i], order);
    }
  }
  return out;
}

inline std::string milc_file(const Coordinate& size, const std::vector<double>& links, ByteOrder order) {
  const auto data = link_bytes_of(links, Precision::single, order);
  MilcChecksum sums;
  sums.add(0, std::as_bytes(std::span(data)), order);
  std::string out;
  append(out, std::int32_t{20103}, order);
  for (const int n : size) append(out, std::int32_t{n}, order);
  std::string stamp = "Thu Jan  1 00:00:00 1970";
  stamp.resize(64, '\0');
  out += stamp;
  append(out, std::int32_t{0}, order);
  append(out, sums.sum29, order);
  append(out, sums.sum31, order);
  return out + data;
}

inline std::string old_milc_file(const Coordinate& size, const std::vector<double>& links, ByteOrder order) {
  std::string out;
  append(out, std::int32_t{59354}, order);
  for (const int n : size) append(out, std::int32_t{n}, order);
  append(out, 5.7F, order);
  append(out, 0.1F, order);
  return out + link_bytes_of(links, Precision::single, order);
}

// openQCD: for odd sites, z fastest and t slowest, the links +t -t +x -x +y -y +z -z.
inline std::string openqcd_file(const Coordinate& n, const std::vector<double>& links, double plaquette3,
                                ByteOrder order) {
  std::string out;
  for (const std::size_t mu : {3U, 0U, 1U, 2U}) append(out, std::int32_t{n[mu]}, order);
  append(out, plaquette3, order);
  const auto add = [&](Coordinate x, std::size_t mu, int step) {
    x[mu] = (x[mu] + step + n[mu]) % n[mu];
    const auto site = static_cast<std::size_t>(x[0] + n[0] * (x[1] + n[1] * (x[2] + n[2] * x[3])));
    for (std::size_t i = 0; i < 18; ++i) append(out, links[site * 72 + mu * 18 + i], order);
  };
  for (int t = 0; t < n[3]; ++t) {
    for (int x = 0; x < n[0]; ++x) {
      for (int y = 0; y < n[1]; ++y) {
        for (int z = 0; z < n[2]; ++z) {
          if ((x + y + z + t) % 2 == 0) continue;
          for (const std::size_t mu : {3U, 0U, 1U, 2U}) {
            add({x, y, z, t}, mu, 0);
            add({x, y, z, t}, mu, -1);
          }
        }
      }
    }
  }
  return out;
}

struct Record {
  std::string type;
  std::string data;
  bool begin = false;
  bool end = false;
};

// `flags`: as given, or all zero. `inclusive`: header lengths count the padding.
inline std::string lime_file(const std::vector<Record>& records, bool flags = true, bool inclusive = false) {
  std::string out;
  for (const auto& r : records) {
    const std::string padding((8 - r.data.size() % 8) % 8, '\0');
    const auto length = r.data.size() + (inclusive ? padding.size() : 0);
    const auto h = lime_header(r.type, length, flags && r.begin, flags && r.end);
    out.append(reinterpret_cast<const char*>(h.data()), h.size());
    out += r.data + padding;
  }
  return out;
}

inline std::string ildg_format_xml(const Coordinate& n, int precision) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<ildgFormat xmlns=\"http://www.lqcd.org/ildg\">\n <version> 1.0 </version>\n "
      "<field>su3gauge</field>\n <precision>{}</precision>\n <lx>{}</lx><ly>{}</ly><lz>{}</lz><lt> {} "
      "</lt>\n</ildgFormat>",
      precision, n[0], n[1], n[2], n[3]);
}

// The message of the trellis::Error that an action throws; empty if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace trellis::io::test
