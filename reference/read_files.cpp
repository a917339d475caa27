// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/read_files.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace trellis::reference {
namespace {

// The 32-bit word at a byte offset, byte-swapped if the file has the other byte order.
std::uint32_t word_at(const std::string& bytes, std::size_t offset, bool swap) {
  std::uint32_t w;
  std::memcpy(&w, bytes.data() + offset, 4);
  if (swap) w = (w >> 24) | ((w >> 8) & 0xff00u) | ((w << 8) & 0xff0000u) | (w << 24);
  return w;
}

double float_at(const std::string& bytes, std::size_t offset, bool swap) {
  const std::uint32_t w = word_at(bytes, offset, swap);
  float value;
  std::memcpy(&value, &w, 4);
  return value;
}

}  // namespace

GaugeConfiguration read_milc(const std::string& path) {
  constexpr std::uint32_t magic = 20103;
  constexpr std::size_t header = 96;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < header) throw std::runtime_error(path + ": shorter than a MILC header");

  const bool swap = word_at(bytes, 0, false) != magic;
  if (word_at(bytes, 0, swap) != magic) throw std::runtime_error(path + ": not a MILC version 5 file");
  Site size;
  for (int mu = 0; mu < 4; ++mu) size[mu] = static_cast<int>(word_at(bytes, 4 + 4 * mu, swap));

  GaugeConfiguration u(size);
  if (bytes.size() != header + u.links.size() * 72) throw std::runtime_error(path + ": has the wrong length");
  std::size_t offset = header;
  for (Matrix& link : u.links)
    for (Complex& z : link) {
      z = Complex(float_at(bytes, offset, swap), float_at(bytes, offset + 4, swap));
      offset += 8;
    }
  return u;
}

GaugeConfiguration read_text(const std::string& path, const Site& size) {
  std::ifstream file(path);
  GaugeConfiguration u(size);
  for (Matrix& link : u.links)
    for (Complex& z : link) {
      double re, im;
      if (!(file >> re >> im)) throw std::runtime_error(path + ": ends before the last link");
      z = Complex(re, im);
    }
  return u;
}

}  // namespace trellis::reference
