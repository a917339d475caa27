// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/propagators/kept_propagators.hpp"

#include <fmt/format.h>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/io/fields/openqcd_spinors.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/formats/packed_links.hpp"
#include "trellis/measure/propagators/openqcd_basis.hpp"

namespace trellis::measure {

namespace {

constexpr int spin_colours = 12;
// Of the values of PropagatorFormat.
constexpr std::array<const char*, propagator_formats.size()> suffixes{".scidac", ".h5", ".openqcd"};
constexpr const char* propagator_array = "propagator";
constexpr const char* what_it_is = "(D_W + m_0)^-1, DeGrand-Rossi basis";
constexpr const char* conventions =
    "the whole phase of boundary_angle_over_pi is on the links from L - 1 to 0; the clover term keeps the trace of F";

std::string words_of(const dirac::WilsonParameters& quark) {
  auto words = fmt::format("kappa {} clover {} clover_temporal {} spatial_hopping {} boundary_angle_over_pi {}",
                           quark.kappa, quark.clover, quark.clover_temporal, quark.spatial_hopping,
                           joined(quark.boundary_angle_over_pi, " "));
  if (!quark.boundary.is_periodic()) words += fmt::format(" {} c_F {}", name_of(quark.boundary), quark.c_f);
  return words;
}

// QIO's XML of the two kinds of records.
std::string source_text() {
  return fmt::format("{}<usqcdSourceInfo><version>1.0</version><info></info></usqcdSourceInfo>", io::xml_head);
}
std::string sink_text(int column, int count) {
  const auto place = count == spin_colours ? fmt::format("<spin>{}</spin><color>{}</color>", column / 3, column % 3)
                                           : fmt::format("<column>{}</column>", column);
  return fmt::format("{}<usqcdPropInfo><version>1.0</version>{}<info></info></usqcdPropInfo>", io::xml_head, place);
}

// What an HDF5 file says of the quark.
io::Hdf5Attributes attributes_of(const dirac::WilsonParameters& quark) {
  const auto& angles = quark.boundary_angle_over_pi;
  io::Hdf5Attributes attributes{{"text", fmt::format("{}, {}", what_it_is, words_of(quark))},
                                {"basis", std::string("DeGrand-Rossi")},
                                {"conventions", std::string(conventions)},
                                {"kappa", quark.kappa},
                                {"clover", quark.clover},
                                {"clover_temporal", quark.clover_temporal},
                                {"spatial_hopping", quark.spatial_hopping},
                                {"boundary_angle_over_pi", std::vector<double>(angles.begin(), angles.end())},
                                {"boundary", std::string(name_of(quark.boundary))}};
  if (!quark.boundary.is_periodic()) attributes.emplace_back("c_F", quark.c_f);
  return attributes;
}

template <int W>
void multiply(const FullSpinors<double, W>& x, double by) {
  const std::vector<double> factors(std::size_t(x.count()), by), none(factors.size());
  for (const auto& part : x.part) solver::scale_and_add(factors, none, part, part);
}

const char* suffix_of(PropagatorFormat format) { return suffixes[std::size_t(format)]; }
bool has_format(const std::filesystem::path& file, PropagatorFormat format) {
  return file.extension() == suffix_of(format);
}

std::filesystem::path column_file(const std::filesystem::path& folder, int column, int count) {
  if (count % spin_components != 0) return folder / fmt::format("column{}", column);
  const int colours = count / spin_components;
  const auto spin = fmt::format("spin{}", column / colours);
  return folder / (colours == 1 ? spin : fmt::format("{}-colour{}", spin, column % colours));
}

bool is_there(const std::filesystem::path& file, int count) {
  if (!has_format(file, PropagatorFormat::openqcd)) return std::filesystem::exists(file);
  for (int column = 0; column < count; ++column)
    if (!std::filesystem::exists(column_file(file, column, count))) return false;
  return true;
}

// The spinors of a SciDAC or HDF5 file that are not sources.
template <int W>
void read_spinors(const std::filesystem::path& file, const FullSpinors<double, W>& x) {
  const io::FieldReader reader(file, x.lattice().ranks());
  std::vector<std::size_t> spinors;
  for (std::size_t n = 0; n < reader.info().fields.size(); ++n)
    if (const auto& field = reader.info().fields[n]; field.type == io::FieldType::spinor && field.count == 1 &&
                                                     (field.array.empty() || field.array == propagator_array))
      spinors.push_back(n);
  const auto count = std::size_t(x.count());
  if (spinors.size() != count && spinors.size() != 2 * count)
    fail_input(
        "{}: has {} spinors a site, expected the {} columns of a propagator, or twice as many, with their sources",
        file.string(), spinors.size(), count);
  const std::size_t step = spinors.size() / count;
  for (std::size_t column = 0; column < count; ++column)
    io::read_some_vectors(reader, spinors[column * step + step - 1], x.part, int(column));
}

// Sources and propagators, in a SciDAC or HDF5 file.
template <int W>
void write_pairs(const std::filesystem::path& file, const dirac::WilsonParameters& quark,
                 const FullSpinors<double, W>& b, const FullSpinors<double, W>& x) {
  std::vector<std::string> sinks;
  for (int column = 0; column < x.count(); ++column) sinks.push_back(sink_text(column, x.count()));
  const auto of_source = io::each_vector_to_write(b.part, std::vector<std::string>(sinks.size(), source_text()));
  const auto of_sink = io::each_vector_to_write(x.part, sinks);
  if (has_format(file, PropagatorFormat::hdf5)) {
    io::write_hdf5_fields(file, Precision::double_, attributes_of(quark),
                          {{"source", of_source}, {propagator_array, of_sink}});
    return;
  }
  std::vector<io::FieldToWrite> fields;
  for (std::size_t n = 0; n < sinks.size(); ++n) {
    fields.push_back(of_source[n]);
    fields.push_back(of_sink[n]);
  }
  io::write_fields(
      file,
      {.text = fmt::format("{}<usqcdPropFile><version>1.0</version><type>USQCD_DiracFermion_Source_Sink_Pairs</type>"
                           "<info>{}, {}; {}</info></usqcdPropFile>",
                           io::xml_head, what_it_is, words_of(quark), conventions)},
      fields);
}

template <int W>
void read_columns(const std::filesystem::path& folder, const FullSpinors<double, W>& x) {
  for (int column = 0; column < x.count(); ++column)
    io::read_some_vectors(io::FieldReader(column_file(folder, column, x.count()), x.lattice().ranks()), 0, x.part,
                          column);
  change_openqcd_basis(x);
}

template <int W>
void write_columns(const std::filesystem::path& folder, const FullSpinors<double, W>& x) {
  io::on_first_rank(x.lattice().ranks(), "make a folder for the columns of a propagator",
                    [&] { std::filesystem::create_directories(folder); });
  change_openqcd_basis(x);
  const auto fields = io::each_vector_to_write(x.part, std::vector<std::string>(std::size_t(x.count())));
  for (int column = 0; column < x.count(); ++column)
    io::write_openqcd_spinors(column_file(folder, column, x.count()), fields[std::size_t(column)]);
  change_openqcd_basis(x);
}

}  // namespace

template <int W>
std::filesystem::path propagator_file(const KeptPropagators& kept, const dirac::WilsonParameters& quark,
                                      const FullSpinors<double, W>& b) {
  const auto sums = io::pack_links(io::vectors_to_write(b.part).numbers, Precision::double_).checksum;
  const auto words = words_of(quark);
  const auto name = fmt::format("{}-kappa{}-{:08x}-{:08x}-{:08x}", kept.configuration, quark.kappa,
                                io::add_crc32(0, std::as_bytes(std::span(words))), sums.a, sums.b);
  const auto file = [&](PropagatorFormat format) { return kept.folder / (name + suffix_of(format)); };
  return file(io::from_first_rank(b.lattice().ranks(), "which propagator is there", [&] {
    if (is_there(file(kept.format), b.count())) return kept.format;
    for (const auto& [other, format] : propagator_formats)
      if (is_there(file(format), b.count())) return format;
    return kept.format;
  }));
}

template <int W>
bool read_propagator(const std::filesystem::path& file, double kappa, const FullSpinors<double, W>& x) {
  const auto& ranks = x.lattice().ranks();
  const bool there = ranks.is_first() && is_there(file, x.count());
  if (ranks.broadcast("whether a propagator is there", there ? "yes" : "no") == "no") return false;
  if (has_format(file, PropagatorFormat::openqcd))
    read_columns(file, x);
  else
    read_spinors(file, x);
  multiply(x, 1 / (2 * kappa));
  return true;
}

template <int W>
void write_propagator(const std::filesystem::path& file, const dirac::WilsonParameters& quark,
                      const FullSpinors<double, W>& b, const FullSpinors<double, W>& x) {
  io::on_first_rank(x.lattice().ranks(), "make a folder for propagators",
                    [&] { std::filesystem::create_directories(file.parent_path()); });
  multiply(x, 2 * quark.kappa);
  if (has_format(file, PropagatorFormat::openqcd))
    write_columns(file, x);
  else
    write_pairs(file, quark, b, x);
  multiply(x, 1 / (2 * quark.kappa));
}

template <int W>
void round_as_kept(double kappa, const FullSpinors<double, W>& x) {
  multiply(x, 2 * kappa);
  multiply(x, 1 / (2 * kappa));
}

#define TRELLIS_INSTANTIATE(W)                                                                           \
  template void round_as_kept(double, const FullSpinors<double, W>&);                                    \
  template std::filesystem::path propagator_file(const KeptPropagators&, const dirac::WilsonParameters&, \
                                                 const FullSpinors<double, W>&);                         \
  template bool read_propagator(const std::filesystem::path&, double, const FullSpinors<double, W>&);    \
  template void write_propagator(const std::filesystem::path&, const dirac::WilsonParameters&,           \
                                 const FullSpinors<double, W>&, const FullSpinors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
