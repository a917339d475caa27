// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/field_io.hpp"

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::io {

namespace {

comm::Block own_block(const Lattice& lattice) { return {lattice.size(), lattice.origin(), lattice.local_size()}; }

template <int Reals>
constexpr FieldType vector_type = Reals == 6 ? FieldType::colour_vector : FieldType::spinor;

std::size_t parity_of(const Coordinate& x) { return std::size_t(x[0] + x[1] + x[2] + x[3]) % 2; }

void require_objects(const FieldReader& reader, std::size_t number, FieldType type, int count) {
  const auto& field = reader.info().fields.at(number);
  if (field.type != type || field.count != count)
    fail_input("{}: the field has {}, expected {} times '{}'", reader.path().string(), describe(field), count,
               name_of(type).name);
}

}  // namespace

template <class T, int W>
FieldReport read_matrices(const FieldReader& reader, std::size_t number, const GaugeField<T, W>& u,
                          const MatrixFactor& factor) {
  require_objects(reader, number, FieldType::colour_matrix, 4);
  const Lattice& lattice = u.lattice();
  const auto host = create_mirror_view(HostSpace{}, u.view());
  const auto report = reader.read(number, own_block(lattice), [&](std::int64_t site, std::span<const double> numbers) {
    const auto x = lattice.coordinate(site);
    const auto place = lattice.index(x);
    const double* from = numbers.data();
    for (int mu = 0; mu < 4; ++mu) {
      const double f = factor ? factor(x, mu) : 1.0;
      for (int k = 0; k < 18; ++k) host(place, mu, k / 6, k % 6 / 2, k % 2) = T(f * *from++);
    }
  });
  if constexpr (!fields_on_host) deep_copy(u.view(), host);
  u.exchange();
  return report;
}

template <class T, int Reals, int W>
FieldReport read_vectors(const FieldReader& reader, std::size_t number, const FieldParts<T, Reals, W>& to) {
  const Lattice& lattice = to[0].lattice();
  const int count = to[0].count();
  require_objects(reader, number, vector_type<Reals>, count);
  const std::array host{create_mirror_view(HostSpace{}, to[0].view()), create_mirror_view(HostSpace{}, to[1].view())};
  const auto report = reader.read(number, own_block(lattice), [&](std::int64_t site, std::span<const double> numbers) {
    const auto x = lattice.coordinate(site);
    const auto parity = parity_of(x);
    const auto place = lattice.index(x) - Index(to[parity].first_tile()) * W;
    for (int n = 0; n < count; ++n)
      for (int k = 0; k < Reals; ++k) host[parity](place, n, k) = T(numbers[std::size_t(n * Reals + k)]);
  });
  if constexpr (!fields_on_host)
    for (const std::size_t parity : {0, 1}) deep_copy(to[parity].view(), host[parity]);
  return report;
}

template <class T, int W>
FieldToWrite matrices_to_write(const GaugeField<T, W>& u, std::string text, const MatrixFactor& factor) {
  FieldToWrite field{FieldType::colour_matrix, 4, link_source(u), std::move(text)};
  if (!factor) return field;
  field.numbers.source = [plain = field.numbers.source, own = field.numbers.own, lattice = u.lattice(), factor](
                             std::int64_t first_site, std::span<double> out) {
    plain(first_site, out);
    for (std::size_t n = 0; n < out.size() / 72; ++n) {
      const auto x = lattice.coordinate(site_in_lattice(own, first_site + std::int64_t(n)));
      for (int mu = 0; mu < 4; ++mu) {
        const double f = factor(x, mu);
        for (double& number : out.subspan(n * 72 + std::size_t(mu) * 18, 18)) number *= f;
      }
    }
  };
  return field;
}

template <class T, int Reals, int W>
FieldToWrite vectors_to_write(const FieldParts<T, Reals, W>& from, std::string text) {
  const std::array host{create_mirror_view_and_copy(HostSpace{}, from[0].view()),
                        create_mirror_view_and_copy(HostSpace{}, from[1].view())};
  const auto own = own_block(from[0].lattice());
  const int count = from[0].count();
  const auto source = [host, own, count, lattice = from[0].lattice(),
                       first = std::array{from[0].first_tile(), from[1].first_tile()}](std::int64_t first_site,
                                                                                       std::span<double> out) {
    double* to = out.data();
    for (std::int64_t site = first_site; to != out.data() + out.size(); ++site) {
      const auto x = lattice.coordinate(site_in_lattice(own, site));
      const auto parity = parity_of(x);
      const auto place = lattice.index(x) - Index(first[parity]) * W;
      for (int n = 0; n < count; ++n)
        for (int k = 0; k < Reals; ++k) *to++ = double(host[parity](place, n, k));
    }
  };
  return {vector_type<Reals>, count, {from[0].lattice().ranks(), own, source, count * Reals}, std::move(text)};
}

#define TRELLIS_INSTANTIATE(W)                                                                             \
  template FieldReport read_matrices(const FieldReader&, std::size_t, const GaugeField<double, W>&,        \
                                     const MatrixFactor&);                                                 \
  template FieldReport read_vectors(const FieldReader&, std::size_t, const FieldParts<double, 6, W>&);     \
  template FieldReport read_vectors(const FieldReader&, std::size_t, const FieldParts<double, 24, W>&);    \
  template FieldToWrite matrices_to_write(const GaugeField<double, W>&, std::string, const MatrixFactor&); \
  template FieldToWrite vectors_to_write(const FieldParts<double, 6, W>&, std::string);                    \
  template FieldToWrite vectors_to_write(const FieldParts<double, 24, W>&, std::string);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::io
