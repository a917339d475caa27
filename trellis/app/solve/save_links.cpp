// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/solve/save_links.hpp"

#include <fmt/format.h>

#include <charconv>

#include "trellis/app/job/job.hpp"
#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/app/solve/link_records.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/phase_conventions.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {
namespace {

void require_valid(const SaveLinksInput& input, bool has_long_links) {
  if (input.fat.empty()) fail_input("--save-fat: expected a file for the links of one step");
  if (has_long_links && input.long_links.empty())
    fail_input("--save-long: expected a file for the links of three steps, which \"{}\" smearing has",
               input.smearing.kind);
  if (!has_long_links && !input.long_links.empty())
    fail_input("--save-long: \"{}\" smearing has no links of three steps", input.smearing.kind);
  if (!(input.naik_epsilon >= -1 && input.naik_epsilon <= 1))
    fail_input("--naik-epsilon: found {}, expected a number from -1 to 1", input.naik_epsilon);
  if (!has_long_links && input.naik_epsilon != 0)
    fail_input("--naik-epsilon: there is no Naik term on links of \"{}\" smearing", input.smearing.kind);
}

// `field`, with weight times the matrices of another one on the same lattice added.
io::FieldToWrite sum_of(io::FieldToWrite field, double weight, const io::FieldToWrite& other) {
  field.numbers.source = [a = field.numbers.source, b = other.numbers.source, weight](std::int64_t first_site,
                                                                                      std::span<double> out) {
    std::vector<double> more(out.size());
    a(first_site, out);
    b(first_site, more);
    for (std::size_t n = 0; n < out.size(); ++n) out[n] += weight * more[n];
  };
  return field;
}

template <int W>
void save(const SaveLinksInput& input, const io::GaugeReader& reader, const comm::ProcessGrid& grid) {
  const Coordinate size = reader.info().size;
  const Lattice lattice(size, W, SiteOrder::even_odd, LatticeShape{.vector_reach = gauge::longest_hop(input.smearing)},
                        grid);
  const GaugeField<double, W> u(lattice);
  io::read_links(reader, input.configuration, u);
  const auto smeared = gauge::smeared_links<W>(input.smearing, lattice);
  const GaugeField<double, W>& fat = smeared->smear(u);
  const auto* const long_links = smeared->long_links();
  // Files of MILC's convention have its signs.
  const auto factor = [&](int steps, double weight) -> io::MatrixFactor {
    if (input.convention == LinkConvention::trellis) return [weight](const Coordinate&, int) { return weight; };
    return [size, steps, weight](const Coordinate& x, int mu) { return weight * dirac::milc_sign(size, x, mu, steps); };
  };
  const auto text = [&](const char* what) {
    return link_record(what, input.smearing, input.naik_epsilon, input.convention, input.configuration);
  };
  io::FieldFileParameters parameters;
  parameters.precision = input.precision;
  parameters.text = fmt::format("{}<trellis><info>{}</info></trellis>", io::xml_head, io::escaped(input.provenance));
  auto one_step = io::matrices_to_write(fat, text("of one step"), factor(1, 1));
  if (long_links && input.naik_epsilon != 0)
    one_step = sum_of(std::move(one_step), input.naik_epsilon / 8,
                      io::matrices_to_write(long_links->one_step, "<trellis/>", factor(1, 1)));
  io::write_fields(input.fat, parameters, {one_step});
  if (long_links)
    io::write_fields(
        input.long_links, parameters,
        {io::matrices_to_write(long_links->three_steps, text("of three steps"), factor(3, 1 + input.naik_epsilon))});
}

}  // namespace

gauge::SmearingParameters parse_smearing(const std::string& text) {
  gauge::SmearingParameters smearing;
  std::size_t begin = text.find(',');
  smearing.kind = text.substr(0, begin);
  while (begin != text.npos) {
    const auto end = text.find(',', ++begin), equals = text.find('=', begin);
    const auto word = text.substr(begin, end == text.npos ? end : end - begin);
    double value = 0;
    const char* const last = text.data() + begin + word.size();
    if (equals == text.npos || equals >= begin + word.size())
      fail_input("--smearing: found \"{}\", expected KEY=VALUE, such as u0=0.86", word);
    const auto [at, error] = std::from_chars(text.data() + equals + 1, last, value);
    if (error != std::errc() || at != last) fail_input("--smearing: found \"{}\", expected a number after =", word);
    smearing.values[text.substr(begin, equals - begin)] = value;
    begin = end;
  }
  try {
    return gauge::complete(smearing);
  } catch (const InputError& error) {
    fail_input("--smearing: {}", error.what());
  }
}

void save_links(const SaveLinksInput& input) {
  const int longest_hop = gauge::longest_hop(input.smearing);
  require_valid(input, longest_hop > 1);
  const io::GaugeReader header(input.configuration);
  const auto& size = header.info().size;
  for (const int extent : size)
    if (extent % 2 != 0)
      fail_input("{}: the lattice is {}; every extent must be even", input.configuration.string(), to_string(size));
  io::require_no_open_boundary(input.configuration, header);
  if (const auto boundary = recorded_functional(input.configuration))
    fail_input("{}: the boundary in t is that of a {}; `trellis solve` knows only periodic lattices",
               input.configuration.string(), gauge::name_of(*boundary));
  const auto grid = job_grid(size, input.machine, longest_hop);
  const io::GaugeReader reader(input.configuration, {}, grid.ranks());
  with_lanes(lanes_for(grid, size, input.machine), [&]<int W>() { save<W>(input, reader, grid); });
}

}  // namespace trellis::app
