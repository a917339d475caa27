// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is checked of an HDF5 file before the library reads it, because the library crashes on damaged ones or reads
// beyond their bytes: headers of objects, chunks and shapes (hdf5_attributes.hpp has what is read without it).

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trellis::io {

// Of an open file. Callers hold the lock of the library. Errors name the file and the object.
struct Hdf5Checks {
  using Shape = std::vector<std::size_t>;

  std::filesystem::path file;
  hid_t id = -1;
  mutable std::set<std::string> checked;  // objects whose header is sound

  std::string object(const std::string& name) const { return file.string() + ": " + name; }
  // Opened for reading, so its bytes may be any.
  bool is_read() const;
  // Where own code finds the header of an object: hdf5_attributes.hpp. Nothing if addresses are not those that it
  // knows.
  struct Place {
    hsize_t base = 0;
    haddr_t header = HADDR_UNDEF;
  };
  std::optional<Place> place_at(haddr_t header, const std::string& where) const;
  std::optional<Place> place_of(hid_t object, const std::string& where) const;
  // Of a file that is read: before the library opens an object, with those on the path to it.
  void require_header_of(const std::string& name) const;
  std::vector<std::string> variable_texts_of(const std::string& owner, const std::string& name, std::size_t count,
                                             const std::string& where) const;
  // The library does not compare what a chunk has in the file with its extents, which may be damaged. Of compressed
  // chunks nothing is known.
  void require_whole_chunks(const std::string& name, hid_t set) const;
  // Of all numbers. A damaged shape may say any.
  std::size_t count(const std::string& name, hid_t set, const Shape& shape) const;
};

}  // namespace trellis::io
