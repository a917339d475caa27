// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/convert_fields.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/io/fields/openqcd_spinors.hpp"

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
  auto text = field.info.text.empty() ? std::string("<field/>") : field.info.text;
  return {field.info.type, count, {{}, {size, {}, size}, source, int(object) * count}, std::move(text)};
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

// Fields of one array of the input, or of one type, are an array.
std::vector<Hdf5FieldArray> arrays_of(const std::vector<LoadedField>& fields, const Coordinate& size) {
  std::vector<Hdf5FieldArray> arrays;
  for (const auto& field : fields) {
    std::string name = field.info.array;
    if (name.empty()) {
      name = name_of(field.info.type).name;
      std::ranges::replace(name, ' ', '_');
    }
    auto array = std::ranges::find(arrays, name, &Hdf5FieldArray::name);
    if (array == arrays.end()) array = arrays.insert(arrays.end(), {name, {}});
    for (int k = 0; k < field.info.count; ++k) array->fields.push_back(objects_of(field, k, 1, size));
  }
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
  std::error_code code;
  if (std::filesystem::equivalent(in, out, code)) fail_input("{}: input and output are the same file", in.string());
  const FieldReader reader(in);
  const auto& size = reader.info().size;
  const auto fields = load(reader);
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
    write_hdf5_fields(out, used, {}, arrays_of(fields, size));
  } else {
    std::vector<FieldToWrite> list;
    for (const auto& field : fields) list.push_back(objects_of(field, 0, field.info.count, size));
    write_fields(out, {.precision = used, .text = reader.info().text.empty() ? "<trellis/>" : reader.info().text},
                 list);
  }
  return FieldReader(out).info();
}

}  // namespace trellis::io
