// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/hdf5_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/files_under_way.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/formats/packed_links.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::io {
namespace {

constexpr std::array<unsigned char, 8> hdf5_signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
constexpr const char* hdf5_objects = "objects_a_site";
constexpr std::size_t most_hdf5_fields = 10000;  // of an array

std::vector<std::size_t> object_shape(FieldType type) {
  switch (type) {
    case FieldType::real:
      return {};
    case FieldType::complex:
      return {2};
    case FieldType::colour_vector:
      return {3, 2};
    case FieldType::colour_matrix:
      return {3, 3, 2};
    case FieldType::spinor:
      return {4, 3, 2};
    case FieldType::propagator:
      return {4, 4, 3, 3, 2};
  }
  fail("a type of fields without a shape");
}

Hdf5File::Shape array_shape(std::size_t fields, const Coordinate& size, FieldType type) {
  Hdf5File::Shape shape{fields};
  for (const int mu : {3, 2, 1, 0}) shape.push_back(std::size_t(size[std::size_t(mu)]));
  const auto object = object_shape(type);
  shape.insert(shape.end(), object.begin(), object.end());
  return shape;
}

std::uint64_t bytes_in_file(const FieldToWrite& field, Precision precision) {
  FieldInfo info;
  info.type = field.type;
  info.precision = precision;
  return std::uint64_t(*volume(field.numbers.own.lattice)) * info.site_bytes();
}

// What surrounds the numbers: offset and bytes.
using Hdf5Frame = std::vector<std::pair<std::uint64_t, std::string>>;

struct Hdf5Contents {
  std::vector<PackedLinks> numbers;
  Hdf5Frame frame;
};

// Where each array begins, and then the size of the file.
std::vector<std::uint64_t> make_frame(Precision precision, const Hdf5Attributes& attributes,
                                      const std::vector<Hdf5FieldArray>& arrays,
                                      const std::vector<PackedLinks>& numbers, Hdf5Frame& frame) {
  const TemporaryFolder folder;
  const auto aside = folder / "frame.h5";
  std::vector<std::uint64_t> places;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rooms;
  {
    auto file = Hdf5File::create_frame(aside);
    file.set_attribute("/", "format", std::string(hdf5_format_name));
    for (const auto& [name, value] : attributes) file.set_attribute("/", name, value);
    std::size_t first = 0;
    for (const auto& array : arrays) {
      const auto& like = array.fields.front();
      file.reserve(array.name, precision, array_shape(array.fields.size(), like.numbers.own.lattice, like.type));
      std::vector<std::string> texts;
      std::vector<std::int64_t> sums;
      for (std::size_t n = 0; n < array.fields.size(); ++n) {
        texts.push_back(array.fields[n].text);
        for (const auto sum : {numbers[first + n].checksum.a, numbers[first + n].checksum.b}) sums.push_back(sum);
      }
      file.set_attribute(array.name, "type", std::string(name_of(like.type).name));
      file.set_attribute(array.name, "text", texts);
      file.set_attribute(array.name, "scidac_checksums", sums);
      if (!array.objects.empty()) file.set_attribute(array.name, hdf5_objects, array.objects);
      places.push_back(file.room(array.name).value().offset.value());
      rooms.emplace_back(places.back(), array.fields.size() * bytes_in_file(like, precision));
      first += array.fields.size();
    }
  }
  const InputFile file(aside);
  std::ranges::sort(rooms);
  rooms.emplace_back(file.size(), 0);
  std::uint64_t end = 0;
  for (const auto& [offset, bytes] : rooms) {
    if (offset > end) frame.emplace_back(end, file.text(end, offset - end, "what surrounds the numbers"));
    end = offset + bytes;
  }
  places.push_back(file.size());
  return places;
}

[[noreturn]] void bad_array(const InputFile& file, const std::string& array, const std::string& what) {
  fail_input("{}: array {}: {}", file.name(), array, what);
}

// The attribute of an array if it has this type.
template <class T>
std::optional<T> attribute(const Hdf5File& hdf5, const std::string& array, const char* name) {
  if (!hdf5.has_attribute(array, name)) return std::nullopt;
  const auto value = hdf5.attribute(array, name);
  if (const auto* found = std::get_if<T>(&value)) return *found;
  return std::nullopt;
}

void add_fields(const InputFile& file, const Hdf5File& hdf5, const std::string& array, FieldFileInfo& info) {
  const auto named = attribute<std::string>(hdf5, array, "type");
  const auto types = field_types();
  const auto type = std::ranges::find_if(types, [&](const FieldTypeName& t) { return named && *named == t.name; });
  if (type == types.end()) bad_array(file, array, "the attribute 'type' names no type of fields");
  const auto shape = hdf5.shape(array);
  if (shape.size() < 5) bad_array(file, array, fmt::format("its shape [{}] has no lattice", joined(shape, ", ")));
  Coordinate size{};
  for (std::size_t mu = 0; mu < 4; ++mu) size[mu] = int(std::min<std::size_t>(shape[4 - mu], 1 << 30));
  if (shape[0] < 1 || shape[0] > most_hdf5_fields || !volume(size) || shape != array_shape(shape[0], size, type->type))
    bad_array(file, array,
              fmt::format("its shape [{}] is not that of {}s on a lattice", joined(shape, ", "), type->name));
  if (!info.fields.empty() && size != info.size)
    bad_array(file, array,
              fmt::format("its lattice is {}, that of another array {}", to_string(size), to_string(info.size)));
  info.size = size;
  const auto room = hdf5.room(array);
  if (!room) bad_array(file, array, "its numbers are not floating-point numbers of 32 or 64 bits");
  FieldInfo field;
  field.type = type->type;
  field.precision = room->precision;
  field.array = array;
  field.is_in_pieces = !room->offset;
  field.byte_order = room->order == std::endian::little && room->offset ? ByteOrder::little : ByteOrder::big;
  const auto bytes = std::uint64_t(*volume(size)) * field.site_bytes();
  const auto begin = room->offset.value_or(0);
  if (room->offset && (begin > file.size() || bytes > (file.size() - begin) / shape[0]))
    bad_array(file, array, "the file ends within its numbers");
  const auto sums = attribute<std::vector<std::int64_t>>(hdf5, array, "scidac_checksums");
  const auto texts = attribute<std::vector<std::string>>(hdf5, array, "text");
  for (std::size_t n = 0; n < shape[0]; ++n) {
    field.offset = begin + n * bytes;
    field.place = n;
    field.together = 1;
    field.text = texts && texts->size() == shape[0] ? (*texts)[n] : "";
    field.datatype = fmt::format("/{}[{}]", array, n);
    field.checksums.clear();
    if (sums && sums->size() == 2 * shape[0])
      for (const std::size_t k : {0, 1})
        field.checksums.push_back({k == 0 ? "scidac a" : "scidac b", std::uint32_t((*sums)[2 * n + k])});
    info.fields.push_back(field);
  }
  // Only what fits is believed.
  const auto objects =
      attribute<std::vector<std::int64_t>>(hdf5, array, hdf5_objects).value_or(std::vector<std::int64_t>());
  const auto is_count = [&](std::int64_t n) { return n >= 1 && n <= std::int64_t(shape[0]); };
  if (objects.empty() || objects.size() > shape[0] || !std::ranges::all_of(objects, is_count) ||
      std::accumulate(objects.begin(), objects.end(), std::int64_t{0}) != std::int64_t(shape[0]))
    return;
  for (auto first = info.fields.size() - shape[0]; const auto count : objects) {
    info.fields[first].together = int(count);
    first += std::size_t(count);
  }
}

}  // namespace

