// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/field_io.hpp"

#include <utility>

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
FieldReport read_some_vectors(const FieldReader& reader, std::size_t number, const FieldParts<T, Reals, W>& to,
                              int first) {
  const Lattice& lattice = to[0].lattice();
  const int count = reader.info().fields.at(number).count;
  require_objects(reader, number, vector_type<Reals>, count);
  if (first < 0 || first + count > to[0].count())
    fail("{}: {} vectors from number {} on do not fit into {}", reader.path().string(), count, first, to[0].count());
  // On a host these are the fields themselves.
  const std::array host{create_mirror_view_and_copy(HostSpace{}, to[0].view()),
                        create_mirror_view_and_copy(HostSpace{}, to[1].view())};
  const auto report = reader.read(number, own_block(lattice), [&](std::int64_t site, std::span<const double> numbers) {
    const auto x = lattice.coordinate(site);
    const auto parity = parity_of(x);
    const auto place = lattice.index(x) - Index(to[parity].first_tile()) * W;
    for (int n = 0; n < count; ++n)
      for (int k = 0; k < Reals; ++k) host[parity](place, first + n, k) = T(numbers[std::size_t(n * Reals + k)]);
  });
  if constexpr (!fields_on_host)
    for (const std::size_t parity : {0, 1}) deep_copy(to[parity].view(), host[parity]);
  return report;
}

template <class T, int Reals, int W>
FieldReport read_vectors(const FieldReader& reader, std::size_t number, const FieldParts<T, Reals, W>& to) {
  require_objects(reader, number, vector_type<Reals>, to[0].count());
  return read_some_vectors(reader, number, to, 0);
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

namespace {

// The vectors of a lattice where the host finds them.
template <class T, int Reals, int W>
struct HostVectors {
  using View = decltype(create_mirror_view_and_copy(HostSpace{}, std::declval<ParityField<T, Reals, W>>().view()));
  explicit HostVectors(const FieldParts<T, Reals, W>& from)
      : parts{create_mirror_view_and_copy(HostSpace{}, from[0].view()),
              create_mirror_view_and_copy(HostSpace{}, from[1].view())},
        lattice(from[0].lattice()),
        first{Index(from[0].first_tile()) * W, Index(from[1].first_tile()) * W} {}

  FieldToWrite some(int begin, int count, std::string text) const {
    const auto source = [=, *this](std::int64_t first_site, std::span<double> out) {
      double* to = out.data();
      for (std::int64_t site = first_site; to != out.data() + out.size(); ++site) {
        const auto x = lattice.coordinate(site_in_lattice(own_block(lattice), site));
        const auto parity = parity_of(x);
        const auto place = lattice.index(x) - first[parity];
        for (int n = begin; n < begin + count; ++n)
          for (int k = 0; k < Reals; ++k) *to++ = double(parts[parity](place, n, k));
      }
    };
    return {vector_type<Reals>, count, {lattice.ranks(), own_block(lattice), source, count * Reals}, std::move(text)};
  }

  std::array<View, 2> parts;
  Lattice lattice;
  std::array<Index, 2> first;
};

}  // namespace

template <class T, int Reals, int W>
FieldToWrite vectors_to_write(const FieldParts<T, Reals, W>& from, std::string text) {
  return HostVectors<T, Reals, W>(from).some(0, from[0].count(), std::move(text));
}

template <class T, int Reals, int W>
std::vector<FieldToWrite> each_vector_to_write(const FieldParts<T, Reals, W>& from,
                                               const std::vector<std::string>& texts) {
  if (int(texts.size()) != from[0].count()) fail("{} texts for {} vectors", texts.size(), from[0].count());
  const HostVectors<T, Reals, W> host(from);
  std::vector<FieldToWrite> fields;
  for (std::size_t n = 0; n < texts.size(); ++n) fields.push_back(host.some(int(n), 1, texts[n]));
  return fields;
}

#define TRELLIS_INSTANTIATE_VECTORS(Reals, W)                                                                        \
  template FieldReport read_vectors(const FieldReader&, std::size_t, const FieldParts<double, Reals, W>&);           \
  template FieldReport read_some_vectors(const FieldReader&, std::size_t, const FieldParts<double, Reals, W>&, int); \
  template FieldToWrite vectors_to_write(const FieldParts<double, Reals, W>&, std::string);                          \
  template std::vector<FieldToWrite> each_vector_to_write(const FieldParts<double, Reals, W>&,                       \
                                                          const std::vector<std::string>&);
#define TRELLIS_INSTANTIATE(W)                                                                             \
  template FieldReport read_matrices(const FieldReader&, std::size_t, const GaugeField<double, W>&,        \
                                     const MatrixFactor&);                                                 \
  template FieldToWrite matrices_to_write(const GaugeField<double, W>&, std::string, const MatrixFactor&); \
  TRELLIS_INSTANTIATE_VECTORS(6, W)                                                                        \
  TRELLIS_INSTANTIATE_VECTORS(24, W)
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#undef TRELLIS_INSTANTIATE_VECTORS

}  // namespace trellis::io
