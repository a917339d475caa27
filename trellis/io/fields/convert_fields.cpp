// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/convert_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <pugixml.hpp>
#include <type_traits>
#include <utility>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/io/fields/openqcd_spinors.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/paths/different_files.hpp"

namespace trellis::io {
namespace {

using AllNumbers = std::shared_ptr<std::vector<double>>;  // of all sites of a field

struct LoadedField {
  FieldInfo info;
  AllNumbers numbers;
};

// The objects `first` to first + count - 1 of each site.
FieldToWrite objects_of(const LoadedField& field, int first, int count, const Coordinate& size) {
  const auto all = std::size_t(field.info.reals()), object = all / std::size_t(field.info.count);
  const auto source = [numbers = field.numbers, all, begin = object * std::size_t(first),
                       some = object * std::size_t(count)](std::int64_t site, std::span<double> out) {
    for (std::size_t n = 0; n < out.size() / some; ++n)
      std::copy_n(numbers->begin() + std::ptrdiff_t((std::size_t(site) + n) * all + begin), some,
                  out.begin() + std::ptrdiff_t(n * some));
  };
  return {field.info.type, count, {{}, {size, {}, size}, source, int(object) * count}, field.info.text};
}

// HDF5's texts need not be XML, those of SciDAC's records must be.
std::string as_xml(const std::string& text, const char* element) {
  pugi::xml_document document;
  if (text.empty()) return fmt::format("<{}/>", element);
  if (document.load_buffer(text.data(), text.size())) return text;
  return fmt::format("{}<{}><info>{}</info></{}>", xml_head, element, escaped(text), element);
}

// Of an HDF5 file that says in attributes what is in it.
std::string file_text(const FieldFileInfo& info) {
  if (!info.text.empty() || info.attributes.empty()) return info.text;
  std::string text;
  for (const auto& [name, value] : info.attributes) {
    const auto words = std::visit(
        []<class V>(const V& v) {
          if constexpr (std::is_arithmetic_v<V> || std::is_same_v<V, std::string>)
            return fmt::format("{}", v);
          else
            return joined(v, " ");
        },
        value);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, words);
  }
  return text;
}

// Fields that were objects of one site in the file that became this one are such again.
std::vector<FieldToWrite> records_of(const std::vector<LoadedField>& fields, const Coordinate& size) {
  std::vector<FieldToWrite> records;
  for (std::size_t n = 0; n < fields.size(); n += std::size_t(fields[n].info.together)) {
    auto record = objects_of(fields[n], 0, fields[n].info.count, size);
    if (const int together = fields[n].info.together; together > 1) {
      const int each = fields[n].info.reals();
      record.count = together;
      record.numbers.reals = each * together;
      record.numbers.source = [all = std::span(fields).subspan(n, std::size_t(together)), each](std::int64_t first,
                                                                                                std::span<double> out) {
        auto to = out.begin();
        for (auto site = first; to != out.end(); ++site)
          for (const auto& field : all) to = std::copy_n(field.numbers->begin() + site * each, each, to);
      };
    }
    record.text = as_xml(record.text, "field");
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<LoadedField> load(const FieldReader& reader) {
  const auto& size = reader.info().size;
  std::vector<LoadedField> fields;
  for (std::size_t n = 0; n < reader.info().fields.size(); ++n) {
    const auto& info = reader.info().fields[n];
    const auto reals = std::size_t(info.reals());
    const auto numbers = std::make_shared<std::vector<double>>(std::size_t(*volume(size)) * reals);
    reader.read(n, {size, {}, size}, [&](std::int64_t site, std::span<const double> of_site) {
      std::ranges::copy(of_site, numbers->begin() + std::ptrdiff_t(std::size_t(site) * reals));
    });
    fields.push_back({info, numbers});
  }
  return fields;
}

// The arrays of HDF5 files with sources and propagators, which in SciDAC files follow one another in pairs
// (measure/propagators/kept_propagators.hpp), with QIO's words for them.
constexpr std::array<std::pair<const char*, std::string_view>, 2> paired_arrays{
    {{"source", "<usqcdSourceInfo>"}, {"propagator", "<usqcdPropInfo>"}}};

void put_in_pairs(std::vector<LoadedField>& fields) {
  std::vector<LoadedField> pairs;
  for (std::size_t n = 0; n < fields.size(); ++n)
    for (const auto& [array, words] : paired_arrays)
      for (const auto& field : fields)
        if (field.info.array == array && field.info.place == n && field.info.together == 1) pairs.push_back(field);
  const auto is_source = [](const LoadedField& field) { return field.info.array == paired_arrays[0].first; };
  if (pairs.size() == fields.size() && 2 * std::ranges::count_if(fields, is_source) == std::ssize(fields))
    fields = std::move(pairs);
}

std::string array_for(const FieldInfo& field) {
  if (!field.array.empty()) return field.array;
  for (const auto& [array, words] : paired_arrays)
    if (field.type == FieldType::spinor && field.text.find(words) != field.text.npos) return array;
  std::string name = name_of(field.type).name;
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Fields of one array of the input, or of one type, are an array.
std::vector<Hdf5FieldArray> arrays_of(const std::vector<LoadedField>& fields, const Coordinate& size) {
  std::vector<Hdf5FieldArray> arrays;
  int rest = 0;  // of fields that were together
  for (const auto& field : fields) {
    const auto name = array_for(field.info);
    auto array = std::ranges::find(arrays, name, &Hdf5FieldArray::name);
    if (array == arrays.end()) array = arrays.insert(arrays.end(), {name, {}});
    for (int k = 0; k < field.info.count; ++k) array->fields.push_back(objects_of(field, k, 1, size));
    if (rest == 0) {
      rest = field.info.together;
      array->objects.push_back(field.info.count == 1 ? rest : field.info.count);
    }
    --rest;
  }
  for (auto& array : arrays)
    if (std::ranges::all_of(array.objects, [](std::int64_t n) { return n == 1; })) array.objects.clear();
  return arrays;
}

}  // namespace

std::span<const FieldFormat> field_formats() {
  static const std::array<FieldFormat, 3> formats{
      {{"scidac", {"scidac", "lime"}}, {"hdf5", {"h5", "hdf5"}}, {"openqcd", {"openqcd"}}}};
  return formats;
}

FieldFileInfo convert_fields(const std::filesystem::path& in, const std::filesystem::path& out,
                             const std::string& format, std::optional<Precision> precision) {
  require_different_files(in, out);
  const FieldReader reader(in);
  const auto& size = reader.info().size;
  auto fields = load(reader);
  const auto used = precision.value_or(fields.front().info.precision);
  if (format == "openqcd") {
    const auto& info = fields.front().info;
    if (fields.size() != 1 || info.type != FieldType::spinor || info.count != 1)
      fail_input("{}: holds {} of which the first has {}; openQCD's files have a single spinor a site", in.string(),
                 fields.size() == 1 ? "a field" : fmt::format("{} fields", fields.size()), describe(info));
    if (precision == Precision::single)
      fail_input("{}: openQCD's files are in double precision; leave out the precision", out.string());
    write_openqcd_spinors(out, objects_of(fields.front(), 0, 1, size));
  } else if (format == "hdf5") {
    auto attributes = reader.info().attributes;
    if (!reader.info().text.empty()) attributes.emplace(attributes.begin(), "text", reader.info().text);
    write_hdf5_fields(out, used, attributes, arrays_of(fields, size));
  } else {
    put_in_pairs(fields);
    write_fields(out, {.precision = used, .text = as_xml(file_text(reader.info()), "trellis")},
                 records_of(fields, size));
  }
  return FieldReader(out).info();
}

}  // namespace trellis::io
