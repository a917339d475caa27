// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/hdf5_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/hdf5/hdf5_attributes.hpp"
#include "trellis/io/hdf5/hdf5_checks.hpp"
#include "trellis/io/hdf5/hdf5_library.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {
namespace {

using hdf5::Alone, hdf5::Handle, hdf5::library, hdf5::reason;

template <class T>
hid_t file_type();
template <class T>
hid_t memory_type();
template <>
hid_t file_type<double>() {
  return H5T_IEEE_F64LE;
}
template <>
hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t file_type<std::int64_t>() {
  return H5T_STD_I64LE;
}
template <>
hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <class T>
constexpr const char* kTypeName = std::is_same_v<T, double> ? "floating-point numbers" : "integers";
template <class T>
constexpr H5T_class_t kTypeClass = std::is_same_v<T, double> ? H5T_FLOAT : H5T_INTEGER;

hid_t type_of(Precision precision, std::endian order) {
  if (order == std::endian::big) return precision == Precision::single ? H5T_IEEE_F32BE : H5T_IEEE_F64BE;
  return precision == Precision::single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

// Whether they are numbers as machines have them. The library converts others as well, but reads beyond their bytes
// where a type is damaged.
bool are_plain_numbers(hid_t type) {
  const auto is_one_of = [&](std::initializer_list<hid_t> types) {
    return std::ranges::any_of(types, [&](hid_t one) { return H5Tequal(type, one) > 0; });
  };
  return H5Tget_class(type) == H5T_FLOAT
             ? is_one_of({H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE})
             : is_one_of({H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U8LE, H5T_STD_U16LE,
                          H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I8BE, H5T_STD_I16BE, H5T_STD_I32BE, H5T_STD_I64BE,
                          H5T_STD_U8BE, H5T_STD_U16BE, H5T_STD_U32BE, H5T_STD_U64BE});
}
constexpr const char* not_plain_numbers = "its numbers have a type that is not read, or that is damaged";

// Of any length: a text of fixed length is part of the object's header, which has room for 64 KiB.
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Chunks of about 64 KiB: as many complete rows as fit.
std::vector<hsize_t> chunk_of(std::vector<hsize_t> shape, bool growing) {
  const hsize_t row = std::accumulate(shape.begin() + 1, shape.end(), hsize_t{1}, std::multiplies<>());
  const hsize_t rows = std::max<hsize_t>(1, 8192 / std::max<hsize_t>(row, 1));
  shape[0] = growing ? rows : std::clamp<hsize_t>(shape[0], 1, rows);
  return shape;
}

}  // namespace

struct Hdf5File::State : Hdf5Checks {
  std::optional<AtomicFile> aside;  // when writing

  ~State() {
    const Alone alone(library);
    if (id >= 0) H5Fclose(id);
  }
  Handle dataset(const std::string& name) const {
    require_header_of(name);
    Handle set(H5Dopen2(id, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.good()) fail("{}: is not an array of this file: {}", object(name), reason());
    return set;
  }
  Shape shape(const std::string& name, hid_t set) const {
    const Handle space(H5Dget_space(set), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0) fail("{}: cannot read the shape: {}", object(name), reason());
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    return {extents.begin(), extents.end()};
  }
  // A new chunked array with checksums; if it can grow, its first extent is unlimited.
  Handle make(const std::string& name, hid_t type, const std::vector<hsize_t>& extents, bool growing) const {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    auto limits = extents;
    if (growing) limits[0] = H5S_UNLIMITED;
    const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), limits.data()), H5Sclose);
    if (H5Pset_create_intermediate_group(links, 1) < 0 ||
        H5Pset_chunk(properties, static_cast<int>(extents.size()), chunk_of(extents, growing).data()) < 0 ||
        H5Pset_fletcher32(properties) < 0 || H5Pset_obj_track_times(properties, false) < 0 || !space.good()) {
      fail("{}: cannot describe the array: {}", object(name), reason());
    }
    Handle set(H5Dcreate2(id, name.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose);
    if (!set.good()) fail("{}: cannot create the array: {}", object(name), reason());
    return set;
  }
};

