// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variant_storage.hpp"

#include <map>

#include "trellis/core/parallel.hpp"

namespace trellis::bench::study {

namespace {

using SpinorShape = Extents<dynamic_extent, 4, 3>;
using LinkShape = Extents<dynamic_extent, dynamic_extent>;

// f(mapping), which maps row and components to the element.
template <class E, class F>
void with_mapping(SiteLayout layout, const E& shape, F&& f) {
  switch (layout) {
    case SiteLayout::right:
      return f(typename LayoutRight::Mapping<E>{shape});
    case SiteLayout::left:
      return f(typename LayoutLeft::Mapping<E>{shape});
    case SiteLayout::tiled:
      return f(typename LayoutTiled<8>::Mapping<E>{shape});
  }
}

// Numbers of a field for the host: in place, or a copy.
template <class X>
class OnHost {
 public:
  OnHost(const X* numbers, std::size_t count) : numbers_(numbers) {
    if constexpr (!can_access<DefaultHostExecutionSpace, FieldMemory>) {
      room_.resize(count);
      fence();
      copy_bytes(HostSpace{}, room_.data(), FieldMemory{}, numbers, count * sizeof(X));
      numbers_ = room_.data();
    }
  }
  const X* data() const { return numbers_; }

 private:
  std::vector<X> room_;
  const X* numbers_;
};

// f(tile) for the tiles of one parity, on the host.
template <class F>
void for_each_tile_on_host(const Kernel& cost, int tiles, const F& f) {
  parallel_for(cost, RangePolicy<DefaultHostExecutionSpace>(0, tiles), [=](Index tile) { f(static_cast<int>(tile)); });
}

}  // namespace

template <class T>
VariantStorage<T>::VariantStorage(const CompiledBody<T>& body, const Lattice& lattice, const Lattice& sites)
    : body_(body), lattice_(lattice), sites_(sites), node_(lattice), site_("sites of lanes", lattice.volume()) {
  const int lanes = lattice_.lanes(), half = lattice_.tiles() / 2;
  std::vector<std::int64_t> names(std::size_t(lanes), 0);
  for (int tile = 0; tile < lattice_.tiles(); ++tile) {
    lattice_.sites(tile, names.data());
    for (int lane = 0; lane < lanes; ++lane)
      site_(std::int64_t(tile) * lanes + lane) =
          static_cast<std::int32_t>(sites_.index(sites_.coordinate(names[std::size_t(lane)])));
  }
  if (lanes > 1 && body_.table_width > 0) {
    const HostView<std::int32_t*> permutations("lane permutations", lanes * body_.table_width);
    for (int shift = 0; shift < lanes; ++shift)
      for (int lane = 0; lane < lanes; ++lane)
        for (int part = 0; part < body_.table_width / lanes; ++part)
          permutations(shift * body_.table_width + body_.place(lane, part)) =
              body_.place(lattice_.host_neighbours().permutation(shift)[lane], part);
    lanes_ = in_field_memory(permutations);
  }
  const int ny = lattice_.block()[1], nz = lattice_.block()[2];
  const HostView<std::int32_t*> rows("rows of tiles", ny * nz);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      rows(y + z * ny) = node_.tile(
          {.x = 0, .y = y % node_.y, .z = z % node_.z, .t = 0, .column_y = y / node_.y, .column_z = z / node_.z});
  rows_ = in_field_memory(rows);
  const BodyChoice& choice = body_.choice;
  for (const int parity : {0, 1}) {
    with_mapping(choice.layout, SpinorShape{{half}}, [&](const auto& map) {
      spinors_[parity] = FieldView<T*, LayoutRight>("vectors of a variant", map.span() * 2 * choice.lanes);
    });
    with_mapping(choice.layout, LinkShape{{8 * Index(half), int(choice.links) / 2}}, [&](const auto& map) {
      links_[parity] = FieldView<T*, LayoutRight>("links of a variant", map.span() * 2 * lanes);
    });
  }
}

template <class T>
void VariantStorage<T>::place(const WilsonLinks<T, 1>& links) {
  const int lanes = lattice_.lanes(), half = lattice_.tiles() / 2, reals = int(links.format());
  if (!(links.lattice() == sites_) || links.format() != body_.choice.links)
    fail("links of a variant: packed for another lattice or format");
  place_factors(links);
  const OnHost<T> packed(links.data(), std::size_t(sites_.volume()) * 8 * std::size_t(reals));
  const T* const from = packed.data();
  const std::int32_t* const site = site_.data();
  const CompiledBody<T> body = body_;
  const Kernel cost("place links", 2.0 * double(half) * lanes * 8 * reals * sizeof(T));
  for (const int parity : {0, 1}) {
    const auto placed = create_mirror_view(links_[parity]);
    T* const to = placed.data();
    with_mapping(body.choice.layout, LinkShape{{8 * Index(half), reals / 2}}, [&](const auto& map) {
      for_each_tile_on_host(cost, half, [=](int tile) {
        const std::int64_t first = (std::int64_t(tile) + parity * half) * lanes;
        for (int lane = 0; lane < lanes; ++lane)
          for (int step = 0; step < 8; ++step)
            for (int k = 0; k < reals; ++k) {
              // Lanes that hold right-hand sides share the links of their site, which are stored once.
              const int place = lanes == 1 ? k % 2 : body.place(lane, k % 2);
              to[map(8 * Index(tile) + step, k / 2) * 2 * lanes + place] =
                  from[(8 * std::int64_t(site[first + lane]) + step) * reals + k];
            }
      });
    });
    deep_copy(links_[parity], placed);
  }
}

// Factors differ between lanes: each combination that occurs has its own number.
template <class T>
void VariantStorage<T>::place_factors(const WilsonLinks<T, 1>& links) {
  const int lanes = lattice_.lanes();
  const std::int32_t* const numbers = links.factors().host_numbers();
  const OnHost<std::uint8_t> marks_of_sites(links.marks(), std::size_t(sites_.volume()));
  const HostView<std::uint8_t*> marks("marked hops", lattice_.tiles());
  const HostView<std::int32_t*> which("hop numbers", 8 * std::int64_t(lattice_.tiles()));
  std::map<std::vector<std::int32_t>, std::int32_t> known;
  std::vector<std::int32_t> combination(std::size_t(lanes), 0);
  for (int tile = 0; tile < lattice_.tiles(); ++tile) {
    const std::int32_t* const site = site_.data() + std::int64_t(tile) * lanes;
    unsigned marked = 0;
    for (int lane = 0; lane < lanes; ++lane) marked |= marks_of_sites.data()[site[lane]];
    marks(tile) = static_cast<std::uint8_t>(marked);
    for (int step = 0; step < 8; ++step) {
      if ((marked >> step & 1u) == 0) continue;
      for (int lane = 0; lane < lanes; ++lane)
        combination[std::size_t(lane)] = numbers[8 * std::int64_t(site[lane]) + step];
      const auto next = static_cast<std::int32_t>(known.size());
      which(8 * std::int64_t(tile) + step) = known.try_emplace(combination, next).first->second;
    }
  }
  const HostView<T*> factors("hop coefficients", Index(known.size()) * 2 * lanes);
  for (const auto& [of_lanes, number] : known)
    for (int lane = 0; lane < lanes; ++lane)
      for (int part = 0; part < 2; ++part)
        factors(std::int64_t(number) * 2 * lanes + (lanes == 1 ? part : body_.place(lane, part))) =
            part == 0 ? links.factors().host_value(of_lanes[std::size_t(lane)], 0).real()
                      : links.factors().host_value(of_lanes[std::size_t(lane)], 0).imag();
  marks_ = in_field_memory(marks);
  numbers_ = in_field_memory(which);
  factors_ = in_field_memory(factors);
}

// f(number, site, vector, real), where `number`, one of those of a field, holds this real of a vector on a site of
// one-lane fields.
template <class T>
template <class F>
void VariantStorage<T>::for_each_vector_number(int parity, const HostView<T*>& of_field, const F& f) const {
  const int width = body_.choice.lanes, lanes = lattice_.lanes(), half = lattice_.tiles() / 2;
  const std::int32_t* const site = site_.data() + parity * std::int64_t(half) * lanes;
  const std::int64_t first = parity * lattice_.local_parity_volume();
  T* const numbers = of_field.data();
  const bool vectors = holds_right_hand_sides();
  const auto place = body_.place;
  const Kernel cost("place vectors", 2.0 * double(half) * width * 24 * sizeof(T));
  with_mapping(body_.choice.layout, SpinorShape{{half}}, [&](const auto& map) {
    for_each_tile_on_host(cost, half, [=](int tile) {
      for (int lane = 0; lane < width; ++lane)
        for (int k = 0; k < 24; ++k)
          f(numbers[map(tile, k / 6, k / 2 % 3) * 2 * width + place(lane, k % 2)],
            site[std::int64_t(tile) * lanes + (vectors ? 0 : lane)] - first, vectors ? lane : 0, k);
    });
  });
}

template <class T>
void VariantStorage<T>::place(const SpinorField<T, 1>& psi) {
  const int vectors = holds_right_hand_sides() ? body_.choice.lanes : 1;
  if (!(psi.lattice() == sites_)) fail("vectors of a variant: on another lattice than the links");
  if (psi.count() != 1 && psi.count() != vectors)
    fail("vectors of a variant: {} were given; it works on {}", psi.count(), vectors);
  const auto view = create_mirror_view_and_copy(HostSpace{}, psi.view());
  const HostView<T*> placed = create_mirror_view(spinors_[psi.parity()]);
  const bool shared = psi.count() == 1;
  for_each_vector_number(psi.parity(), placed,
                         [=](T& number, std::int64_t site, int n, int k) { number = view(site, shared ? 0 : n, k); });
  deep_copy(spinors_[psi.parity()], placed);
}

template <class T>
SpinorField<T, 1> VariantStorage<T>::vectors(int parity) const {
  const SpinorField<T, 1> psi(sites_, parity, holds_right_hand_sides() ? body_.choice.lanes : 1);
  const auto view = create_mirror_view(HostSpace{}, psi.view());
  const HostView<T*> placed = create_mirror_view_and_copy(HostSpace{}, spinors_[parity]);
  for_each_vector_number(parity, placed,
                         [=](const T& number, std::int64_t site, int n, int k) { view(site, n, k) = number; });
  deep_copy(psi.view(), view);
  return psi;
}

template <class T>
BodyArguments<T> VariantStorage<T>::arguments(int out_parity) const {
  const int half = lattice_.tiles() / 2;
  const std::int64_t first = out_parity * std::int64_t(half);
  const Neighbours neighbours = lattice_.neighbours();
  return {.links = links_[out_parity].data(),
          .in = spinors_[1 - out_parity].data(),
          .out = spinors_[out_parity].data(),
          .tiles = half,
          .streaming = false,
          .adjoint = false,
          .ahead = {},
          .hops = neighbours.hops + 8 * first,
          .exits = neighbours.exits + first,
          .marks = marks_.data() + first,
          .numbers = numbers_.data() + 8 * first,
          .factors = factors_.data(),
          .lanes = lanes_.data(),
          .in_origin = (1 - out_parity) * half,
          .high_bits = neighbours.high_bits,
          .node = node_};
}

template <class T>
Walk VariantStorage<T>::walk() const {
  const Coordinate& block = lattice_.block();
  return {.traversal = Traversal::flat,
          .tiles = lattice_.tiles() / 2,
          .extents = {block[0] / 2, block[1], block[2], block[3]},
          .block = {},
          .team_size = 0,
          .rows = rows_.data(),
          .t_stride = node_.tile({.x = 0, .y = 0, .z = 0, .t = 1, .column_y = 0, .column_z = 0})};
}

template class VariantStorage<float>;
template class VariantStorage<double>;

}  // namespace trellis::bench::study