void write_hdf5_fields(const std::filesystem::path& path, Precision precision, const Hdf5Attributes& attributes,
                       const std::vector<Hdf5FieldArray>& arrays) {
  if (arrays.empty() || std::ranges::any_of(arrays, [](const auto& array) { return array.fields.empty(); }))
    fail("{}: no field to write", path.string());
  const auto& first = arrays.front().fields.front().numbers;
  const auto contents = std::make_shared<Hdf5Contents>();
  for (const auto& array : arrays)
    for (const auto& field : array.fields) {
      if (field.type != array.fields.front().type || field.count != 1 || field.numbers.own.lattice != first.own.lattice)
        fail("{}: array {}: fields of different types or lattices", path.string(), array.name);
      contents->numbers.push_back(pack_links(field.numbers, precision));
    }

  std::string text;
  on_first_rank(first.ranks, "describe a file of fields", [&] {
    text = joined(make_frame(precision, attributes, arrays, contents->numbers, contents->frame), " ");
  });
  std::istringstream places(first.ranks.broadcast("where the arrays of a file begin", text));
  FileBytes bytes;
  auto numbers = contents->numbers.begin();
  for (const auto& array : arrays) {
    std::uint64_t offset = 0;
    places >> offset;
    for (std::size_t n = 0; n < array.fields.size(); ++n, ++numbers) {
      for (const auto& piece : numbers->pieces) bytes.parts.push_back({offset + piece.offset, piece.bytes()});
      offset += bytes_in_file(array.fields[n], precision);
    }
  }
  places >> bytes.size;
  for (const auto& part : contents->frame) bytes.parts.push_back({part.first, std::as_bytes(std::span(part.second))});
  bytes.owner = contents;
  FilesUnderWay files(first.ranks);
  files.start(path, std::move(bytes));
  files.finish();
}

bool is_hdf5(const InputFile& file) {
  std::array<std::byte, hdf5_signature.size()> found{};
  if (file.size() < found.size()) return false;
  file.read(0, found, "the start of the file");
  return std::ranges::equal(found, std::as_bytes(std::span(hdf5_signature)));
}

bool holds_hdf5_fields(const InputFile& file) {
  std::optional<Hdf5File> hdf5;
  try {
    hdf5 = Hdf5File::open(file.path());
    return attribute<std::string>(*hdf5, "/", "format") == hdf5_format_name;
  } catch (const Error&) {
    return hdf5.has_value();  // the attribute is damaged, which whoever reads the fields says
  }
}

FieldFileInfo hdf5_field_file(const InputFile& file) {
  FieldFileInfo info;
  info.format = "HDF5:";
  info.file_bytes = file.size();
  try {
    const auto hdf5 = Hdf5File::open(file.path());
    if (attribute<std::string>(hdf5, "/", "format") != hdf5_format_name)
      fail_input("{}: an HDF5 file, but not one of lattice fields: its attribute 'format' is not '{}'", file.name(),
                 hdf5_format_name);
    for (const auto& name : hdf5.attribute_names("/"))
      if (name != "format") info.attributes.emplace_back(name, hdf5.attribute("/", name));
    info.text = attribute<std::string>(hdf5, "/", "text").value_or("");
    std::erase_if(info.attributes, [](const auto& named) { return named.first == "text"; });
    for (const auto& array : hdf5.children()) add_fields(file, hdf5, array, info);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    fail_input("{}", error.what());
  }
  if (info.fields.empty()) fail_input("{}: has no array of fields", file.name());
  return info;
}

}  // namespace trellis::io