Hdf5File::Hdf5File(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

Hdf5File Hdf5File::create(const std::filesystem::path& file) {
  const Alone alone(library);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto state = std::make_unique<State>();
  state->file = file;
  state->aside.emplace(file);
  // In memory, because the library ignores write errors when it closes an object.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1U << 16, false);
  state->id = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (state->id < 0) fail("{}: cannot create the file: {}", file.string(), reason());
  return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::create_frame(const std::filesystem::path& file) {
  const Alone alone(library);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto state = std::make_unique<State>();
  state->file = file;
  state->id = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (state->id < 0) fail("{}: cannot create the file: {}", file.string(), reason());
  return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::open(const std::filesystem::path& file) {
  const Alone alone(library);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  auto state = std::make_unique<State>();
  state->file = file;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);
  state->id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, access);
  if (state->id < 0) fail("{}: cannot open as HDF5: {}", file.string(), reason());
  return Hdf5File(std::move(state));
}

template <class T>
void Hdf5File::write(const std::string& name, std::span<const T> values, Shape shape) {
  const Alone alone(library);
  if (shape.empty()) shape = {values.size()};
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  if (std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()) != values.size()) {
    fail("{}: {} values were given for the shape [{}]", state_->object(name), values.size(), joined(shape, ", "));
  }
  const auto set = state_->make(name, file_type<T>(), extents, false);
  if (!values.empty() && H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail("{}: cannot write the array: {}", state_->object(name), reason());
  }
}

template <class T>
void Hdf5File::append(const std::string& name, std::span<const T> row) {
  const Alone alone(library);
  if (row.empty()) fail("{}: an empty row was given", state_->object(name));
  if (!has(name)) state_->make(name, file_type<T>(), {0, row.size()}, true);
  const auto set = state_->dataset(name);
  const auto shape = state_->shape(name, set);
  if (shape.size() != 2 || shape[1] != row.size()) {
    fail("{}: has the shape [{}]; a row of {} does not fit", state_->object(name), joined(shape, ", "), row.size());
  }
  const hsize_t grown[] = {shape[0] + 1, shape[1]}, start[] = {shape[0], 0}, count[] = {1, shape[1]};
  if (H5Dset_extent(set, grown) < 0) fail("{}: cannot grow: {}", state_->object(name), reason());
  const Handle target(H5Dget_space(set), H5Sclose);
  const Handle source(H5Screate_simple(2, count, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
      H5Dwrite(set, memory_type<T>(), source, target, H5P_DEFAULT, row.data()) < 0) {
    fail("{}: cannot append a row: {}", state_->object(name), reason());
  }
}

void Hdf5File::reserve(const std::string& name, Precision precision, const Shape& shape) {
  const Alone alone(library);
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  if (H5Pset_layout(properties, H5D_CONTIGUOUS) < 0 || H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY) < 0 ||
      H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER) < 0 || H5Pset_obj_track_times(properties, false) < 0 ||
      !space.good()) {
    fail("{}: cannot describe the array: {}", state_->object(name), reason());
  }
  const Handle set(H5Dcreate2(state_->id, name.c_str(), type_of(precision, std::endian::big), space, H5P_DEFAULT,
                              properties, H5P_DEFAULT),
                   H5Dclose);
  if (!set.good()) fail("{}: cannot create the array: {}", state_->object(name), reason());
}

