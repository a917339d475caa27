// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/hdf5/hdf5_checks.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/hdf5/hdf5_attributes.hpp"
#include "trellis/io/hdf5/hdf5_library.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {
namespace {

using hdf5::Handle, hdf5::reason;

// The address of the header of the object with this name, which is not opened; nothing if it is a link of another kind.
std::optional<haddr_t> address_of(hid_t file, const std::string& name) {
#if H5_VERSION_GE(1, 12, 0)
  H5L_info2_t info;
  haddr_t address = HADDR_UNDEF;
  if (H5Lget_info2(file, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD ||
      H5VLnative_token_to_addr(file, info.u.token, &address) < 0)
    return std::nullopt;
  return address;
#else
  H5L_info_t info;
  if (H5Lget_info(file, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) return std::nullopt;
  return info.u.address;
#endif
}

// The address of an open object's header.
bool find_header(hid_t object, haddr_t& address) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  return H5Oget_info3(object, &info, H5O_INFO_BASIC) >= 0 &&
         H5VLnative_token_to_addr(object, info.token, &address) >= 0;
#else
  H5O_info_t info;
  if (H5Oget_info(object, &info) < 0) return false;
  address = info.addr;
  return true;
#endif
}

// Bytes that one byte in the file may stand for: the most that deflate can do.
constexpr std::size_t most_compressed = 1032;

std::optional<std::size_t> product(const Hdf5Checks::Shape& shape) {
  std::size_t all = 1;
  for (const auto extent : shape)
    if (__builtin_mul_overflow(all, extent, &all)) return std::nullopt;
  return all;
}

}  // namespace

bool Hdf5Checks::is_read() const {
  unsigned intent = H5F_ACC_RDWR;
  return H5Fget_intent(id, &intent) >= 0 && (intent & H5F_ACC_RDWR) == 0;
}

std::optional<Hdf5Checks::Place> Hdf5Checks::place_at(haddr_t header, const std::string& where) const {
  const Handle made(H5Fget_create_plist(id), H5Pclose);
  Place place{.header = header};
  std::size_t address_bytes = 0, length_bytes = 0;
  if (H5Pget_userblock(made, &place.base) < 0 || H5Pget_sizes(made, &address_bytes, &length_bytes) < 0)
    fail("{}: cannot find it in the file: {}", where, reason());
  return address_bytes == 8 && length_bytes == 8 ? std::optional(place) : std::nullopt;
}

std::optional<Hdf5Checks::Place> Hdf5Checks::place_of(hid_t object, const std::string& where) const {
  haddr_t header = HADDR_UNDEF;
  if (!find_header(object, header)) fail("{}: cannot find it in the file: {}", where, reason());
  return place_at(header, where);
}

void Hdf5Checks::require_header_of(const std::string& name) const {
  if (!is_read()) return;
  if (!checked.contains("/")) {
    const Handle root(H5Oopen(id, "/", H5P_DEFAULT), H5Oclose);
    if (!root.good()) return;
    if (const auto place = place_of(root, object("/")))
      require_header(InputFile(file), place->base, place->header, object("/"));
    checked.insert("/");
  }
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const auto part = name.substr(0, end);
    if (part.empty() || part == "/" || checked.contains(part)) continue;
    const auto address = address_of(id, part);
    if (!address) return;  // the library says what is wrong
    if (const auto place = place_at(*address, object(part)))
      require_header(InputFile(file), place->base, place->header, object(part));
    checked.insert(part);
  }
}

std::vector<std::string> Hdf5Checks::variable_texts_of(const std::string& owner, const std::string& name,
                                                       std::size_t count, const std::string& where) const {
  require_header_of(owner);
  const Handle handle(H5Oopen(id, owner.c_str(), H5P_DEFAULT), H5Oclose);
  const auto place = place_of(handle, where);
  if (!place) fail("{}: is a text of variable length in a file whose addresses and lengths do not have 8 bytes", where);
  return variable_texts(InputFile(file), place->base, place->header, name, count, where);
}

void Hdf5Checks::require_whole_chunks(const std::string& name, hid_t set) const {
  const Handle properties(H5Dget_create_plist(set), H5Pclose), type(H5Dget_type(set), H5Tclose);
  if (H5Pget_layout(properties) != H5D_CHUNKED) return;
  std::array<hsize_t, H5S_MAX_RANK> extents;
  const int rank = H5Pget_chunk(properties, int(extents.size()), extents.data());
  auto bytes = std::accumulate(extents.begin(), extents.begin() + std::max(rank, 0), hsize_t{H5Tget_size(type)},
                               std::multiplies<>());
  for (int n = 0; n < H5Pget_nfilters(properties); ++n) {
    unsigned flags = 0;
    std::size_t values = 0;
    const auto filter = H5Pget_filter2(properties, unsigned(n), &flags, &values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_FLETCHER32) return;
    bytes += 4;
  }
  if (rank < 1 || bytes == 0 || H5Dget_storage_size(set) % bytes != 0)
    fail("{}: is damaged: its {} bytes in the file are not whole chunks of {}", object(name), H5Dget_storage_size(set),
         bytes);
}

std::size_t Hdf5Checks::count(const std::string& name, hid_t set, const Shape& shape) const {
  const auto numbers = product(shape);
  if (is_read() && (!numbers || *numbers / most_compressed > H5Dget_storage_size(set)))
    fail("{}: the shape [{}] does not fit its {} bytes in the file", object(name), joined(shape, ", "),
         H5Dget_storage_size(set));
  return *numbers;
}

}  // namespace trellis::io
