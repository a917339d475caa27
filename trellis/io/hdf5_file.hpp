// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers by name in an HDF5 file: arrays of double or int64 of any rank, attributes (also lists), groups.
//
//   auto file = Hdf5File::create("flow.h5");
//   file.write<double>("flow/t", times);                       // missing groups are created
//   file.write<double>("flow/energy", values, {n, 2});         // rows first, last index fastest
//   file.append<double>("history", row);                       // one more row of a growing [rows][row.size()]
//   file.set_attribute("flow", "action", std::string("wilson"));
//   file.commit();
//
// A new file is assembled in memory. commit() writes it to a temporary file, compares what is then on the disk and
// renames it (AtomicFile), so that a file is there completely or not at all; without commit() nothing remains. Arrays
// have HDF5's Fletcher-32 checksum, so that a flipped bit is an error when it is read. open() is for reading. Numbers
// are stored little-endian (doubles IEEE 64 bit). No times are stored: the same calls give the same bytes.
//
// Several threads may use different files at the same time.
//
// Throws trellis::Error naming file and object: if it cannot be created, written or read; if a name does not exist, or
// exists already; if type or shape differ from those requested. The HDF5 library's own error output is switched off.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "trellis/core/base/precision.hpp"

namespace trellis::io {

class Hdf5File {
 public:
  using Shape = std::vector<std::size_t>;
  using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                                 std::vector<std::string>>;

  static Hdf5File create(const std::filesystem::path& file);
  // A file that the library writes to the disk at once, without a commit(): the frame of numbers that reserve() makes
  // room for, and that others write (fields/hdf5_fields.hpp).
  static Hdf5File create_frame(const std::filesystem::path& file);
  static Hdf5File open(const std::filesystem::path& file);
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  ~Hdf5File();

  // T is double or std::int64_t. An empty shape means {values.size()}.
  template <class T>
  void write(const std::string& name, std::span<const T> values, Shape shape = {});
  template <class T>
  void append(const std::string& name, std::span<const T> row);
  // Room for big-endian floating-point numbers, one after another in the file, which are not written.
  void reserve(const std::string& name, Precision precision, const Shape& shape);
  void create_group(const std::string& name);
  // Attribute of a group or an array; "/" is the file itself. Replaces one with the same name. Lists must not be empty.
  // Texts may have any length (HDF5's variable-length strings).
  void set_attribute(const std::string& object, const std::string& name, const Attribute& value);
  void commit();

  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  std::vector<std::string> children(const std::string& group = "/") const;  // sorted
  Shape shape(const std::string& name) const;
  struct Room {
    std::optional<std::uint64_t> offset;  // of the first byte in the file, if its numbers follow one another there
    Precision precision = Precision::double_;
    std::endian order = std::endian::big;
  };
  // Of an array of IEEE numbers in single or double precision, as reserve() makes it or not; nullopt for others.
  std::optional<Room> room(const std::string& name) const;
  // A block of such an array, wherever its numbers are (chunks, compressed), as big-endian numbers of its precision.
  void read_block(const std::string& name, const Shape& first, const Shape& count, std::span<std::byte> out) const;
  template <class T>
  std::vector<T> read(const std::string& name) const;
  std::vector<std::string> attribute_names(const std::string& object) const;  // sorted
  bool has_attribute(const std::string& object, const std::string& name) const;
  Attribute attribute(const std::string& object, const std::string& name) const;

 private:
  struct State;
  explicit Hdf5File(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace trellis::io