void Hdf5File::create_group(const std::string& name) {
  const Alone alone(library);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Handle group(H5Gcreate2(state_->id, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group.good()) fail("{}: cannot create the group: {}", state_->object(name), reason());
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const Attribute& value) {
  const Alone alone(library);
  const auto where = state_->object(object) + "@" + name;
  const Handle owner(H5Oopen(state_->id, object.c_str(), H5P_DEFAULT), H5Oclose);
  if (!owner.good()) fail("{}: cannot open the object that it belongs to: {}", where, reason());
  if (H5Aexists(owner, name.c_str()) > 0) H5Adelete(owner, name.c_str());
  const auto put = [&](hid_t stored, hid_t given, const void* data, std::optional<hsize_t> length = {}) {
    const Handle space(length ? H5Screate_simple(1, &*length, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(owner, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (!attribute.good() || H5Awrite(attribute, given, data) < 0) fail("{}: cannot write: {}", where, reason());
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    put(file_type<std::int64_t>(), memory_type<std::int64_t>(), integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    put(file_type<double>(), memory_type<double>(), real);
  } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    put(file_type<std::int64_t>(), memory_type<std::int64_t>(), integers->data(), integers->size());
  } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    put(file_type<double>(), memory_type<double>(), reals->data(), reals->size());
  } else {
    const auto type = text_type();
    std::vector<const char*> texts;
    if (const auto* all = std::get_if<std::vector<std::string>>(&value)) {
      for (const auto& text : *all) texts.push_back(text.c_str());
      put(type, type, texts.data(), texts.size());
    } else {
      texts.push_back(std::get<std::string>(value).c_str());
      put(type, type, texts.data());
    }
  }
}

void Hdf5File::commit() {
  const Alone alone(library);
  if (!state_->aside) fail("{}: there is nothing to commit", state_->file.string());
  const auto failed = [&] { fail("{}: cannot write: {}", state_->file.string(), reason()); };
  if (H5Fflush(state_->id, H5F_SCOPE_GLOBAL) < 0) failed();
  const auto bytes = H5Fget_file_image(state_->id, nullptr, 0);
  if (bytes <= 0) failed();
  std::vector<std::byte> image(static_cast<std::size_t>(bytes));
  if (H5Fget_file_image(state_->id, image.data(), image.size()) != bytes) failed();
  if (H5Fclose(std::exchange(state_->id, -1)) < 0) failed();
  state_->aside->write(image);
  state_->aside->commit();
  state_->aside.reset();
}

bool Hdf5File::has(const std::string& name) const {
  const Alone alone(library);
  // H5Lexists requires that all groups on the path exist.
  for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(state_->id, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return name == "/" || H5Lexists(state_->id, name.c_str(), H5P_DEFAULT) > 0;
}

bool Hdf5File::is_group(const std::string& name) const {
  const Alone alone(library);
  state_->require_header_of(name);
  const Handle object(H5Oopen(state_->id, name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.good() && H5Iget_type(object) == H5I_GROUP;
}

std::vector<std::string> Hdf5File::children(const std::string& group) const {
  const Alone alone(library);
  state_->require_header_of(group);
  const Handle handle(H5Gopen2(state_->id, group.c_str(), H5P_DEFAULT), H5Gclose);
  if (!handle.good()) fail("{}: is not a group of this file: {}", state_->object(group), reason());
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (H5Literate(handle, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
    fail("{}: cannot list the group: {}", state_->object(group), reason());
  }
  return names;
}

Hdf5File::Shape Hdf5File::shape(const std::string& name) const {
  const Alone alone(library);
  return state_->shape(name, state_->dataset(name));
}

std::optional<Hdf5File::Room> Hdf5File::room(const std::string& name) const {
  const Alone alone(library);
  const auto set = state_->dataset(name);
  const Handle type(H5Dget_type(set), H5Tclose);
  const auto offset = H5Dget_offset(set);
  const auto place = offset == HADDR_UNDEF ? std::nullopt : std::optional<std::uint64_t>(offset);
  for (const auto precision : {Precision::single, Precision::double_})
    for (const auto order : {std::endian::big, std::endian::little})
      if (H5Tequal(type, type_of(precision, order)) > 0) return Room{place, precision, order};
  return std::nullopt;
}

void Hdf5File::read_block(const std::string& name, const Shape& first, const Shape& count,
                          std::span<std::byte> out) const {
  const Alone alone(library);
  const auto found = room(name);
  const std::vector<hsize_t> start(first.begin(), first.end()), extents(count.begin(), count.end());
  const auto bytes =
      std::accumulate(count.begin(), count.end(), std::size_t{found && found->precision == Precision::single ? 4U : 8U},
                      std::multiplies<>());
  if (!found || first.size() != shape(name).size() || count.size() != first.size() || bytes != out.size())
    fail("{}: a block of [{}] numbers from [{}] on does not fit {} bytes", state_->object(name), joined(count, ", "),
         joined(first, ", "), out.size());
  const auto set = state_->dataset(name);
  if (state_->is_read()) state_->require_whole_chunks(name, set);
  const Handle source(H5Dget_space(set), H5Sclose);
  const Handle target(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(source, H5S_SELECT_SET, start.data(), nullptr, extents.data(), nullptr) < 0 ||
      H5Dread(set, type_of(found->precision, std::endian::big), target, source, H5P_DEFAULT, out.data()) < 0)
    fail("{}: cannot read the array: {}", state_->object(name), reason());
}

template <class T>
std::vector<T> Hdf5File::read(const std::string& name) const {
  const Alone alone(library);
  const auto set = state_->dataset(name);
  const Handle type(H5Dget_type(set), H5Tclose);
  if (H5Tget_class(type) != kTypeClass<T>) fail("{}: does not contain {}", state_->object(name), kTypeName<T>);
  if (!are_plain_numbers(type)) fail("{}: {}", state_->object(name), not_plain_numbers);
  const auto extents = state_->shape(name, set);
  if (state_->is_read()) state_->require_whole_chunks(name, set);
  std::vector<T> values(state_->count(name, set, extents));
  if (!values.empty() && H5Dread(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail("{}: cannot read the array: {}", state_->object(name), reason());
  }
  return values;
}

std::vector<std::string> Hdf5File::attribute_names(const std::string& object) const {
  const Alone alone(library);
  state_->require_header_of(object);
  const Handle owner(H5Oopen(state_->id, object.c_str(), H5P_DEFAULT), H5Oclose);
  if (owner.good() && state_->is_read()) {
    const auto where = state_->object(object);
    if (const auto place = state_->place_of(owner, where))
      if (auto names = io::attribute_names(InputFile(state_->file), place->base, place->header, where)) {
        std::ranges::sort(*names);
        return *names;
      }
  }
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (!owner.good() || H5Aiterate2(owner, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0)
    fail("{}: cannot list the attributes: {}", state_->object(object), reason());
  return names;
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  const Alone alone(library);
  state_->require_header_of(object);
  return H5Aexists_by_name(state_->id, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

Hdf5File::Attribute Hdf5File::attribute(const std::string& object, const std::string& name) const {
  const Alone alone(library);
  const auto where = state_->object(object) + "@" + name;
  state_->require_header_of(object);
  const Handle handle(H5Aopen_by_name(state_->id, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!handle.good()) fail("{}: there is no such attribute: {}", where, reason());
  const Handle type(H5Aget_type(handle), H5Tclose);
  const auto get = [&](hid_t wanted, void* data) {
    if (H5Aread(handle, wanted, data) < 0) fail("{}: cannot read: {}", where, reason());
  };
  const Handle space(H5Aget_space(handle), H5Sclose);
  const bool is_list = H5Sget_simple_extent_ndims(space) > 0;
  const auto points = H5Sget_simple_extent_npoints(space);
  if (points > 0 && hsize_t(points) > H5Aget_storage_size(handle))
    fail("{}: the length {} does not fit its {} bytes in the file", where, points, H5Aget_storage_size(handle));
  const auto length = static_cast<std::size_t>(std::max<hssize_t>(points, 1));
  const auto numbers = [&]<class T>(T) -> Attribute {
    if (!are_plain_numbers(type)) fail("{}: {}", where, not_plain_numbers);
    std::vector<T> values(length);
    get(memory_type<T>(), values.data());
    if (is_list) return values;
    return values[0];
  };
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return numbers(std::int64_t{});
    case H5T_FLOAT:
      return numbers(double{});
    case H5T_STRING: {
      std::vector<std::string> texts;
      if (H5Tis_variable_str(type) > 0 && state_->is_read()) {
        texts = state_->variable_texts_of(object, name, length, where);
      } else if (H5Tis_variable_str(type) > 0) {
        std::vector<char*> found(length, nullptr);
        get(type, found.data());
        for (const char* text : found) texts.emplace_back(text == nullptr ? "" : text);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, found.data());
      } else {  // files of earlier versions
        const auto each = H5Tget_size(type);
        std::string all(length * each, '\0');
        get(type, all.data());
        for (std::size_t n = 0; n < length; ++n) {
          const auto text = all.substr(n * each, each);
          texts.push_back(text.substr(0, text.find('\0')));
        }
      }
      if (is_list) return texts;
      return texts[0];
    }
    default:
      fail("{}: is neither a number nor a string", where);
  }
}

template void Hdf5File::write<double>(const std::string&, std::span<const double>, Shape);
template void Hdf5File::write<std::int64_t>(const std::string&, std::span<const std::int64_t>, Shape);
template void Hdf5File::append<double>(const std::string&, std::span<const double>);
template void Hdf5File::append<std::int64_t>(const std::string&, std::span<const std::int64_t>);
template std::vector<double> Hdf5File::read<double>(const std::string&) const;
template std::vector<std::int64_t> Hdf5File::read<std::int64_t>(const std::string&) const;

}  // namespace trellis::io
