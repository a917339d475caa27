// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variant_storage.hpp"

#include <map>

#include "trellis/lattice/dispatch.hpp"

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

}  // namespace

template <class T>
VariantStorage<T>::VariantStorage(const CompiledBody<T>& body, const Lattice& lattice, const Lattice& sites)
    : body_(body),
      lattice_(lattice),
      sites_(sites),
      node_(lattice),
      site_("sites of lanes", lattice.volume()),
      marks_("marked hops", lattice.tiles()),
      numbers_("hop numbers", 8 * std::int64_t(lattice.tiles())),
      lanes_("lane permutations", lattice.lanes() * body.table_width) {
  const int lanes = lattice_.lanes(), half = lattice_.tiles() / 2;
  std::vector<std::int64_t> names(std::size_t(lanes), 0);
  for (int tile = 0; tile < lattice_.tiles(); ++tile) {
    lattice_.sites(tile, names.data());
    for (int lane = 0; lane < lanes; ++lane)
      site_(std::int64_t(tile) * lanes + lane) =
          static_cast<std::int32_t>(sites_.index(sites_.coordinate(names[std::size_t(lane)])));
  }
  if (lanes > 1) {
    for (int shift = 0; shift < lanes; ++shift)
      for (int lane = 0; lane < lanes; ++lane)
        for (int part = 0; part < body_.table_width / lanes; ++part)
          lanes_(shift * body_.table_width + body_.place(lane, part)) =
              body_.place(lattice_.neighbours().permutation(shift)[lane], part);
  }
  const BodyChoice& choice = body_.choice;
  for (const int parity : {0, 1}) {
    with_mapping(choice.layout, SpinorShape{{half}}, [&](const auto& map) {
      spinors_[parity] = HostView<T*>("vectors of a variant", map.span() * 2 * choice.lanes);
    });
    with_mapping(choice.layout, LinkShape{{8 * Index(half), int(choice.links) / 2}},
                 [&](const auto& map) { links_[parity] = HostView<T*>("links of a variant", map.span() * 2 * lanes); });
  }
}

template <class T>
void VariantStorage<T>::place(const WilsonLinks<T, 1>& links) {
  const int lanes = lattice_.lanes(), half = lattice_.tiles() / 2, reals = int(links.format());
  if (!(links.lattice() == sites_) || links.format() != body_.choice.links)
    fail("links of a variant: packed for another lattice or format");
  place_factors(links);
  const T* const from = links.data();
  const std::int32_t* const site = site_.data();
  const CompiledBody<T> body = body_;
  const Kernel cost("place links", 2.0 * double(half) * lanes * 8 * reals * sizeof(T));
  for (const int parity : {0, 1}) {
    T* const to = links_[parity].data();
    with_mapping(body.choice.layout, LinkShape{{8 * Index(half), reals / 2}}, [&](const auto& map) {
      for_each_half_tile(cost, lattice_, [=](int tile) {
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
  }
}

// Factors differ between lanes: each combination that occurs has its own number.
template <class T>
void VariantStorage<T>::place_factors(const WilsonLinks<T, 1>& links) {
  const int lanes = lattice_.lanes();
  const std::int32_t* const numbers = links.factors().numbers();
  std::map<std::vector<std::int32_t>, std::int32_t> known;
  std::vector<std::int32_t> combination(std::size_t(lanes), 0);
  for (int tile = 0; tile < lattice_.tiles(); ++tile) {
    const std::int32_t* const site = site_.data() + std::int64_t(tile) * lanes;
    unsigned marked = 0;
    for (int lane = 0; lane < lanes; ++lane) marked |= links.marks()[site[lane]];
    marks_(tile) = static_cast<std::uint8_t>(marked);
    for (int step = 0; step < 8; ++step) {
      if ((marked >> step & 1u) == 0) continue;
      for (int lane = 0; lane < lanes; ++lane)
        combination[std::size_t(lane)] = numbers[8 * std::int64_t(site[lane]) + step];
      const auto next = static_cast<std::int32_t>(known.size());
      numbers_(8 * std::int64_t(tile) + step) = known.try_emplace(combination, next).first->second;
    }
  }
  factors_ = HostView<T*>("hop coefficients", Index(known.size()) * 2 * lanes);
  for (const auto& [of_lanes, number] : known)
    for (int lane = 0; lane < lanes; ++lane)
      for (int part = 0; part < 2; ++part)
        factors_(std::int64_t(number) * 2 * lanes + (lanes == 1 ? part : body_.place(lane, part))) =
            links.factors().values()[2 * of_lanes[std::size_t(lane)] + part];
}

// f(number, site, vector, real), where `number` holds this real of a vector on a site of one-lane fields.
template <class T>
template <class F>
void VariantStorage<T>::for_each_vector_number(int parity, const F& f) const {
  const int width = body_.choice.lanes, lanes = lattice_.lanes(), half = lattice_.tiles() / 2;
  const std::int32_t* const site = site_.data() + parity * std::int64_t(half) * lanes;
  const std::int64_t first = parity * lattice_.local_parity_volume();
  T* const numbers = spinors_[parity].data();
  const bool vectors = holds_right_hand_sides();
  const auto place = body_.place;
  const Kernel cost("place vectors", 2.0 * double(half) * width * 24 * sizeof(T));
  with_mapping(body_.choice.layout, SpinorShape{{half}}, [&](const auto& map) {
    for_each_half_tile(cost, lattice_, [=](int tile) {
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
  const auto& view = psi.view();
  const bool shared = psi.count() == 1;
  for_each_vector_number(psi.parity(),
                         [=](T& number, std::int64_t site, int n, int k) { number = view(site, shared ? 0 : n, k); });
}

template <class T>
SpinorField<T, 1> VariantStorage<T>::vectors(int parity) const {
  const SpinorField<T, 1> psi(sites_, parity, holds_right_hand_sides() ? body_.choice.lanes : 1);
  const auto& view = psi.view();
  for_each_vector_number(parity, [=](const T& number, std::int64_t site, int n, int k) { view(site, n, k) = number; });
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
          .ahead = {},
          .hops = neighbours.hops + 8 * first,
          .exits = neighbours.exits + first,
          .marks = marks_.data() + first,
          .numbers = numbers_.data() + 8 * first,
          .factors = factors_.data(),
          .lanes = lanes_.data(),
          .in_origin = (1 - out_parity) * half,
          .node = node_};
}

template class VariantStorage<float>;
template class VariantStorage<double>;

}  // namespace trellis::bench::study
